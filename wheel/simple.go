package wheel

import "math"

// SimpleConfig is the geometry of a simple wheel.
type SimpleConfig struct {
	Slots    int  // 1 to SlotsMax
	Width    Tick // base ticks a slot, 1 or more
	Start    Tick // the clock at the beginning
	Overflow bool // keep what is past the reach on a side list instead of refusing it
	Floor    bool // round a due tick down to a slot, not up: early, never late
}

// Simple is Scheme 4 of Varghese and Lauck (1987, section 5): one array of n
// slots, one slot a tick. A timer due in wheel tick e stands in slot e mod n.
//
//	reach          a delay of fewer than n wheel ticks
//	start, stop    O(1)
//	tick           O(1) and the timers that fire
//
// With Overflow, timers past the reach wait on a side list (level −1), which is
// scanned whole each time the hand comes to slot 0, as the paper suggests. (A scan that
// would find nothing to move is counted only.)
type Simple struct {
	base
	n, u   int64
	clock  int64 // wheel ticks: floor(now/u)
	slots  []slot
	side   slot
	first  int64 // no timer of the side list is due before this wheel tick
	occ    bitmap
	spares spares
	list   bool // there is a side list
	round  rounding
}

// NewSimple makes an empty wheel. The error is a *ParamError.
func NewSimple(c SimpleConfig) (*Simple, error) {
	if err := checkRing(c.Slots, c.Width, c.Start); err != nil {
		return nil, err
	}
	w := &Simple{n: int64(c.Slots), u: c.Width, clock: c.Start / c.Width, list: c.Overflow, round: rounding(c.Floor)}
	w.now = c.Start
	w.slots = make([]slot, c.Slots)
	w.occ = newBitmap(c.Slots)
	return w, nil
}

func buildSimple(p Params, start Tick) (Wheel, error) {
	return NewSimple(SimpleConfig{int(p["slots"].(int64)), p["width"].(int64), start, p["overflow"] == "list", bool(roundingOf(p))})
}

// Schedule arms a timer in O(1).
func (w *Simple) Schedule(s Spec) (Timer, int, error) { return w.schedule(w, &s) }

func (w *Simple) place(i uint32, n *node) verdict {
	e := w.round.tick(n.due, w.u)
	switch j := e - w.clock; {
	case j <= 0:
		if w.tooMany(n, w.round.reached(w.clock, w.u)) {
			return badPast
		}
		return due
	case j >= w.n:
		if !w.list {
			return badRange
		}
		if n.slot = sideSlot; w.side.live() == 0 || e < w.first {
			w.first = e
		}
		w.side.add(&w.arena, &w.spares, i, n)
	default:
		n.slot = uint32(e % w.n)
		w.slots[n.slot].add(&w.arena, &w.spares, i, n)
		w.occ.set(n.slot)
	}
	if w.log != nil {
		level, s := w.where(n.slot)
		w.tellPlace(KindPlace, n, NoLevel, 0, level, s, NoRounds)
	}
	return placed
}

// sideSlot is node.slot of a timer on the side list.
const sideSlot = ^uint32(0)

// where gives the place as it is told.
func (w *Simple) where(slot uint32) (int8, uint32) {
	if slot == sideSlot {
		return -1, 0
	}
	return 0, slot
}

// Cancel disarms a timer in O(1).
func (w *Simple) Cancel(t Timer) bool {
	n := w.arena.find(t)
	if n == nil {
		return false
	}
	w.cost.Touched++
	w.counts.Cancelled++
	if w.log != nil {
		level, s := w.where(n.slot)
		w.tellCancel(n, level, s)
	}
	s, pos := n.slot, n.pos
	w.arena.release(t.index, n)
	if s == sideSlot {
		w.side.remove(&w.arena, pos)
	} else {
		w.slots[s].remove(&w.arena, pos)
		w.settleEmpty(s)
	}
	return true
}

// settleEmpty forgets a slot that has become empty.
func (w *Simple) settleEmpty(s uint32) {
	if v := &w.slots[s]; len(v.ids) == 0 {
		v.ids = w.spares.give(&w.arena, v.ids)
		w.occ.clear(s)
	}
}

// next is the next wheel tick with work, in (clock, …), or 0.
func (w *Simple) next() int64 {
	best := int64(0)
	if d := w.occ.ahead(uint32(w.clock%w.n), w.n); d > 0 {
		best = w.clock + d
	}
	if w.side.live() > 0 {
		if k := w.moves(); best == 0 || k < best {
			best = k
		}
	}
	return best
}

// moves is the wheel tick of the first scan that may move or fire a timer of the side
// list: the last turn that is not after the first of them is due. The scans before it
// change nothing and write no event, so walk only counts them.
func (w *Simple) moves() int64 { return max(w.first-w.first%w.n, w.turn()) }

// turn is the wheel tick at which the hand comes to slot 0 next.
func (w *Simple) turn() int64 { return w.clock - w.clock%w.n + w.n }

// Next is the tick of the next occupied slot, or of the next scan that may move a timer
// of the side list.
func (w *Simple) Next() (Tick, bool) {
	k := w.next()
	return k * w.u, k > 0
}

// Advance moves the hand to tick `to`.
func (w *Simple) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	return w.advance(w, w.u, to, fired, budget)
}

