package compare

import (
	"cmp"
	"slices"

	"github.com/wheelscope/wheelscope/sim/program"
)

// finish collects the results of the sides and matchers and returns the Comparison.
func (c *comparer) finish() *Comparison {
	for side, t := range c.sources {
		c.Rows = append(c.Rows, t.results())
		var scores []Score
		for _, m := range c.against[side] {
			scores = append(scores, c.score(m))
		}
		c.Against = append(c.Against, scores)
	}
	for _, m := range c.groups {
		c.Scores = append(c.Scores, c.score(m))
		c.Differences = append(c.Differences, m.shown...)
	}
	slices.SortStableFunc(c.Differences, func(a, b *Difference) int {
		return cmp.Or(cmp.Compare(a.Tick, b.Tick), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Run, b.Run))
	})
	c.Differences = c.Differences[:min(len(c.Differences), DifferencesMax)]
	if len(c.Differences) > 0 {
		c.First = c.Differences[0]
	}
	for _, m := range c.events {
		if m.diff != nil && (c.Comparison.Events == nil || m.diff.Tick < c.Comparison.Events.Tick) {
			c.Comparison.Events = m.diff
		}
	}
	c.nameTimers()
	return c.Comparison
}

func (c *comparer) score(m *matcher) Score { return Score{m.differing, m.more, m.first} }

// nameTimers sets the timer names and due ticks in all reported differences.
func (c *comparer) nameTimers() {
	var tables []*schedules
	for _, s := range c.Sides {
		tables = append(tables, newSchedules(s.Program))
	}
	for _, at := range c.Differences {
		for i := range at.Ends {
			at.Ends[i].Due, at.Ends[i].Gone = c.due(tables, c.Groups[at.Group][i].Side, at)
		}
		c.nameTimer(tables, at, 0)
	}
	for side, scores := range c.Against {
		for i := range scores {
			if at := scores[i].First; at != nil {
				c.nameTimer(tables, at, side)
			}
		}
	}
}

// nameTimer sets at.Timer and at.Due to the name and the due tick of the timer that at describes. It looks
// the timer up in the program of the given side or, if that side does not have the timer, of the other side.
// tables holds the schedules of the programs, indexed by side.
func (c *comparer) nameTimer(tables []*schedules, at *Difference, side int) {
	for range tables {
		if due, gone := c.due(tables, side, at); !gone {
			at.Timer, at.Due = c.Sides[side].Program.Name(c.keys[side].back(at.ID)), due
			return
		}
		side = (side + 1) % len(tables)
	}
}

// due returns the due tick of the timer run that at describes, in the program of the given side. gone is true
// if that program does not have the timer. tables holds the schedules of the programs, indexed by side.
func (c *comparer) due(tables []*schedules, side int, at *Difference) (due int64, gone bool) {
	id := c.keys[side].back(at.ID)
	if id == 0 || int(id) > c.Sides[side].Program.Timers() {
		return 0, true
	}
	return tables[side].due(id, at.Run), false
}

// schedules maps each timer ID of a program to the operation that schedules the timer.
type schedules struct {
	p  *program.Program
	at []uint32 // index in p.Ops of the operation that schedules a timer, indexed by timer ID
}

func newSchedules(p *program.Program) *schedules {
	a := &schedules{p, make([]uint32, p.Timers()+1)}
	for i := range p.Ops {
		if op := &p.Ops[i]; op.Kind.Arms() {
			a.at[op.ID] = uint32(i)
		}
	}
	return a
}

// due returns the due tick of the given run of timer id, relative to the start of the scenario. Runs
// are numbered from 1.
func (a *schedules) due(id, run uint32) int64 {
	op := &a.p.Ops[a.at[id]]
	return op.At + op.Delay + int64(run-1)*op.Every
}

// apart returns the tick of the first operation that differs between the workloads of a and b, or -1 if the
// workloads are the same. It does not compare the lanes of a and b.
func apart(a, b *program.Program) int64 {
	n := 0
	for n < len(a.Ops) && n < len(b.Ops) && a.Ops[n] == b.Ops[n] && sameName(a, b, &a.Ops[n]) {
		n++
	}
	at := int64(-1)
	for _, ops := range [...][]program.Planned{a.Ops, b.Ops} {
		if n < len(ops) && (at < 0 || ops[n].At < at) {
			at = ops[n].At
		}
	}
	return at
}

// sameName reports whether the timers that op schedules, cancels or replaces have the same names in
// a and b. op must be an operation of both programs.
func sameName(a, b *program.Program, op *program.Planned) bool {
	return (op.ID == 0 || a.Name(op.ID) == b.Name(op.ID)) && (op.Target == 0 || a.Name(op.Target) == b.Name(op.Target))
}

// keyTable maps the timer IDs of one program to those of another. It is indexed by timer ID. The nth timer
// with a given name corresponds to the nth timer with that name in the other program. A nil table maps each
// ID to itself.
type keyTable []uint32

// keysOf returns the table that maps the timer IDs of p to those of first. A timer of p that first does not
// have is mapped to an ID greater than all IDs of first. If the workloads are the same, the table is nil.
func keysOf(first, p *program.Program) keyTable {
	if first == p || apart(first, p) < 0 {
		return nil
	}
	known := map[string][]uint32{}
	for id := uint32(1); int(id) <= first.Timers(); id++ {
		name := first.Name(id)
		known[name] = append(known[name], id)
	}
	keys := make(keyTable, p.Timers()+1)
	spare := uint32(first.Timers())
	for id := uint32(1); int(id) <= p.Timers(); id++ {
		name := p.Name(id)
		if rest := known[name]; len(rest) > 0 {
			keys[id], known[name] = rest[0], rest[1:]
			continue
		}
		spare++
		keys[id] = spare
	}
	return keys
}

func (k keyTable) key(id uint32) uint32 {
	if k == nil {
		return id
	}
	return k[id]
}

// back returns the ID that the table k maps to key, or 0 if there is none. It is the inverse of keyTable.key.
func (k keyTable) back(key uint32) uint32 {
	if k == nil {
		return key
	}
	return uint32(max(slices.Index(k, key), 0))
}
