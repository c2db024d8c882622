package wheel

// place puts a timer where addTask of the library does, or where it should.
func (w *Lk668) place(i uint32, n *node) verdict {
	if !w.visiting {
		return w.first(i, n)
	}
	if w.on.has(lk668Interval) {
		return w.repeated(i, n)
	}
	delta := w.aim(i, n) - w.at
	if delta < 0 {
		return w.atOnce(n)
	}
	return w.ahead(i, n, delta)
}

// first places the first run (getPosAndCircleByCreatedTime).
func (w *Lk668) first(i uint32, n *node) verdict {
	d := n.due - w.call()
	switch {
	case d <= 0 && w.on == 0:
		w.passed = 0
		if !w.reached(n.due) {
			return w.ahead(i, n, n.due-w.now)
		}
		return w.atOnce(n)
	case d <= 0:
		return badPast // AddTask: "Invalid task params"
	case !w.unit.holds(d):
		return badRange
	}
	u, whole := w.unit.of(w.u), w.unit.of(d)
	if u == 0 || whole == 0 {
		return w.fails(1, 0)
	}
	full, spread := w.unit.of(n.due-w.clock()), rest(w.unit.of(w.passed), whole)
	delta := full - spread
	if delta > TickMax { // created in a far future
		return badRange
	}
	w.passed = 0 // a further run that is placed now counts from its due tick
	by, circle := w.turns(delta, u)
	if spread != 0 && w.on.has(lk668Created) {
		_, circle = w.turns(full, u)
	}
	if by == 0 && circle > 0 && w.on.has(lk668Revolution) {
		circle--
	}
	return w.put(i, n, w.past(w.hand, by), circle)
}

// repeated places a run that follows another (getPosAndCircleByInterval): the slot
// under the hand has been passed, so a whole revolution takes a round less. The
// unit of the tick is no longer 0: the first run was placed by it.
func (w *Lk668) repeated(i uint32, n *node) verdict {
	u, d := w.unit.of(w.u), w.unit.of(w.arena.reps.items[n.rep].every)
	by, circle := w.turns(d, u)
	if by == 0 && circle > 0 {
		circle--
	}
	return w.put(i, n, w.past((w.tick-1)%w.n, by), circle)
}