// walk moves the hand over empty slots to wheel tick k: each was examined, and the side
// list was scanned once a revolution, except where step does it.
func (w *Simple) walk(k int64) {
	w.cost.Slots += k - w.clock
	if side := int64(w.side.live()); side > 0 {
		scans := min(k, w.moves()-1)/w.n - w.clock/w.n
		if scans > (touchedMax-w.cost.Touched)/side {
			w.cost.Touched = max(w.cost.Touched, touchedMax)
		} else {
			w.cost.Touched += scans * side
		}
	}
	w.clock = k
}

// step does the work of one wheel tick: the side list's scan, then the slot.
func (w *Simple) step(fired []Expiry) []Expiry {
	s := uint32(w.clock % w.n)
	here := len(w.slots[s].ids)
	if s == 0 && w.side.live() > 0 && w.first-w.clock < w.n {
		fired = w.scan(fired)
	}
	if here > 0 && !w.arena.aborted {
		fired = w.visit(s, here, fired)
	}
	return fired
}

// visit fires what stands in slot s: its first `here` timers.
func (w *Simple) visit(s uint32, here int, fired []Expiry) []Expiry {
	if w.log != nil {
		w.tellHand(0, s, 0)
	}
	for k := 0; k < here; k++ {
		if !w.arena.spendStride(k, here) {
			return fired
		}
		if !w.slots[s].holds(&w.arena, s, k) {
			continue
		}
		w.cost.Touched++
		i := w.slots[s].ids[k]
		fired = w.expired(w, i, w.arena.at(i), 0, s, fired)
	}
	w.slots[s].settle(&w.arena, s, 0, here)
	w.settleEmpty(s)
	return fired
}

// scan goes through the side list once: what has come within reach moves to its
// slot or fires, the rest keep their order.
func (w *Simple) scan(fired []Expiry) []Expiry {
	kept, here := 0, len(w.side.ids)
	w.first = math.MaxInt64
	for k := 0; k < here; k++ {
		if !w.arena.spendStride(k, here) {
			return fired
		}
		if !w.side.holds(&w.arena, sideSlot, k) {
			continue
		}
		i := w.side.ids[k]
		n := w.arena.at(i)
		w.cost.Touched++
		switch e := w.round.tick(n.due, w.u); {
		case e <= w.clock:
			fired = w.expired(w, i, n, -1, 0, fired)
		case e-w.clock < w.n:
			w.cascade(i, n, uint32(e%w.n))
		default:
			w.side.ids[kept] = i
			n.pos = uint32(kept)
			kept++
			w.first = min(w.first, e)
		}
	}
	w.side.settle(&w.arena, sideSlot, kept, here)
	return fired
}

// cascade moves a timer from the side list to slot s.
func (w *Simple) cascade(i uint32, n *node, s uint32) {
	w.cost.Moved++
	n.slot = s
	w.slots[s].add(&w.arena, &w.spares, i, n)
	w.occ.set(s)
	if w.log != nil {
		w.tellPlace(KindCascade, n, -1, 0, 0, s, NoRounds)
	}
}

// IdlePeak is one slot, at the next wheel tick, and where the side list is scanned its
// timers.
func (w *Simple) IdlePeak(to Tick) (int64, Tick) {
	if at := w.turn() * w.u; w.side.live() > 0 && at <= to {
		return 1 + int64(w.side.live()), at
	}
	return ringPeak(w.clock, w.u, to)
}

// Layout is one ring, and the side list if there is one.
func (w *Simple) Layout() Layout {
	l := Layout{Shape: ShapeRing, Levels: []Level{{0, int(w.n), w.u}}}
	if w.list {
		l.Levels = append(l.Levels, Level{-1, 0, 0})
	}
	return l
}

// AppendState appends the side list and the slots that hold timers.
func (w *Simple) AppendState(s *State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	s.appendSlot(&w.arena, Place{Level: -1}, sideSlot, &w.side, nil, most)
	for i := range w.slots {
		s.appendSlot(&w.arena, Place{Slot: uint32(i)}, uint32(i), &w.slots[i], nil, most)
	}
	s.Counts, s.Live = w.counts, w.arena.live
}

// Clone copies the wheel.
func (w *Simple) Clone() Wheel { return w.cloneOver(nil) }

func (w *Simple) cloneOver(spent Wheel) Wheel {
	s, ok := spent.(*Simple)
	if !ok {
		s = &Simple{}
	}
	c := *w
	c.log, c.spares = nil, spares{}
	c.arena, c.slots, c.occ = w.arena.cloneOver(&s.arena), cloneSlots(w.slots, s.slots), w.occ.clone()
	c.side.ids = append([]uint32(nil), w.side.ids...)
	c.side.gone = append([]uint64(nil), w.side.gone...)
	return &c
}

// Bytes is the memory of the arena, the slots and the map of occupied slots.
func (w *Simple) Bytes() int64 {
	return w.arena.bytes() + slotBytes(w.slots) + w.spares.bytes() + w.side.bytes() + w.occ.bytes()
}

// Check verifies the arena, every slot, and that each timer stands where its
// due tick says.
func (w *Simple) Check() error {
	c := checker{arena: &w.arena}
	c.slot(&w.side, sideSlot, func(n *node) bool { return w.round.tick(n.due, w.u) >= max(w.first, w.turn()) })
	for s := range w.slots {
		c.slot(&w.slots[s], uint32(s), func(n *node) bool {
			e := w.round.tick(n.due, w.u)
			return e > w.clock && e-w.clock < w.n && e%w.n == int64(s)
		})
		c.occupied(&w.occ, uint32(s), len(w.slots[s].ids) > 0)
	}
	return c.done()
}
