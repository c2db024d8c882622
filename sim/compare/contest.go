package compare

import (
	"context"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"slices"
)

// Side is one input of a comparison: a program's run, or a trace that differs from the run of
// its scenario. OpenSide makes one from a file.
type Side struct {
	Name    string // as given by the user
	Program *program.Program
	Trace   *TraceSide // nil: the side is the run of Program
}

// Contest is the comparison of one run, or of two in lock-step. Each lane is checked against
// the oracle, which follows the workload alone. The lanes of one run are compared with each
// other; in two runs, each lane is compared with the lane of the same id.
type Contest struct {
	Sides    []Side
	Until    int64                 // the last tick compared: the lesser Until of the sides
	Apart    int64                 // of two sides: tick of the first operation that only one has; -1: none
	Rows     [][]engine.LaneResult // by side, lanes in file order; over each side's whole run
	Against  [][]Score             // by side and lane: comparison with the oracle
	Groups   []Pairing             // lanes compared with each other
	Scores   []Score               // by group
	First    *Meeting              // the first difference in all groups; nil: none
	Events   *EventDiff            // of two sides: the first event that only one has; nil: none
	Meetings []*Meeting            // the first differences in all groups, in order of tick
}

// Pairing is a group of lanes that are compared with each other.
type Pairing []Contestant

// Contestant identifies a lane by the index of its side and its own index.
type Contestant struct{ Side, Lane int }

// Score is the outcome of comparing lanes with each other, or a lane with the oracle.
type Score struct {
	Differing int64 // runs of timers whose outcomes differ
	More      bool  // there are more, which were not counted
	First     *Meeting
}

// contest is a Contest under construction.
type contest struct {
	*Contest
	sources  []recordSource
	keys     []keyTable // by side: ids as those of the first side
	runs     [][]runsOf
	outcomes [][][]engine.Outcome // by side and lane, of this tick
	oracles  []*engine.Oracle
	asked    [][]engine.Outcome // of the oracles: by side, of this tick
	groups   []*matcher         // in the order of Groups
	against  [][]*matcher       // by side and lane
	events   []*eventMatcher
	recs     [][]engine.Record // by side, of this tick
	worked   int
	progress func(int64)
}

// NewContest compares one side or two. It returns ctx's error, or that of a side that can't be
// built or can't be read to its end.
func NewContest(ctx context.Context, sides []Side, o tracefile.Options) (*Contest, error) {
	c := &contest{Contest: &Contest{Sides: sides, Until: sides[0].Program.Until, Apart: -1}, progress: o.Progress}
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

// join adds a side.
func (c *contest) join(ctx context.Context, s Side) error {
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
	c.asked = append(c.asked, nil)
	c.recs = append(c.recs, nil)
	c.runs = append(c.runs, nil)
	c.against = append(c.against, nil)
	for range lanes {
		c.runs[side] = append(c.runs[side], runsOf{})
		c.against[side] = append(c.against[side], newMatcher(-1, 2))
	}
	return nil
}

// pair sets the groups of lanes that are compared with each other.
func (c *contest) pair() {
	if len(c.Sides) == 1 {
		all := Pairing{}
		for i := range c.outcomes[0] {
			all = append(all, Contestant{0, i})
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

// pairs joins the lanes of the same id or, if there are none, the lanes of the same index.
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

// run processes every tick at which a side or its oracle has events or work.
func (c *contest) run(ctx context.Context) error {
	for {
		t, ok := c.next()
		if !ok {
			return nil
		}
		for side := range c.sources {
			if err := c.hear(side, t); err != nil {
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

func (c *contest) next() (int64, bool) {
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

// hear collects the outcomes of a side and of its oracle at tick t.
func (c *contest) hear(side int, t int64) error {
	for lane := range c.outcomes[side] {
		c.outcomes[side][lane] = c.outcomes[side][lane][:0]
	}
	c.recs[side], c.asked[side] = nil, c.asked[side][:0]
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
		c.asked[side] = c.oracles[side].Tick(t, c.asked[side])
		for i := range c.asked[side] {
			c.asked[side][i].ID = c.keys[side].key(c.asked[side][i].ID)
		}
	}
	return nil
}

// match compares the outcomes collected for tick t.
func (c *contest) match(t int64) {
	for side := range c.outcomes {
		for lane, m := range c.against[side] {
			m.tick(t, [][]engine.Outcome{c.asked[side], c.outcomes[side][lane]})
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
