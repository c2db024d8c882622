package wheel

// RoundsConfig is the geometry of a wheel with rounds.
type RoundsConfig struct {
	Slots int  // 1 to SlotsMax
	Width Tick // base ticks a slot, 1 or more
	Start Tick // the clock at the beginning
	Naive bool // count j div n rounds: one revolution late whenever n divides j
}

// Rounds is Scheme 6 of Varghese and Lauck (1987, section 6.1.2): a hash table
// turned by the hand. A timer j wheel ticks away stands in slot e mod n and
// waits (j−1) div n more rounds each time the hand comes by.
//
//	reach          any delay
//	start, stop    O(1)
//	tick           O(timers of the slot): timers / slots on average
type Rounds struct {
	base
	n, u   int64
	clock  int64 // wheel ticks: floor(now/u)
	slots  []roundSlot
	occ    bitmap
	spares spares
	naive  bool
}

// roundSlot is a slot with the rounds left beside the index of each timer, so
// that a visit reads no node of a timer that stays. A cancel therefore writes a
// tombstone: id 0.
type roundSlot struct {
	slot
	rounds []int64
}

// NewRounds makes an empty wheel. The error is a *ParamError.
func NewRounds(c RoundsConfig) (*Rounds, error) {
	if err := checkRing(c.Slots, c.Width, c.Start); err != nil {
		return nil, err
	}
	w := &Rounds{n: int64(c.Slots), u: c.Width, clock: c.Start / c.Width, naive: c.Naive}
	w.now = c.Start
	w.slots = make([]roundSlot, c.Slots)
	w.occ = newBitmap(c.Slots)
	return w, nil
}

func buildRounds(p Params, start Tick) (Wheel, error) {
	return NewRounds(RoundsConfig{int(p["slots"].(int64)), p["width"].(int64), start, p["variant"] == "naive"})
}

// Schedule arms a timer in O(1).
func (w *Rounds) Schedule(s Spec) (Timer, int, error) { return w.schedule(w, &s) }

func (w *Rounds) place(i uint32, n *node) verdict {
	e := ceilDiv(n.due, w.u)
	j := e - w.clock
	if j <= 0 {
		if w.tooMany(n, w.clock*w.u) {
			return badPast
		}
		return due
	}
	rounds := (j - 1) / w.n
	if w.naive {
		rounds = j / w.n
	}
	n.slot = uint32(e % w.n)
	w.slots[n.slot].add(&w.arena, &w.spares, i, n, rounds)
	w.occ.set(n.slot)
	if w.log != nil {
		w.tellPlace(KindPlace, n, NoLevel, 0, 0, n.slot, rounds)
	}
	return placed
}

func (s *roundSlot) add(a *arena, spares *spares, i uint32, n *node, rounds int64) {
	s.slot.add(a, spares, i, n)
	s.rounds = append(s.rounds, rounds)
}

// remove takes out the timer at pos and keeps the two vectors in step.
func (s *roundSlot) remove(a *arena, pos uint32) {
	s.ids[pos], s.rounds[pos] = 0, 0
	s.dead++
	for len(s.ids) > 0 && s.ids[len(s.ids)-1] == 0 {
		s.cut(len(s.ids) - 1)
		s.dead--
	}
	if s.dead > 16 && s.dead*2 > len(s.ids) {
		s.settle(a, 0, 0)
	}
}

func (s *roundSlot) cut(n int) { s.ids, s.rounds = s.ids[:n], s.rounds[:n] }

// settle closes the gaps as slot.settle does.
func (s *roundSlot) settle(a *arena, kept, from int) {
	for k := from; k < len(s.ids); k++ {
		if i := s.ids[k]; i != 0 {
			s.keep(a, kept, k)
			kept++
		}
	}
	s.cut(kept)
	s.dead = 0
}

// keep moves the timer at index `from` to index `to`.
func (s *roundSlot) keep(a *arena, to, from int) {
	if to == from {
		return
	}
	s.ids[to], s.rounds[to] = s.ids[from], s.rounds[from]
	a.at(s.ids[to]).pos = uint32(to)
}

// Cancel disarms a timer in O(1).
func (w *Rounds) Cancel(t Timer) bool {
	n := w.arena.find(t)
	if n == nil {
		return false
	}
	w.cost.Touched++
	w.counts.Cancelled++
	if w.log != nil {
		w.tellCancel(n, 0, n.slot)
	}
	w.slots[n.slot].remove(&w.arena, n.pos)
	w.settleEmpty(n.slot)
	w.arena.release(t.index, n)
	return true
}

// settleEmpty forgets a slot that has become empty.
func (w *Rounds) settleEmpty(s uint32) {
	v := &w.slots[s]
	if len(v.ids) > 0 {
		return
	}
	w.occ.clear(s)
	v.giveBack(&w.arena, &w.spares)
}

// giveBack gives up the vectors of an emptied slot where they are large.
func (s *roundSlot) giveBack(a *arena, spares *spares) {
	s.ids = spares.give(a, s.ids)
	if cap(s.rounds) >= 1<<spareStays {
		s.rounds = nil
	}
}

