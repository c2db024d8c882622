package wheel

import "math/bits"

// NettyTransferMax is how many timers leave the pending queue at one tick.
const NettyTransferMax = 100000

// NettyConfig is the geometry of a Netty wheel.
type NettyConfig struct {
	Slots int  // rounded up to a power of two; 1 to SlotsMax
	Width Tick // base ticks a tick of the wheel, 1 or more
	Start Tick // when the worker starts: ticks are counted from here
}

// Netty is HashedWheelTimer of Netty (io.netty.util, the 4.2 line): one array of
// slots with rounds, and two queues between its callers and its worker. A timer
// armed stands in the pending queue (level −1) until the next tick brings it to
// its slot; one cancelled is marked, and leaves at the end of the next tick. Tick
// k is worked when it is over, at start + (k+1)·width.
//
//	fires          after its due tick, by 1 base tick up to the width
//	start, stop    O(1)
//	tick           O(timers of the slot) and of the queues
type Netty struct {
	base
	n, u, start Tick
	tick        int64 // the next to be worked: ticks worked so far
	slots       []roundSlot
	pending     slot
	cancelled   []Timer // in order of cancel
	marked      int     // timers cancelled and still in place
	occ         bitmap
	spares      spares
}

// nettySlots is the least power of two that is not less than n.
func nettySlots(n int64) int64 { return 1 << bits.Len64(uint64(n-1)) }

// NewNetty makes an empty wheel. The error is a *ParamError.
func NewNetty(c NettyConfig) (*Netty, error) {
	if err := checkRing(c.Slots, c.Width, c.Start); err != nil {
		return nil, err
	}
	n := nettySlots(int64(c.Slots))
	w := &Netty{n: n, u: c.Width, start: c.Start}
	w.now = c.Start
	w.slots = make([]roundSlot, n)
	w.occ = newBitmap(int(n))
	return w, nil
}

func buildNetty(p Params, start Tick) (Wheel, error) {
	return NewNetty(NettyConfig{int(p["slots"].(int64)), p["width"].(int64), start})
}

// Schedule puts a timer into the pending queue in O(1). None fires at once.
func (w *Netty) Schedule(s Spec) (Timer, int, error) { return w.schedule(w, &s) }

func (w *Netty) place(i uint32, n *node) verdict {
	n.slot = sideSlot
	w.pending.add(&w.arena, &w.spares, i, n)
	if w.log != nil {
		w.tell(Event{Kind: KindPend, ID: n.key, Due: n.due, Run: w.arena.run(n), FromLevel: NoLevel, ToLevel: NoLevel})
	}
	return placed
}

// Cancel marks a timer in O(1); the next tick takes it out.
func (w *Netty) Cancel(t Timer) bool {
	n := w.arena.find(t)
	if n == nil || n.state == stateMarked {
		return false
	}
	w.cost.Touched++
	w.counts.Cancelled++
	n.state = stateMarked
	w.marked++
	w.cancelled = append(w.cancelled, t)
	if w.log != nil {
		w.tell(Event{Kind: KindMark, ID: n.key, Due: n.due, FromLevel: NoLevel, ToLevel: NoLevel})
	}
	return true
}

// Len is the number of timers armed; those marked are not.
func (w *Netty) Len() int { return w.arena.live - w.marked }

// next is how many ticks will have been worked when there is work, or 0: a queue
// is worked at the next tick.
func (w *Netty) next() int64 {
	if len(w.pending.ids) > 0 || len(w.cancelled) > 0 {
		return w.tick + 1
	}
	if d := w.occ.ahead(uint32((w.tick-1)&(w.n-1)), w.n); d > 0 {
		return w.tick + d
	}
	return 0
}

// Next is when the next tick with work is over.
func (w *Netty) Next() (Tick, bool) {
	k := w.next()
	return w.start + k*w.u, k > 0
}

// Advance works the ticks that are over at `to`. They are counted from the start.
func (w *Netty) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	w.now -= w.start
	fired, status := w.advance(w, w.u, min(max(to, 0), TickMax)-w.start, fired, budget)
	w.now += w.start
	return fired, status
}

