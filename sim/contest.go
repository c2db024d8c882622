package sim

import (
	"context"
	"slices"
)

// Side is one of what is compared: what a program gives, or a trace of it that is
// not what the program gives. OpenSide makes one of a file.
type Side struct {
	Name    string // how the user calls it
	Program *Program
	Trace   *TraceSide // nil: not from a trace
}

// Contest is one run, or two, in lock-step against the oracle: what the workload
// alone asks for. Of one run every lane is held against every other; of two each
// lane against the one of the same id.
type Contest struct {
	Sides    []Side
	Until    int64          // the tick up to which is compared: the lesser of the sides'
	Apart    int64          // of two sides: tick of the first operation that only one has, -1: none
	Rows     [][]LaneResult // by side, lanes in file order; over each side's whole run
	Against  [][]Score      // the same lanes against the oracle
	Groups   []Pairing      // lanes held against each other
	Scores   []Score        // by group
	First    *Meeting       // the first of all groups; nil: they never differ
	Events   *EventDiff     // of two sides: the first event that only one tells; nil: none
	Meetings []*Meeting     // the first of all groups, in order of tick
}

// Pairing is lanes held against each other.
type Pairing []Contestant

// Contestant is a lane of a side, by their indexes.
type Contestant struct{ Side, Lane int }

// Score says how lanes held against each other, or a lane against the oracle,
// treated the runs of timers.
type Score struct {
	Differing int64 // runs of timers not treated alike
	More      bool  // and more, that were not counted
	First     *Meeting
}

// contest is a Contest being made.
type contest struct {
	*Contest
	tellers  []teller
	keys     []keyTable // ids of a side in those of the first
	runs     [][]runsOf
	told     [][][]outcome // by side and lane, of this tick
	oracles  []*oracle
	asked    [][]outcome  // by side, of this tick
	groups   []*matcher   // as Groups
	against  [][]*matcher // by side and lane
	events   []*eventMatcher
	recs     [][]Record // by side, of this tick
	worked   int
	progress func(int64)
}

// NewContest compares one side or two. The error is ctx's, or that of a trace that
// can't be read to its end.
func NewContest(ctx context.Context, sides []Side, o TraceOptions) (*Contest, error) {
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

// join makes room for a side.
func (c *contest) join(ctx context.Context, s Side) error {
	side, lanes := len(c.tellers), len(s.Program.Scenario.Lanes)
	t, err := s.teller(ctx)
	if err != nil {
		return err
	}
	c.Until = min(c.Until, s.Program.Until)
	c.tellers = append(c.tellers, t)
	c.keys = append(c.keys, keysOf(c.Sides[0].Program, s.Program))
	c.told = append(c.told, make([][]outcome, lanes))
	c.oracles = append(c.oracles, newOracle(s.Program))
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

// pair says which lanes are held against each other.
func (c *contest) pair() {
	if len(c.Sides) == 1 {
		all := Pairing{}
		for i := range c.told[0] {
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

// pairs joins the lanes of the same id; where there are none, those at the same
// place of the file.
func pairs(a, b []LaneSpec) []Pairing {
	var groups []Pairing
	for i := range a {
		if j := slices.IndexFunc(b, func(l LaneSpec) bool { return l.ID == a[i].ID }); j >= 0 {
			groups = append(groups, Pairing{{0, i}, {1, j}})
		}
	}
	for i := 0; len(groups) == i && i < min(len(a), len(b)); i++ {
		groups = append(groups, Pairing{{0, i}, {1, i}})
	}
	return groups
}

// run goes from tick to tick at which any side, or the oracle, has something.
func (c *contest) run(ctx context.Context) error {
	for {
		t, ok := c.next()
		if !ok {
			return nil
		}
		for side := range c.tellers {
			if err := c.hear(side, t); err != nil {
				return err
			}
		}
		if t <= c.Until {
			c.match(t)
		}
		if c.worked++; c.worked%pauseTicks == 0 {
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
	for side := range c.tellers {
		take(c.tellers[side].next())
		take(c.oracles[side].nextTick())
	}
	return best, found
}

// hear takes what a side, and its oracle, have at a tick.
func (c *contest) hear(side int, t int64) error {
	for lane := range c.told[side] {
		c.told[side][lane] = c.told[side][lane][:0]
	}
	c.recs[side], c.asked[side] = nil, c.asked[side][:0]
	if at, ok := c.tellers[side].next(); ok && at == t {
		recs, err := c.tellers[side].tell(t)
		if err != nil {
			return err
		}
		c.recs[side] = recs
		for i := range recs {
			lane := recs[i].Lane
			if o, ok := c.runs[side][lane].outcome(&recs[i]); ok {
				o.id = c.keys[side].key(o.id)
				c.told[side][lane] = append(c.told[side][lane], o)
			}
		}
	}
	if at, ok := c.oracles[side].nextTick(); ok && at == t {
		c.asked[side] = c.oracles[side].tick(t, c.asked[side])
		for i := range c.asked[side] {
			c.asked[side][i].id = c.keys[side].key(c.asked[side][i].id)
		}
	}
	return nil
}

// match holds against each other what was told at a tick.
func (c *contest) match(t int64) {
	for side := range c.told {
		for lane, m := range c.against[side] {
			m.tick(t, [][]outcome{c.asked[side], c.told[side][lane]})
		}
	}
	for k, g := range c.Groups {
		lists := make([][]outcome, len(g))
		for i, l := range g {
			lists[i] = c.told[l.Side][l.Lane]
		}
		c.groups[k].tick(t, lists)
	}
	for _, m := range c.events {
		m.tick(t, c.recs)
	}
}
