package callout

import (
	"math/bits"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// Config holds the geometry of a callout wheel.
type Config struct {
	Slots int        // number of slots, 1 to SlotsMax; rounded up to a power of two, like callwheelsize in the kernel
	Start wheel.Tick // initial tick of the clock
}

// callout is an array of unsorted lists of timers, indexed by due tick.
type callout struct {
	core.LevelWheel
	clock wheel.Tick // the last tick processed; softticks in the kernel
}

// slotsOf returns n rounded up to a power of two.
func slotsOf(n int64) int64 { return 1 << bits.Len64(uint64(n-1)) }

// New returns an empty wheel with configuration c. It returns a *wheel.ParamError if a field of c
// is out of range.
func New(c Config) (wheel.Observable, error) {
	if err := core.CheckRing(c.Slots, 1, c.Start); err != nil {
		return nil, err
	}
	w := &callout{clock: c.Start}
	w.Reached = c.Start
	w.AddLevel(slotsOf(int64(c.Slots)), 1, c.Start)
	return w, nil
}

func build(p catalog.Params, s catalog.Env) (wheel.Observable, error) {
	return New(Config{int(p["slots"].(int64)), s.Start})
}

// Schedule adds the timer described by s in O(1) time. A timer that is already due fires at the next tick, so the
// number of runs that Schedule returns is always 0.
func (w *callout) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleWith(w, &s) }

// PlaceNode implements the kernel's callout_reset: it appends node n, which has index i, to the
// slot of its due tick, or to the slot of the next tick if the due tick has passed.
func (w *callout) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	s := w.Put(&w.Arena, i, n, 0, max(n.Due, w.clock+1))
	if w.Log != nil {
		w.EmitPlace(wheel.KindPlace, n, wheel.NoLevel, 0, 0, s, wheel.NoRounds)
	}
	return core.Placed
}

// NextWork returns the next tick at which the hand reaches an occupied slot, or 0 if all slots are
// empty.
func (w *callout) NextWork() int64 {
	l := &w.Levels[0]
	if d := l.Occupied.Ahead(l.SlotOf(w.clock), l.N); d > 0 {
		return w.clock + d
	}
	return 0
}

// Next returns the tick at which the hand reaches the next occupied slot. It returns false if all
// slots are empty.
func (w *callout) Next() (wheel.Tick, bool) {
	k := w.NextWork()
	return k, k > 0
}

// Advance moves the hand to the target tick and appends an Expiry to fired for each run that fires; see
// [wheel.Wheel].
func (w *callout) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.Drive(w, 1, to, fired, budget)
}

// AdvanceClock moves the hand to tick k, and counts each slot that it passes as examined.
func (w *callout) AdvanceClock(k int64) {
	w.Costs.Slots += k - w.clock
	w.clock = k
}

// ProcessTick visits the slot under the hand, like the kernel's softclock: it compares the due tick
// of each timer with the clock, fires the timers that are due, and appends them to fired. The others keep
// their order.
func (w *callout) ProcessTick(fired []wheel.Expiry) []wheel.Expiry {
	s := w.Levels[0].SlotOf(w.clock)
	v := &w.Slots[s]
	here, kept := len(v.IDs), 0
	if w.Log != nil {
		w.EmitHand(0, s, 0)
	}
	for k := range here {
		if !w.Arena.SpendStride(k, here) {
			return fired
		}
		if !v.Holds(&w.Arena, s, k) {
			continue
		}
		w.Costs.Touched++
		w.Costs.Compared++
		i := v.IDs[k]
		n := w.Arena.At(i)
		if n.Due <= w.clock { // less only if the due tick had passed when it was scheduled
			fired = w.Expire(w, i, n, 0, s, fired)
			continue
		}
		v.IDs[kept], n.Pos = i, uint32(kept)
		kept++
	}
	v.CloseGaps(&w.Arena, s, kept, here)
	w.ReleaseEmpty(&w.Arena, 0, s)
	return fired
}

// IdlePeak returns the cost of a tick at which no timer is found, and the tick after Now. The cost is 1, for
// examining one slot. IdlePeak returns 0, 0 if the target tick is not after Now; see [wheel.Wheel].
func (w *callout) IdlePeak(to wheel.Tick) (int64, wheel.Tick) { return core.RingPeak(w.clock, 1, to) }

// Clone returns an independent copy of the wheel, without its log.
func (w *callout) Clone() wheel.Observable {
	c := *w
	c.LevelWheel = w.LevelWheel.Copy()
	return &c
}

// Check verifies every slot. Each timer must be in the slot of its due tick, or of the next tick if
// the due tick has passed.
func (w *callout) Check() error {
	c := core.Checker{Arena: &w.Arena}
	c.Levels(&w.LevelSet, func(_ int, s int64, n *core.Node) bool {
		return int64(w.Levels[0].SlotOf(max(n.Due, w.clock+1))) == s
	})
	return c.Done()
}

// NeverEarly returns true: no timer fires before its due tick; see [wheel.NeverEarly].
func (w *callout) NeverEarly() bool { return true }
