package wheel

// Postponer is a wheel that can put an armed timer off and leave its handle as it is.
// A driver that armed timers by a reading of the clock that was shared, and so a little
// early, uses it to correct them.
type Postponer interface {
	Wheel

	// Postpones says whether the wheel's geometry lets every timer that is due no further
	// than PostponeMax past Now be put off, by as much again.
	Postpones() bool

	// Postpone puts the due tick of a timer off by `by` ticks, 1 or more. It returns
	// false, and changes nothing, for a handle that is stale, and where the timer would
	// come to stand past the wheel's reach. It is not told to a log.
	Postpone(t Timer, by Tick) bool
}

// PostponeMax is how far past Now a timer may be due to be put off for sure: two years of
// milliseconds.
const PostponeMax Tick = 1 << 36

// Postpones is true of a wheel that reaches far enough, or grows so far, and that migrates
// fully, since a timer then stands where a new one would.
func (w *Hierarchical) Postpones() bool {
	if w.config.Migration != MigrateFull {
		return false
	}
	top := &w.levels[len(w.levels)-1]
	n, width := top.n, top.width
	if w.config.Grow {
		for range w.config.most() - len(w.levels) {
			width = spanOf(n, width)
		}
	}
	return spanOf(n-1, width) > 2*PostponeMax/w.u // of the coarsest level the slot under the hand is over
}

// Postpone takes the timer out of its slot and places it anew.
func (w *Hierarchical) Postpone(t Timer, by Tick) bool {
	n := w.arena.find(t)
	if n == nil {
		return false
	}
	slot, pos := n.slot, n.pos
	n.due += by
	if e := w.tickOf(n); n.due > TickMax || !w.reaches(e) && !w.grow(e) {
		n.due -= by
		return false
	}
	from := &w.slots[slot]
	if from.remove(&w.arena, pos); len(from.ids) == 0 {
		w.settleEmpty(&w.arena, w.levelOf(slot), slot)
	}
	w.cost.Touched++
	w.place(t.index, n)
	return true
}
