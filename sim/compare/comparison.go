package compare

import (
	"context"
	"slices"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// Side is one input of a comparison: the run of a program, or a trace that differs from the run of
// its scenario. OpenSide creates a Side from the contents of a file.
type Side struct {
	Name    string // name given by the user
	Program *program.Program
	Trace   *TraceSide // the trace, or nil if the side is the run of Program
}

// Comparison is the result of comparing the lanes of one run, or of two runs in lockstep. Each lane is
// compared with an oracle, which computes the correct outcomes from the workload alone. The lanes of a single
// run are also compared with each other. If there are two runs, each lane of the first is also compared with
// the lane of the second that has the same ID or, if the runs have no ID in common, the same index. A
// Comparison is immutable.
type Comparison struct {
	Sides       []Side
	Until       int64                 // last tick compared, which is the last tick of the side that ends first
	Apart       int64                 // tick of the first operation that differs between the two workloads; -1 means none
	Rows        [][]engine.LaneResult // result of each lane over its whole run, indexed by side (0 or 1) and lane
	Against     [][]Score             // comparison of each lane with the oracle, indexed by side (0 or 1) and lane
	Groups      []Pairing             // groups of lanes that are compared: all lanes of one run, or pairs from two runs
	Scores      []Score               // result of comparing the lanes of each group, indexed like Groups
	First       *Difference           // first timer run, by tick, that ended differently in the lanes of a group; nil means none
	Events      *EventDiff            // first difference between the events of lanes paired in Groups; nil means none
	Differences []*Difference         // the first DifferencesMax differences of all groups, in order of tick
}

// Pairing is a group of lanes that are compared with each other: all lanes of a single run or, if two runs are
// compared, one lane of each.
type Pairing []LaneRef

// LaneRef identifies a lane: Side is an index in Comparison.Sides, and Lane is the index of the lane in the scenario
// of that side.
type LaneRef struct{ Side, Lane int }

// Score is the result of comparing the lanes of a group with each other, or one lane with the oracle. The outcome
// of a timer run is that the timer fires, is rejected or is cancelled, and the tick at which this happens.
type Score struct {
	Differing int64       // number of timer runs whose outcomes differ
	More      bool        // whether Differing is only a lower bound
	First     *Difference // first difference; nil means none
}

// comparer computes a Comparison.
type comparer struct {
	*Comparison
	sources  []recordSource
	keys     []keyTable           // for each side, the table that maps its timer IDs to those of the first side
	runs     [][]runsOf           // number of the current run of each repeating timer, indexed by side (0 or 1) and lane
	outcomes [][][]engine.Outcome // outcomes of timer runs in the current tick, indexed by side (0 or 1) and lane
	oracles  []*engine.Oracle     // for each side, the oracle, which computes the correct outcomes from the workload
	required [][]engine.Outcome   // outcomes that the oracle requires in the current tick, indexed by side
	groups   []*matcher           // for each element of Groups, the matcher that compares its lanes with each other
	against  [][]*matcher         // matchers that compare each lane with the oracle, indexed by side (0 or 1) and lane
	events   []*eventMatcher      // matchers of the events of paired lanes that have the same algorithm and parameters
	recs     [][]engine.Record    // records of the current tick, indexed by side
	worked   int                  // number of ticks processed so far; ctx is checked every engine.PauseTicks ticks
	progress func(int64)          // called with the current tick when ctx is checked; may be nil
}

// NewComparison compares the lanes of one or two sides. It ignores all options but Progress. It
// returns an error if a side cannot be built or cannot be read to its end, or if ctx is done.
func NewComparison(ctx context.Context, sides []Side, o tracefile.Options) (*Comparison, error) {
	c := &comparer{Comparison: &Comparison{Sides: sides, Until: sides[0].Program.Until, Apart: -1}, progress: o.Progress}
	for _, s := range sides {
		if err := c.join(ctx, s); err != nil {
			return nil, err
		}
	}
	if len(sides) == 2 {
		c.Apart = apart(sides[0].Program, sides[1].Program)
	}
	c.pair()
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	return c.finish(), nil
}

// join adds side s to the comparison: it opens the source of its records and creates its oracle and the matchers that
// compare its lanes with the oracle.
func (c *comparer) join(ctx context.Context, s Side) error {
	side, lanes := len(c.sources), len(s.Program.Scenario.Lanes)
	t, err := s.source(ctx)
	if err != nil {
		return err
	}
	c.Until = min(c.Until, s.Program.Until)
	c.sources = append(c.sources, t)
	c.keys = append(c.keys, keysOf(c.Sides[0].Program, s.Program))
	c.outcomes = append(c.outcomes, make([][]engine.Outcome, lanes))
	c.oracles = append(c.oracles, engine.NewOracle(s.Program))
	c.required = append(c.required, nil)
	c.recs = append(c.recs, nil)
	c.runs = append(c.runs, nil)
	c.against = append(c.against, nil)
	for range lanes {
		c.runs[side] = append(c.runs[side], runsOf{})
		c.against[side] = append(c.against[side], newMatcher(-1, 2))
	}
	return nil
}

// pair forms the groups of lanes that are compared with each other, and creates a matcher for each group.
func (c *comparer) pair() {
	if len(c.Sides) == 1 {
		all := Pairing{}
		for i := range c.outcomes[0] {
			all = append(all, LaneRef{0, i})
		}
		c.Groups = []Pairing{all}
	} else {
		c.Groups = pairs(c.Sides[0].Program.Scenario.Lanes, c.Sides[1].Program.Scenario.Lanes)
	}
	for k, g := range c.Groups {
		c.groups = append(c.groups, newMatcher(k, len(g)))
		if m := c.eventMatcher(k, g); m != nil {
			c.events = append(c.events, m)
		}
	}
}

// pairs pairs the lanes of a, the first side, with those of b, the second side. Each Pairing contains two
// lanes with the same ID or, if no IDs are equal, with the same index.
func pairs(a, b []scenario.LaneSpec) []Pairing {
	var groups []Pairing
	for i := range a {
		if j := slices.IndexFunc(b, func(l scenario.LaneSpec) bool { return l.ID == a[i].ID }); j >= 0 {
			groups = append(groups, Pairing{{0, i}, {1, j}})
		}
	}
	for i := 0; len(groups) == i && i < min(len(a), len(b)); i++ {
		groups = append(groups, Pairing{{0, i}, {1, i}})
	}
	return groups
}

// run compares the sides tick by tick, and reads each side to its end. It skips ticks in which
// neither the sides nor their oracles have anything to do.
func (c *comparer) run(ctx context.Context) error {
	for {
		t, ok := c.next()
		if !ok {
			return nil
		}
		for side := range c.sources {
			if err := c.collect(side, t); err != nil {
				return err
			}
		}
		if t <= c.Until {
			c.match(t)
		}
		if c.worked++; c.worked%engine.PauseTicks == 0 {
			if c.progress != nil {
				c.progress(t)
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
}

func (c *comparer) next() (int64, bool) {
	best, found := int64(0), false
	take := func(t int64, ok bool) {
		if ok && (!found || t < best) {
			best, found = t, true
		}
	}
	for side := range c.sources {
		take(c.sources[side].next())
		take(c.oracles[side].NextTick())
	}
	return best, found
}

// collect stores in c what happens in tick t on the side with the given index: its records, the outcomes of timer
// runs that they contain, and the outcomes that its oracle requires.
func (c *comparer) collect(side int, t int64) error {
	for lane := range c.outcomes[side] {
		c.outcomes[side][lane] = c.outcomes[side][lane][:0]
	}
	c.recs[side], c.required[side] = nil, c.required[side][:0]
	if at, ok := c.sources[side].next(); ok && at == t {
		recs, err := c.sources[side].recordsAt(t)
		if err != nil {
			return err
		}
		c.recs[side] = recs
		for i := range recs {
			lane := recs[i].Lane
			if o, ok := c.runs[side][lane].outcome(&recs[i]); ok {
				o.ID = c.keys[side].key(o.ID)
				c.outcomes[side][lane] = append(c.outcomes[side][lane], o)
			}
		}
	}
	if at, ok := c.oracles[side].NextTick(); ok && at == t {
		c.required[side] = c.oracles[side].Tick(t, c.required[side])
		for i := range c.required[side] {
			c.required[side][i].ID = c.keys[side].key(c.required[side][i].ID)
		}
	}
	return nil
}

// match compares the outcomes and records that collect has stored for tick t.
func (c *comparer) match(t int64) {
	for side := range c.outcomes {
		for lane, m := range c.against[side] {
			m.tick(t, [][]engine.Outcome{c.required[side], c.outcomes[side][lane]})
		}
	}
	for k, g := range c.Groups {
		lists := make([][]engine.Outcome, len(g))
		for i, l := range g {
			lists[i] = c.outcomes[l.Side][l.Lane]
		}
		c.groups[k].tick(t, lists)
	}
	for _, m := range c.events {
		m.tick(t, c.recs)
	}
}
