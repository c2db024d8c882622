package netty

import (
	"math/bits"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// TransferMax is the maximum number of timers that one tick moves from the pending queue, which holds timers that are
// not in a slot yet, to their slots.
const TransferMax = 100000

// Config holds the geometry of a Netty wheel.
type Config struct {
	Slots int        // number of slots, 1 to SlotsMax; rounded up to a power of two
	Width wheel.Tick // base ticks per tick of the wheel, 1 or more
	Start wheel.Tick // base tick at which the first tick of the wheel begins
}

// netty is an array of slots with rounds. In front of it are two queues: one of pending timers, which are not in a slot
// yet, and one of timers that were cancelled since the last tick.
type netty struct {
	core.Base
	n, u, start wheel.Tick // number of slots, base ticks per tick of the wheel, and Config.Start
	tick        int64      // number of ticks processed so far, which is also the number of the next tick, counted from 0
	core.RoundSlots
	pending   core.Slot     // the pending queue: timers that are not in a slot yet; level −1
	cancelled []wheel.Timer // timers cancelled since the last tick, in order of cancellation
	marked    int           // number of timers that are cancelled but left in place
}

// slotsOf returns n rounded up to a power of two.
func slotsOf(n int64) int64 { return 1 << bits.Len64(uint64(n-1)) }

// New returns an empty wheel with configuration c. It returns a *wheel.ParamError if a field of c
// is out of range.
func New(c Config) (wheel.Observable, error) {
	if err := core.CheckRing(c.Slots, c.Width, c.Start); err != nil {
		return nil, err
	}
	n := slotsOf(int64(c.Slots))
	w := &netty{n: n, u: c.Width, start: c.Start}
	w.Reached = c.Start
	w.RoundSlots = core.NewRoundSlots(int(n))
	return w, nil
}

func build(p catalog.Params, s catalog.Env) (wheel.Observable, error) {
	return New(Config{int(p["slots"].(int64)), p["width"].(int64), s.Start})
}

// Schedule adds the timer described by s to the pending queue in O(1). The timer fires at a later tick, even if it is
// already due, so the number of runs that Schedule returns is always 0.
func (w *netty) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleWith(w, &s) }

func (w *netty) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	n.Slot = core.SideSlot
	w.pending.Add(&w.Arena, &w.FreeList, i, n)
	if w.Log != nil {
		w.Emit(wheel.Event{Kind: wheel.KindPend, ID: n.Key, Due: n.Due, Run: w.Arena.Run(n), FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel})
	}
	return core.Placed
}

// Cancel marks timer t as cancelled in O(1). The marked timer is removed at the next tick, or when it
// leaves the pending queue. Cancel returns false if t is not scheduled.
func (w *netty) Cancel(t wheel.Timer) bool {
	if !w.Mark(t) {
		return false
	}
	w.marked++
	w.cancelled = append(w.cancelled, t)
	return true
}

// Len returns the number of live timers. Marked timers are not live.
func (w *netty) Len() int { return w.Arena.Live - w.marked }

// NextWork returns the number of the next tick with work, counted from 1, or 0 if there is none. It
// is the very next tick if the pending queue or the queue of cancelled timers is not empty.
func (w *netty) NextWork() int64 {
	if len(w.pending.IDs) > 0 || len(w.cancelled) > 0 {
		return w.tick + 1
	}
	if d := w.Occupied.Ahead(uint32((w.tick-1)&(w.n-1)), w.n); d > 0 {
		return w.tick + d
	}
	return 0
}

// Next returns the base tick at which the wheel next has work, which is the end of a tick of the
// wheel. It returns false if there is no work.
func (w *netty) Next() (wheel.Tick, bool) {
	k := w.NextWork()
	return w.start + k*w.u, k > 0
}

// Advance processes the ticks of the wheel that end at or before base tick to, and appends the runs that fire to fired;
// see [wheel.Wheel].
func (w *netty) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	w.Reached -= w.start
	fired, status := w.Drive(w, w.u, min(max(to, 0), wheel.TickMax)-w.start, fired, budget)
	w.Reached += w.start
	return fired, status
}

