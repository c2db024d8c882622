package sim

import "github.com/wheelscope/wheelscope/wheel"

// crowd counts the timers of every place of a lane, to see when one comes to
// hold more than so many.
type crowd struct {
	over   int64
	levels map[int8][]int64 // by level, by slot
}

// crowded lists the steps in which a place comes to hold more than Over timers.
func (r *Run) crowded(k int, w Sought) []match {
	r.mu.Lock()
	from := r.borders[k].tick
	r.mu.Unlock()
	e := r.engineAt(from)
	lanes := make([]crowd, len(e.lanes))
	for i, l := range e.lanes {
		s := l.snapshot(0)
		lanes[i] = newCrowd(&s.State, w.Over)
	}
	r.leave(e) // warm where the chunk begins: it is made from there
	c := r.scan(k)
	var list []match
	for i := range c.records {
		rec := &c.records[i]
		if w.covers(rec.Lane) && lanes[rec.Lane].fold(&rec.Event) {
			list = append(list, c.match(i))
		}
	}
	return list
}

func newCrowd(s *wheel.State, over int64) crowd {
	c := crowd{over: over, levels: map[int8][]int64{}}
	for i := range s.Places {
		p := &s.Places[i]
		*c.at(p.Level, p.Slot) = int64(p.Count)
	}
	return c
}

// at gives the count of a place.
func (c *crowd) at(level int8, slot uint32) *int64 {
	counts := c.levels[level]
	if need := int(slot) + 1 - len(counts); need > 0 {
		counts = append(counts, make([]int64, need)...)
		c.levels[level] = counts
	}
	return &counts[slot]
}

// fold follows one event. It says whether a place came to hold more than over.
func (c *crowd) fold(e *wheel.Event) bool {
	switch e.Kind {
	case wheel.KindPend:
		return c.enter(-1, 0)
	case wheel.KindPlace, wheel.KindCascade:
		c.leave(e)
		return c.enter(e.ToLevel, e.ToSlot)
	case wheel.KindMove: // the two swap what they hold: no place of more than one
		from := *c.at(e.FromLevel, e.FromSlot)
		to := c.at(e.ToLevel, e.ToSlot)
		from, *to = *to, from
		*c.at(e.FromLevel, e.FromSlot) = from
	case wheel.KindCancel, wheel.KindSweep, wheel.KindExpire:
		c.leave(e)
	}
	return false
}

func (c *crowd) enter(level int8, slot uint32) bool {
	n := c.at(level, slot)
	*n++
	return *n == c.over+1
}

func (c *crowd) leave(e *wheel.Event) {
	if e.FromLevel != wheel.NoLevel {
		*c.at(e.FromLevel, e.FromSlot)--
	}
}
