package sim

import (
	"cmp"
	"slices"
)

// finish gathers what the matchers found.
func (c *contest) finish() *Contest {
	for side, t := range c.tellers {
		c.Rows = append(c.Rows, t.results())
		var scores []Score
		for _, m := range c.against[side] {
			scores = append(scores, c.score(m))
		}
		c.Against = append(c.Against, scores)
	}
	for _, m := range c.groups {
		c.Scores = append(c.Scores, c.score(m))
		c.Meetings = append(c.Meetings, m.shown...)
	}
	slices.SortStableFunc(c.Meetings, func(a, b *Meeting) int {
		return cmp.Or(cmp.Compare(a.Tick, b.Tick), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Run, b.Run))
	})
	c.Meetings = c.Meetings[:min(len(c.Meetings), MeetingsMax)]
	if len(c.Meetings) > 0 {
		c.First = c.Meetings[0]
	}
	for _, m := range c.events {
		if m.diff != nil && (c.Contest.Events == nil || m.diff.Tick < c.Contest.Events.Tick) {
			c.Contest.Events = m.diff
		}
	}
	c.name()
	return c.Contest
}

func (c *contest) score(m *matcher) Score { return Score{m.differing, m.more, m.first} }

// name fills in the names and dues of the timers that are told.
func (c *contest) name() {
	var plans []*armings
	for _, s := range c.Sides {
		plans = append(plans, planOf(s.Program))
	}
	for _, at := range c.Meetings {
		for i := range at.Ends {
			at.Ends[i].Due, at.Ends[i].Gone = c.due(plans, c.Groups[at.Group][i].Side, at)
		}
		c.call(plans, at, 0)
	}
	for side, scores := range c.Against {
		for i := range scores {
			if at := scores[i].First; at != nil {
				c.call(plans, at, side)
			}
		}
	}
}

// call gives a meeting its name and due by a side, or by the other if that has no
// such timer.
func (c *contest) call(plans []*armings, at *Meeting, side int) {
	for range plans {
		if due, gone := c.due(plans, side, at); !gone {
			at.Timer, at.Due = c.Sides[side].Program.Name(c.keys[side].back(at.ID)), due
			return
		}
		side = (side + 1) % len(plans)
	}
}

// due is the tick at which a side has the run of a timer due.
func (c *contest) due(plans []*armings, side int, at *Meeting) (due int64, gone bool) {
	id := c.keys[side].back(at.ID)
	if id == 0 || int(id) > c.Sides[side].Program.Timers() {
		return 0, true
	}
	return plans[side].due(id, at.Run), false
}

// armings finds the operation that gives an id.
type armings struct {
	p  *Program
	at []uint32 // by id: index of its operation
}

func planOf(p *Program) *armings {
	a := &armings{p, make([]uint32, p.Timers()+1)}
	for i := range p.Ops {
		if op := &p.Ops[i]; op.Kind.Arms() {
			a.at[op.ID] = uint32(i)
		}
	}
	return a
}

// due is the tick at which a run is due, relative to start.
func (a *armings) due(id, run uint32) int64 {
	op := &a.p.Ops[a.at[id]]
	return op.At + op.Delay + int64(run-1)*op.Every
}

// apart is the tick of the first operation that only one of two programs has, -1
// where they do the same work. Lanes do not count.
func apart(a, b *Program) int64 {
	n := 0
	for n < len(a.Ops) && n < len(b.Ops) && a.Ops[n] == b.Ops[n] && sameName(a, b, &a.Ops[n]) {
		n++
	}
	at := int64(-1)
	for _, ops := range [...][]Planned{a.Ops, b.Ops} {
		if n < len(ops) && (at < 0 || ops[n].At < at) {
			at = ops[n].At
		}
	}
	return at
}

// sameName says whether an operation that both programs have is of timers of the
// same name.
func sameName(a, b *Program, op *Planned) bool {
	return (op.ID == 0 || a.Name(op.ID) == b.Name(op.ID)) && (op.Target == 0 || a.Name(op.Target) == b.Name(op.Target))
}

// keyTable tells the ids of a program in those of another: by name, the n-th
// arming of a name being that of the other. nil: they are the same.
type keyTable []uint32

// keysOf gives the ids of p in those of first. What first does not have gets numbers
// past its own.
func keysOf(first, p *Program) keyTable {
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

// back is the id that has a key, 0 where none has.
func (k keyTable) back(key uint32) uint32 {
	if k == nil {
		return key
	}
	return uint32(max(slices.Index(k, key), 0))
}
