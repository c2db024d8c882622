package wheel

// RoundsConfig is the geometry of a wheel with rounds.
type RoundsConfig struct {
	Slots int  // 1 to SlotsMax
	Width Tick // base ticks a slot, 1 or more
	Start Tick // the clock at the beginning
	Naive bool // count j div n rounds: one revolution late whenever n divides j
	Floor bool // round a due tick down to a slot, not up: early, never late
	// ProcInc works the slot under the hand before the hand moves, and takes whole
	// slots of the delay, whatever is left of the current one (the rule of xiaoxu
	// and godis): up to a width early, exclusive, or late, inclusive.
	ProcInc bool
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
	round  rounding
	lag    int64 // wheel ticks that the hand is behind the clock: 1 with ProcInc, else 0
}

// NewRounds makes an empty wheel. The error is a *ParamError.
func NewRounds(c RoundsConfig) (*Rounds, error) {
	if err := checkRing(c.Slots, c.Width, c.Start); err != nil {
		return nil, err
	}
	w := &Rounds{n: int64(c.Slots), u: c.Width, clock: c.Start / c.Width, naive: c.Naive, round: rounding(c.Floor)}
	if c.ProcInc {
		w.lag = 1
	}
	w.now = c.Start
	w.slots = make([]roundSlot, c.Slots)
	w.occ = newBitmap(c.Slots)
	return w, nil
}

func buildRounds(p Params, start Tick) (Wheel, error) {
	return NewRounds(RoundsConfig{Slots: int(p["slots"].(int64)), Width: p["width"].(int64), Start: start,
		Naive: p["variant"] == "naive", Floor: bool(roundingOf(p)), ProcInc: p["variant"] == "procinc"})
}

// Schedule arms a timer in O(1).
func (w *Rounds) Schedule(s Spec) (Timer, int, error) { return w.schedule(w, &s) }

func (w *Rounds) place(i uint32, n *node) verdict {
	e, reached := w.visitOf(n)
	j := e - w.clock
	if n.due <= reached {
		if w.tooMany(n, reached) {
			return badPast
		}
		return due
	}
	rounds := (j - 1) / w.n
	if w.naive {
		rounds = j / w.n
	}
	n.slot = uint32((e - w.lag) % w.n)
	w.slots[n.slot].add(&w.arena, &w.spares, i, n, rounds)
	w.occ.set(n.slot)
	if w.log != nil {
		w.tellPlace(KindPlace, n, NoLevel, 0, 0, n.slot, rounds)
	}
	return placed
}

// visitOf is the wheel tick in which a timer armed now is to fire, and the last
// base tick whose timers fire at once. ProcInc takes whole slots however a due
// tick is rounded.
func (w *Rounds) visitOf(n *node) (e int64, reached Tick) {
	if w.lag > 0 {
		return w.clock + (n.due-w.now)/w.u + w.lag, w.now - 1
	}
	return w.round.tick(n.due, w.u), w.round.reached(w.clock, w.u)
}

// hand is the slot that the clock's tick visits.
func (w *Rounds) hand() uint32 { return uint32((w.clock + w.n - w.lag) % w.n) }

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

// next is the next wheel tick at which the hand comes to an occupied slot, or 0.
func (w *Rounds) next() int64 {
	if d := w.occ.ahead(w.hand(), w.n); d > 0 {
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
	w.now = max(w.now, k*w.u) // what is armed in the step counts its delay from here
}

// step visits the slot under the hand: what has no rounds left fires, the rest
// lose one and keep their order. What comes during the visit waits for the next.
func (w *Rounds) step(fired []Expiry) []Expiry {
	s := w.hand()
	v := &w.slots[s]
	here, kept := len(v.ids), 0
	w.cost.Touched += int64(v.live())
	if w.log != nil {
		w.tellHand(0, s, v.waiting(&w.arena))
	}
	for k := 0; k < here; k++ {
		if !w.arena.spendStride(k, here) {
			return fired
		}
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
func (w *Rounds) Clone() Wheel { return w.cloneOver(nil) }

func (w *Rounds) cloneOver(spent Wheel) Wheel {
	s, ok := spent.(*Rounds)
	if !ok {
		s = &Rounds{}
	}
	c := *w
	c.log, c.spares = nil, spares{}
	c.arena, c.occ = w.arena.cloneOver(&s.arena), w.occ.clone()
	c.slots = cloneRoundSlots(w.slots)
	return &c
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
			return w.belongs(n, w.clock+w.toSlot(int64(s))+v.rounds[n.pos]*w.n)
		})
		c.occupied(&w.occ, uint32(s), len(v.ids) > 0)
	}
	return c.done()
}

// belongs says whether a timer may fire in wheel tick `fires`. With ProcInc that
// depends on when it was armed.
func (w *Rounds) belongs(n *node, fires int64) bool {
	if w.lag > 0 {
		off := fires*w.u - n.due
		return off > -w.u && off <= w.u
	}
	e := w.round.tick(n.due, w.u)
	return fires == e || w.naive && fires == e+w.n
}

// toSlot is how many wheel ticks pass until the hand comes to slot s: 1 to n.
func (w *Rounds) toSlot(s int64) int64 {
	return (s-int64(w.hand())+w.n-1)%w.n + 1
}
