package wheel

// Next is the tick of the next occupied slot of any level.
func (w *Hierarchical) Next() (Tick, bool) {
	k := w.next()
	return k * w.u, k > 0
}

// next is the next wheel tick at which a hand comes to an occupied slot, or 0.
func (w *Hierarchical) next() int64 {
	best := int64(0)
	for i := range w.levels {
		l := &w.levels[i]
		d := l.occ.ahead(l.slotOf(l.hand), l.n)
		if d == 0 {
			continue
		}
		if k := (l.hand + d) * l.width; best == 0 || k < best {
			best = k
		}
	}
	return best
}

// Advance moves the hands to tick `to`.
func (w *Hierarchical) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	return w.advance(w, w.u, to, fired, budget)
}

// walk moves every hand to wheel tick k: each slot passed was examined.
func (w *Hierarchical) walk(k int64) {
	w.clock = k
	for i := range w.levels {
		l := &w.levels[i]
		hand := l.index(k)
		w.cost.Slots += hand - l.hand
		l.hand = hand
	}
}

// step visits the slots that the hands have come to, the coarsest first. The
// slots are taken before the first is worked: what is put into one of them
// during the step waits for its next visit.
func (w *Hierarchical) step(fired []Expiry) []Expiry {
	levels := len(w.levels)
	here := w.here[:0]
	for i := range levels {
		here = append(here, 0)
		if l := &w.levels[i]; l.hand*l.width == w.clock {
			here[i] = len(w.slots[l.first+l.slotOf(l.hand)].ids)
		}
	}
	w.here = here
	for i := levels - 1; i >= 0; i-- {
		if w.arena.aborted {
			break
		}
		if here[i] > 0 {
			fired = w.visit(i, here[i], fired)
		}
	}
	return fired
}

// visit works the first `here` timers of the slot under the hand of level l.
func (w *Hierarchical) visit(l, here int, fired []Expiry) []Expiry {
	v := &w.levels[l]
	s := v.slotOf(v.hand)
	index := v.first + s
	if w.log != nil {
		w.tellHand(int8(l), s, 0)
	}
	for k := 0; k < here; k++ {
		if k%warmAhead == 0 {
			if !w.arena.spend(int64(min(warmAhead, here-k))) {
				return fired
			}
			w.warmed += w.slots[index].warm(&w.arena, k, here)
		}
		if !w.slots[index].holds(&w.arena, index, k) {
			continue
		}
		w.cost.Touched++
		i := w.slots[index].ids[k]
		n := w.arena.at(i)
		if !w.descend(i, n, l, s) {
			fired = w.expired(w, i, n, int8(l), s, fired)
		}
	}
	w.slots[index].settle(&w.arena, index, 0, here)
	w.settleEmpty(&w.arena, l, index)
	return fired
}

// descend moves a timer whose slot of level l was reached to the place it has
// now; false when it fires instead.
func (w *Hierarchical) descend(i uint32, n *node, l int, s uint32) bool {
	if l == 0 || w.config.Migration == MigrateNone || n.state == stateMigrated {
		return false
	}
	e := w.tickOf(n)
	to := l - 1
	var index int64
	if w.config.Migration == MigrateFull {
		if e <= w.clock {
			return false
		}
		to, index = w.levelFor(e)
	} else {
		if index = w.round(to, e); index <= w.levels[to].hand {
			return false
		}
		n.state = stateMigrated
	}
	w.cost.Moved++
	slot := w.put(&w.arena, i, n, to, index)
	if w.log != nil {
		w.tellPlace(KindCascade, n, int8(l), s, int8(to), slot, NoRounds)
	}
	return true
}

// IdlePeak is a slot of each level whose hand moves at once: the coarsest level
// that moves in (now, to] decides.
func (w *Hierarchical) IdlePeak(to Tick) (int64, Tick) {
	k := to / w.u
	for i := len(w.levels) - 1; i >= 0; i-- {
		if l := &w.levels[i]; l.index(k) > l.hand {
			return int64(i) + 1, (l.hand + 1) * l.width * w.u
		}
	}
	return 0, 0
}

// Check verifies the arena, every slot, and that each timer stands where it is
// met at, or (with less migration) near, its due tick.
func (w *Hierarchical) Check() error {
	c := checker{arena: &w.arena}
	for i := range w.levels {
		if l := &w.levels[i]; l.hand != l.index(w.clock) {
			c.fail("the hand of level %d is at %d, want %d", i, l.hand, l.index(w.clock))
		}
	}
	c.tower(&w.tower, w.belongs)
	return c.done()
}

// belongs says whether the timer may stand in slot s of level i: its index there
// is at most a revolution ahead of the hand and, with full migration, exact.
func (w *Hierarchical) belongs(i int, s int64, n *node) bool {
	l := &w.levels[i]
	e := w.tickOf(n)
	index := l.index(e)
	if w.config.Migration != MigrateFull && i > 0 {
		index = w.round(i, e)
		if w.config.Migration == MigrateOne && n.state != stateMigrated {
			index = l.index(e)
		}
		return index%l.n == s && index > l.hand && index-l.hand <= l.n
	}
	return index%l.n == s && index > l.hand && index-l.hand < l.n
}