// AdvanceClock moves the hand to its position after k ticks of the wheel, counted from the start,
// and counts one examined slot for each tick that it passes.
func (w *netty) AdvanceClock(k int64) {
	w.Costs.Slots += k - w.tick
	w.tick = k
}

// ProcessTick performs the work at the end of a tick: it transfers pending timers to their slots, visits the slot under
// the hand, and removes cancelled timers. It appends the timers that fire to fired.
func (w *netty) ProcessTick(fired []wheel.Expiry) []wheel.Expiry {
	k := w.tick - 1
	w.transfer(k)
	if s := uint32(k & (w.n - 1)); w.Slots[s].Live() > 0 && !w.Arena.Aborted {
		fired = w.visit(s, fired)
	}
	for _, t := range w.cancelled {
		if w.Arena.Aborted {
			return fired
		}
		if n := w.Arena.Find(t); n != nil {
			w.sweep(t.Index(), n)
		}
	}
	w.cancelled = w.cancelled[:0]
	return fired
}

// transfer moves up to TransferMax timers from the pending queue to their slots. It releases marked timers instead of
// moving them. It is the first step in processing tick k of the wheel, counted from 0.
func (w *netty) transfer(k int64) {
	count := min(len(w.pending.IDs), TransferMax)
	for _, i := range w.pending.IDs[:count] {
		if !w.Arena.Spend(1) {
			return
		}
		w.Costs.Touched++
		n := w.Arena.At(i)
		if n.State == core.StateMarked {
			w.swept(i, n, -1, 0)
			continue
		}
		calc := (n.Due - w.start) / w.u
		rounds := (calc - k) / w.n
		n.Slot = uint32(max(calc, k) & (w.n - 1))
		w.Slots[n.Slot].Add(&w.Arena, &w.FreeList, i, n, rounds)
		w.Occupied.Set(n.Slot)
		w.Costs.Moved++
		if w.Log != nil {
			w.EmitPlace(wheel.KindPlace, n, -1, 0, 0, n.Slot, rounds)
		}
	}
	w.pending.CloseGaps(&w.Arena, core.SideSlot, 0, count)
	if len(w.pending.IDs) == 0 {
		w.pending.IDs = w.FreeList.Give(&w.Arena, w.pending.IDs)
	}
}

// visit fires the timers of slot s that have no rounds left, and appends them to fired. It takes
// one round from each of the others, which keep their order. It skips marked timers.
func (w *netty) visit(s uint32, fired []wheel.Expiry) []wheel.Expiry {
	v := &w.Slots[s]
	here, kept := len(v.IDs), 0
	w.Costs.Touched += int64(v.Live())
	if w.Log != nil && !w.Skips(wheel.KindHand) {
		w.EmitHand(0, s, w.waiting(v))
	}
	for k := range here {
		if !w.Arena.SpendStride(k, here) {
			return fired
		}
		i := v.IDs[k]
		if i == 0 {
			continue
		}
		n := w.Arena.At(i)
		if n.State != core.StateMarked && v.Rounds[k] <= 0 {
			fired = w.Expire(w, i, n, 0, s, fired)
			continue
		}
		if n.State != core.StateMarked {
			v.Rounds[k]--
		}
		v.Keep(&w.Arena, kept, k)
		kept++
	}
	v.CloseGaps(&w.Arena, kept, here)
	w.ReleaseEmpty(&w.Arena, s)
	return fired
}

// waiting returns the number of unmarked timers in v that have rounds left.
func (w *netty) waiting(v *core.RoundSlot) (n uint32) {
	for k, r := range v.Rounds {
		if !w.Arena.Spend(1) {
			return n
		}
		if r > 0 && v.IDs[k] != 0 && w.Arena.At(v.IDs[k]).State != core.StateMarked {
			n++
		}
	}
	return n
}