// walk brings the hand to where k ticks have been worked: each examined a slot.
func (w *Netty) walk(k int64) {
	w.cost.Slots += k - w.tick
	w.tick = k
}

// step works the tick that is over: transfer, visit, then the cancelled.
func (w *Netty) step(fired []Expiry) []Expiry {
	k := w.tick - 1
	w.transfer(k)
	if s := uint32(k & (w.n - 1)); w.slots[s].live() > 0 && !w.arena.aborted {
		fired = w.visit(s, fired)
	}
	for _, t := range w.cancelled {
		if w.arena.aborted {
			return fired
		}
		if n := w.arena.find(t); n != nil {
			w.sweep(t.index, n)
		}
	}
	w.cancelled = w.cancelled[:0]
	return fired
}

// transfer brings the first of the pending queue to their slots, in tick k. One
// that is marked leaves.
func (w *Netty) transfer(k int64) {
	count := min(len(w.pending.ids), NettyTransferMax)
	for _, i := range w.pending.ids[:count] {
		if !w.arena.spend(1) {
			return
		}
		w.cost.Touched++
		n := w.arena.at(i)
		if n.state == stateMarked {
			w.swept(i, n, -1, 0)
			continue
		}
		calc := (n.due - w.start) / w.u
		rounds := (calc - k) / w.n
		n.slot = uint32(max(calc, k) & (w.n - 1))
		w.slots[n.slot].add(&w.arena, &w.spares, i, n, rounds)
		w.occ.set(n.slot)
		w.cost.Moved++
		if w.log != nil {
			w.tellPlace(KindPlace, n, -1, 0, 0, n.slot, rounds)
		}
	}
	w.pending.settle(&w.arena, sideSlot, 0, count)
	if len(w.pending.ids) == 0 {
		w.pending.ids = w.spares.give(&w.arena, w.pending.ids)
	}
}

// visit fires what has no rounds left in slot s; the rest lose one and keep their
// order. What is marked is passed over.
func (w *Netty) visit(s uint32, fired []Expiry) []Expiry {
	v := &w.slots[s]
	here, kept := len(v.ids), 0
	w.cost.Touched += int64(v.live())
	if w.log != nil {
		w.tellHand(0, s, w.waiting(v))
	}
	for k := range here {
		if !w.arena.spendStride(k, here) {
			return fired
		}
		i := v.ids[k]
		if i == 0 {
			continue
		}
		n := w.arena.at(i)
		if n.state != stateMarked && v.rounds[k] <= 0 {
			fired = w.expired(w, i, n, 0, s, fired)
			continue
		}
		if n.state != stateMarked {
			v.rounds[k]--
		}
		v.keep(&w.arena, kept, k)
		kept++
	}
	v.settle(&w.arena, kept, here)
	w.settleEmpty(s)
	return fired
}

// waiting counts the timers of a slot that are not marked and have rounds left.
func (w *Netty) waiting(v *roundSlot) (n uint32) {
	for k, r := range v.rounds {
		if !w.arena.spend(1) {
			return n
		}
		if r > 0 && v.ids[k] != 0 && w.arena.at(v.ids[k]).state != stateMarked {
			n++
		}
	}
	return n
}

// sweep takes a marked timer out of its slot.
func (w *Netty) sweep(i uint32, n *node) {
	if n.slot == sideSlot {
		return // past the transfer's bound: it leaves when its turn comes
	}
	s := n.slot
	w.cost.Touched++
	w.slots[s].remove(&w.arena, n.pos)
	w.settleEmpty(s)
	w.swept(i, n, 0, s)
}

// swept ends a marked timer.
func (w *Netty) swept(i uint32, n *node, level int8, slot uint32) {
	if w.log != nil {
		w.tell(Event{Kind: KindSweep, ID: n.key, Due: n.due, FromLevel: level, FromSlot: slot, ToLevel: NoLevel})
	}
	w.marked--
	w.arena.release(i, n)
}

// settleEmpty forgets a slot that has become empty.
func (w *Netty) settleEmpty(s uint32) {
	if v := &w.slots[s]; len(v.ids) == 0 {
		w.occ.clear(s)
		v.giveBack(&w.arena, &w.spares)
	}
}
