package wheel

// HashedSortedConfig is the geometry of a wheel with sorted buckets.
type HashedSortedConfig struct {
	Slots int  // 1 to SlotsMax
	Width Tick // base ticks a slot, 1 or more
	Start Tick // the clock at the beginning
}

// HashedSorted is Scheme 5 of Varghese and Lauck (1987, section 6.1.1): a hash
// table turned by the hand, whose buckets are sorted. A timer due in wheel tick e
// stands in slot e mod n, behind those of the same tick. The hand looks at the
// first timer of its slot only.
//
//	reach    any delay; at most LinearMax timers in a slot
//	start    O(1) on average while timers < slots; O(n) at worst
//	stop     O(1)
//	tick     O(1) and the timers that fire
type HashedSorted struct {
	base
	n, u  int64
	clock int64 // wheel ticks: floor(now/u)
	slots []chain
	occ   bitmap
}

// NewHashedSorted makes an empty wheel. The error is a *ParamError.
func NewHashedSorted(c HashedSortedConfig) (*HashedSorted, error) {
	if err := checkRing(c.Slots, c.Width, c.Start); err != nil {
		return nil, err
	}
	w := &HashedSorted{n: int64(c.Slots), u: c.Width, clock: c.Start / c.Width}
	w.now = c.Start
	w.slots = make([]chain, c.Slots)
	w.occ = newBitmap(c.Slots)
	return w, nil
}

func buildHashedSorted(p Params, start Tick) (Wheel, error) {
	return NewHashedSorted(HashedSortedConfig{int(p["slots"].(int64)), p["width"].(int64), start})
}

// Schedule arms a timer: one comparison for each timer of its slot that it is
// put behind, and one for the timer it is put before.
func (w *HashedSorted) Schedule(s Spec) (Timer, int, error) { return w.schedule(w, &s) }

func (w *HashedSorted) place(i uint32, n *node) verdict {
	e := ceilDiv(n.due, w.u)
	if e <= w.clock {
		if w.tooMany(n, w.clock*w.u) {
			return badPast
		}
		return due
	}
	s := uint32(e % w.n)
	if w.slots[s].count >= LinearMax {
		return badCapacity
	}
	next := w.search(s, e)
	if w.arena.aborted {
		return badAborted
	}
	w.slots[s].link(&w.arena, i, n, next)
	w.occ.set(s)
	if w.log != nil {
		w.tellInsert(n, NoLevel, 0, s, next)
	}
	return placed
}

// search walks slot s from the front to the first timer of a wheel tick after e.
func (w *HashedSorted) search(s uint32, e int64) uint32 {
	i := w.slots[s].head
	for i != 0 && w.arena.spend(1) {
		w.cost.Compared++
		n := w.arena.at(i)
		if ceilDiv(n.due, w.u) > e {
			break
		}
		i = n.pos
	}
	return i
}

// slotOf is the slot of a timer, by its due tick.
func (w *HashedSorted) slotOf(n *node) uint32 { return uint32(ceilDiv(n.due, w.u) % w.n) }

// Cancel disarms a timer in O(1).
func (w *HashedSorted) Cancel(t Timer) bool {
	n := w.arena.find(t)
	if n == nil {
		return false
	}
	w.cost.Touched++
	w.counts.Cancelled++
	s := w.slotOf(n)
	if w.log != nil {
		w.tellCancel(n, 0, s)
	}
	w.remove(s, n)
	w.arena.release(t.index, n)
	return true
}

// remove takes a timer out of slot s.
func (w *HashedSorted) remove(s uint32, n *node) {
	w.slots[s].unlink(&w.arena, n)
	if w.slots[s].count == 0 {
		w.occ.clear(s)
	}
}

// next is the next wheel tick at which the hand comes to an occupied slot, or 0.
func (w *HashedSorted) next() int64 {
	if d := w.occ.ahead(uint32(w.clock%w.n), w.n); d > 0 {
		return w.clock + d
	}
	return 0
}

// Next is the tick of the next occupied slot: of a visit, at which nothing may be
// due.
func (w *HashedSorted) Next() (Tick, bool) {
	k := w.next()
	return k * w.u, k > 0
}

// Advance moves the hand to tick `to`.
func (w *HashedSorted) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	return w.advance(w, w.u, to, fired, budget)
}

// walk moves the hand over empty slots to wheel tick k: each was examined.
func (w *HashedSorted) walk(k int64) {
	w.cost.Slots += k - w.clock
	w.clock = k
}

// step visits the slot under the hand: its first timers fire while they are due.
// The first that is not is touched too, and ends the visit; what comes meanwhile
// is due later and does not count.
func (w *HashedSorted) step(fired []Expiry) []Expiry {
	s := uint32(w.clock % w.n)
	v := &w.slots[s]
	if w.log != nil {
		w.tellHand(0, s, 0)
	}
	if ceilDiv(w.arena.at(v.tail).due, w.u) > w.clock {
		w.cost.Touched++
	}
	for v.head != 0 && w.arena.spend(1) {
		i := v.head
		n := w.arena.at(i)
		if ceilDiv(n.due, w.u) > w.clock {
			break
		}
		w.cost.Touched++
		w.remove(s, n)
		fired = w.expired(w, i, n, 0, s, fired)
	}
	return fired
}

// IdlePeak is one slot, at the next wheel tick.
func (w *HashedSorted) IdlePeak(to Tick) (int64, Tick) { return ringPeak(w.clock, w.u, to) }

// Layout is one ring.
func (w *HashedSorted) Layout() Layout {
	return Layout{Shape: ShapeRing, Levels: []Level{{0, int(w.n), w.u}}}
}

// AppendState appends the slots that hold timers.
func (w *HashedSorted) AppendState(s *State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	for i := range w.slots {
		w.slots[i].appendState(s, &w.arena, uint32(i), most)
	}
	s.Counts, s.Live = w.counts, w.arena.live
}

// Clone copies the wheel.
func (w *HashedSorted) Clone() Wheel {
	c := *w
	c.log = nil
	c.arena, c.occ = w.arena.clone(), w.occ.clone()
	c.slots = append([]chain(nil), w.slots...)
	return &c
}

// Bytes is the memory of the arena, the slots and the map of occupied slots.
func (w *HashedSorted) Bytes() int64 {
	return w.arena.bytes() + int64(cap(w.slots))*12 + w.occ.bytes()
}

// Check verifies the links of every slot, that each timer stands in the slot of
// its wheel tick, and the order.
func (w *HashedSorted) Check() error {
	c := checker{arena: &w.arena}
	for s := range w.slots {
		last := w.clock + 1
		c.chain(&w.slots[s], func(n *node) {
			e := ceilDiv(n.due, w.u)
			if e < last || e%w.n != int64(s) {
				c.fail("timer %d, due %d, does not belong here in slot %d behind wheel tick %d", n.key, n.due, s, last)
			}
			last = e
		})
		c.occupied(&w.occ, uint32(s), w.slots[s].count > 0)
	}
	return c.done()
}