// sweep removes marked node n, which has index i in the arena, from its slot and releases it. It
// does nothing if the node is still in the pending queue.
func (w *netty) sweep(i uint32, n *core.Node) {
	if n.Slot == core.SideSlot {
		return // still in the pending queue because of TransferMax: a later transfer removes it
	}
	s := n.Slot
	w.Costs.Touched++
	w.Slots[s].Remove(&w.Arena, n.Pos)
	w.ReleaseEmpty(&w.Arena, s)
	w.swept(i, n, 0, s)
}

// swept emits a sweep event for node n, which was in the given slot of the given level, and releases the node. i is the
// index of the node in the arena.
func (w *netty) swept(i uint32, n *core.Node, level int8, slot uint32) {
	if w.Log != nil {
		w.Emit(wheel.Event{Kind: wheel.KindSweep, ID: n.Key, Due: n.Due, FromLevel: level, FromSlot: slot, ToLevel: wheel.NoLevel})
	}
	w.marked--
	w.Arena.Release(i, n)
}

// NeverEarly returns true: no timer fires before its due tick; see [wheel.NeverEarly].
func (w *netty) NeverEarly() bool { return true }

// IdlePeak implements [wheel.Observable.IdlePeak]. Every tick of the wheel examines a slot, even an
// empty one, and so costs 1. IdlePeak returns 1 and the base tick at which the next tick of the
// wheel ends, or 0, 0 if no tick ends by base tick to.
func (w *netty) IdlePeak(to wheel.Tick) (int64, wheel.Tick) {
	peak, at := core.RingPeak(w.tick, w.u, to-w.start)
	if peak > 0 {
		at += w.start
	}
	return peak, at
}

// Layout returns the layout of the wheel: a ring, and the pending queue as level -1.
func (w *netty) Layout() wheel.Layout {
	return wheel.Layout{Shape: wheel.ShapeRing, Levels: []wheel.Level{{Level: 0, Slots: int(w.n), Width: w.u}, {Level: -1, Slots: 0, Width: 0}}, FromStart: true}
}

// AppendState appends the pending queue and the occupied slots to s, each with at most limit timers
// and their rounds, and sets s.Counts and s.Live; see [wheel.Wheel].
func (w *netty) AppendState(s *wheel.State, limit int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	core.AppendSlot(s, &w.Arena, wheel.Place{Level: -1}, core.SideSlot, &w.pending, nil, limit)
	w.AppendSlots(&w.Arena, s, limit)
	s.Counts, s.Live = w.Counts, w.Len()
}

// Clone returns an independent copy of the wheel, without its log.
func (w *netty) Clone() wheel.Observable {
	c := *w
	c.Base = w.Base.Copy()
	c.RoundSlots = w.RoundSlots.Clone()
	c.pending.IDs = append([]uint32(nil), w.pending.IDs...)
	c.cancelled = append([]wheel.Timer(nil), w.cancelled...)
	return &c
}

// Bytes returns the number of bytes of memory that the arena, the slots, the queues and the bitmap
// of occupied slots use.
func (w *netty) Bytes() int64 {
	return w.Arena.Bytes() + w.RoundSlots.Bytes() + w.pending.Bytes() + int64(cap(w.cancelled))*8
}

// Check verifies the queues and every slot. The slot and rounds of each timer must be such that it
// fires at the end of the wheel tick that contains its due tick.
func (w *netty) Check() error {
	c := core.Checker{Arena: &w.Arena}
	marked := 0
	c.Slot(&w.pending, core.SideSlot, func(n *core.Node) bool { return w.count(n, &marked) })
	c.RoundSlots(&w.RoundSlots, func(s int64, v *core.RoundSlot, n *core.Node) bool {
		calc := (n.Due - w.start) / w.u
		visit := w.tick + (s-w.tick)&(w.n-1)
		return w.count(n, &marked) && (n.State == core.StateMarked || visit+v.Rounds[n.Pos]*w.n == calc)
	})
	if marked != w.marked {
		c.Fail("%d timers are marked, %d are counted", marked, w.marked)
	}
	return c.Done()
}

// count increments *marked if n is marked. It always returns true, so that Check can combine it
// with other conditions.
func (w *netty) count(n *core.Node, marked *int) bool {
	if n.State == core.StateMarked {
		*marked++
	}
	return true
}
