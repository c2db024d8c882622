package wheel

// place puts a timer into the level and slot that its due tick and the clock
// give, adding levels to a wheel that grows.
func (w *Hierarchical) place(i uint32, n *node) verdict {
	e := w.tickOf(n)
	if e <= w.clock {
		if w.tooMany(n, rounding(w.config.Floor).reached(w.clock, w.u)) {
			return badPast
		}
		return due
	}
	l, index := w.levelFor(e)
	if l < 0 {
		if !w.grow(e) {
			return badRange
		}
		l, index = w.levelFor(e)
	}
	if w.config.Migration == MigrateNone {
		index = w.round(l, e)
	}
	s := w.put(&w.arena, i, n, l, index)
	if w.log != nil {
		w.tellPlace(KindPlace, n, NoLevel, 0, int8(l), s, NoRounds)
	}
	return placed
}

// tickOf is the wheel tick at which a timer is to fire.
func (w *Hierarchical) tickOf(n *node) int64 { return rounding(w.config.Floor).tick(n.due, w.u) }

// grow adds levels until wheel tick e, past the reach, is within it; it adds none
// where as many as it may have would not do.
func (w *Hierarchical) grow(e int64) bool {
	if !w.config.Grow {
		return false
	}
	had, n := len(w.levels), int64(w.config.Slots[0])
	need, width := had, w.levels[had-1].width
	for e/width-w.clock/width >= n {
		need++
		width *= n // at most e, which is at least n widths away
	}
	if need > w.config.most() {
		return false
	}
	for i := had; i < need; i++ {
		w.addLevel(n, w.topSpan(), w.clock)
		if w.log != nil {
			w.tell(Event{Kind: KindGrow, FromLevel: int8(i), X: w.levels[i].width * w.u, ToLevel: NoLevel})
		}
	}
	return true
}

// levelFor is the level of wheel tick e, ahead of the clock, and its index there, or -1
// past the reach. Each level found too short is a comparison.
func (w *Hierarchical) levelFor(e int64) (l int, index int64) {
	if w.config.Placement == ByDistance {
		l, index = w.byDistance(e)
	} else {
		l, index = w.byDigits(e)
	}
	if l > 0 {
		w.cost.Compared += int64(l)
	}
	return l, index
}

func (w *Hierarchical) byDistance(e int64) (int, int64) {
	top := &w.levels[len(w.levels)-1]
	if top.n == 1 && top.index(e) > top.hand { // past the reach, which a finer level may not see
		return -1, 0
	}
	j := e - w.clock
	for l := range w.levels {
		v := &w.levels[l]
		if j >= v.span { // spares a division
			continue
		}
		if index := v.index(e); index-v.hand < v.n {
			return l, index
		}
	}
	return -1, 0
}

func (w *Hierarchical) byDigits(e int64) (int, int64) {
	l := len(w.levels) - 1
	index := w.levels[l].index(e)
	if index-w.levels[l].hand >= w.levels[l].n {
		return -1, 0
	}
	for ; l > 0 && index == w.levels[l].hand; l-- {
		index = w.levels[l-1].index(e)
	}
	return l, index
}

// round brings wheel tick e to an index of level l; level 0 is never rounded.
func (w *Hierarchical) round(l int, e int64) int64 {
	v := &w.levels[l]
	index := v.index(e)
	rest := e - index*v.width
	switch w.config.Round {
	case RoundCeil:
		if rest > 0 {
			index++
		}
	case RoundNearest:
		if rest >= v.width-rest {
			index++
		}
	}
	return index
}