// next is the next wheel tick at which the hand comes to an occupied slot, or 0.
func (w *Rounds) next() int64 {
	if d := w.occ.ahead(uint32(w.clock%w.n), w.n); d > 0 {
		return w.clock + d
	}
	return 0
}

// Next is the tick of the next occupied slot: of a visit, which may only take
// rounds.
func (w *Rounds) Next() (Tick, bool) {
	k := w.next()
	return k * w.u, k > 0
}

// Advance moves the hand to tick `to`.
func (w *Rounds) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	return w.advance(w, w.u, to, fired, budget)
}

// walk moves the hand over empty slots to wheel tick k: each was examined.
func (w *Rounds) walk(k int64) {
	w.cost.Slots += k - w.clock
	w.clock = k
}

// step visits the slot under the hand: what has no rounds left fires, the rest
// lose one and keep their order. What comes during the visit waits for the next.
func (w *Rounds) step(fired []Expiry) []Expiry {
	s := uint32(w.clock % w.n)
	v := &w.slots[s]
	here, kept := len(v.ids), 0
	w.cost.Touched += int64(v.live())
	if w.log != nil {
		w.tellHand(0, s, v.waiting())
	}
	for k := 0; k < here; k++ {
		switch {
		case v.ids[k] == 0:
		case v.rounds[k] > 0:
			v.rounds[k]--
			v.keep(&w.arena, kept, k)
			kept++
		default:
			i := v.ids[k]
			fired = w.expired(w, i, w.arena.at(i), 0, s, fired)
		}
	}
	v.settle(&w.arena, kept, here)
	w.settleEmpty(s)
	return fired
}

// waiting counts the timers that have rounds left.
func (s *roundSlot) waiting() (n uint32) {
	for k, r := range s.rounds {
		if r > 0 && s.ids[k] != 0 {
			n++
		}
	}
	return n
}

// IdlePeak is one slot, at the next wheel tick.
func (w *Rounds) IdlePeak(to Tick) (int64, Tick) {
	return ringPeak(w.clock, w.u, to)
}

// Layout is one ring.
func (w *Rounds) Layout() Layout {
	return Layout{Shape: ShapeRing, Levels: []Level{{0, int(w.n), w.u}}}
}

// AppendState appends the slots that hold timers, with their rounds.
func (w *Rounds) AppendState(s *State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	for i := range w.slots {
		s.appendSlot(&w.arena, Place{Slot: uint32(i)}, uint32(i), &w.slots[i].slot, w.slots[i].rounds, most)
	}
	s.Counts, s.Live = w.counts, w.arena.live
}

// Clone copies the wheel.
func (w *Rounds) Clone() Wheel {
	c := *w
	c.log, c.spares = nil, spares{}
	c.arena, c.occ = w.arena.clone(), w.occ.clone()
	c.slots = cloneRoundSlots(w.slots)
	return &c
}

// cloneRoundSlots copies a wheel's slots without their spare capacity.
func cloneRoundSlots(slots []roundSlot) []roundSlot {
	c := make([]roundSlot, len(slots))
	for i := range slots {
		v := &slots[i]
		c[i].slot = slot{ids: append([]uint32(nil), v.ids...), dead: v.dead}
		c[i].rounds = append([]int64(nil), v.rounds...)
	}
	return c
}

func roundSlotBytes(slots []roundSlot) int64 {
	n := int64(cap(slots)) * 56
	for i := range slots {
		n += int64(cap(slots[i].ids))*4 + int64(cap(slots[i].rounds))*8
	}
	return n
}

// Bytes is the memory of the arena, the slots and the map of occupied slots.
func (w *Rounds) Bytes() int64 {
	return w.arena.bytes() + w.spares.bytes() + w.occ.bytes() + roundSlotBytes(w.slots)
}

// Check verifies the arena and every slot, and that each timer's rounds bring it
// to its due tick (or, naive, to that or a revolution after).
func (w *Rounds) Check() error {
	c := checker{arena: &w.arena}
	for s := range w.slots {
		v := &w.slots[s]
		if len(v.rounds) != len(v.ids) {
			c.fail("slot %d has %d timers and %d rounds", s, len(v.ids), len(v.rounds))
			return c.err
		}
		c.slot(&v.slot, uint32(s), func(n *node) bool {
			e := ceilDiv(n.due, w.u)
			fires := w.clock + w.toSlot(int64(s)) + v.rounds[n.pos]*w.n
			return e%w.n == int64(s) && (fires == e || w.naive && fires == e+w.n)
		})
		c.occupied(&w.occ, uint32(s), len(v.ids) > 0)
	}
	return c.done()
}

// toSlot is how many wheel ticks pass until the hand comes to slot s: 1 to n.
func (w *Rounds) toSlot(s int64) int64 {
	return (s-w.clock%w.n+w.n-1)%w.n + 1
}
