package wheel

// next is the due tick of the next timer, or 0.
func (w *Calendar) next() int64 {
	if w.head == 0 {
		return 0
	}
	return w.arena.at(w.head).due
}

// Next is the least due tick.
func (w *Calendar) Next() (Tick, bool) { return w.next(), w.head != 0 }

// Advance fires timer after timer, at the due tick of each.
func (w *Calendar) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	return w.advance(w, 1, to, fired, budget)
}

// walk moves the clock to tick k: at each the next timer was looked at.
func (w *Calendar) walk(k Tick) {
	w.cost.Slots += k - w.clock
	w.clock = k
}

// step fires what is due now: all on one page, the first ones there.
func (w *Calendar) step(fired []Expiry) []Expiry {
	for w.head != 0 && w.arena.spend(1) {
		i := w.head
		n := w.arena.at(i)
		if n.due > w.clock {
			break
		}
		w.cost.Touched++
		s := w.page(n.due)
		w.remove(i, n)
		fired = w.expired(w, i, n, 0, s, fired)
		w.shrink()
	}
	return fired
}

// IdlePeak is a look at the next timer, at the next tick.
func (w *Calendar) IdlePeak(to Tick) (int64, Tick) { return ringPeak(w.clock, 1, to) }

// Layout is one ring: a year of days.
func (w *Calendar) Layout() Layout {
	return Layout{Shape: ShapeRing, Levels: []Level{{0, len(w.pages), w.day}}}
}

// AppendState appends the pages on which timers are noted.
func (w *Calendar) AppendState(s *State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	for i := range w.pages {
		w.pages[i].appendState(s, &w.arena, uint32(i), most)
	}
	s.Counts, s.Live = w.counts, w.arena.live
}

// Clone copies the queue.
func (w *Calendar) Clone() Wheel {
	c := *w
	c.log = nil
	c.arena, c.occ = w.arena.clone(), w.occ.clone()
	c.pages = append([]chain(nil), w.pages...)
	return &c
}

// Bytes is the memory of the arena, the pages and the map of those in use.
func (w *Calendar) Bytes() int64 {
	return w.arena.bytes() + int64(cap(w.pages))*12 + w.occ.bytes()
}

// Check verifies the links of every page, that each timer is noted on the page of
// its day and in order, the count, and the next timer.
func (w *Calendar) Check() error {
	c := checker{arena: &w.arena}
	least := TickMax + 1
	for s := range w.pages {
		last := w.clock + 1
		c.chain(&w.pages[s], func(n *node) {
			if n.due < last || w.page(n.due) != uint32(s) {
				c.fail("timer %d, due %d, does not belong on page %d behind %d", n.key, n.due, s, last)
			}
			last, least = n.due, min(least, n.due)
		})
		c.occupied(&w.occ, uint32(s), w.pages[s].count > 0)
	}
	if w.count != w.arena.live {
		c.fail("%d timers are noted, %d are live", w.count, w.arena.live)
	}
	if w.head == 0 != (w.count == 0) || w.head != 0 && w.arena.at(w.head).due != least {
		c.fail("the next timer is node %d, the least due is %d", w.head, least)
	}
	return c.done()
}
