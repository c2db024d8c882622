package hashedsorted

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// Config holds the geometry of a wheel of sorted lists.
type Config struct {
	Slots int        // number of slots, 1 to SlotsMax
	Width wheel.Tick // base ticks per slot, 1 or more
	Start wheel.Tick // initial tick of the clock
}

// hashedSorted is an array of slots. Each slot is a list of timers in order of the wheel tick at
// which they fire. A wheel tick is Width base ticks long.
type hashedSorted struct {
	core.ChainWheel
	n     int64 // number of slots
	clock int64 // current wheel tick: the clock in base ticks, divided by Width and rounded down
}

// New returns an empty wheel with configuration c. It returns a *wheel.ParamError if a field of c
// is out of range.
func New(c Config) (wheel.Observable, error) {
	if err := core.CheckRing(c.Slots, c.Width, c.Start); err != nil {
		return nil, err
	}
	w := &hashedSorted{n: int64(c.Slots), clock: c.Start / c.Width}
	w.Reached, w.Width = c.Start, c.Width
	w.SetSlots(c.Slots)
	return w, nil
}

func build(p catalog.Params, s catalog.Env) (wheel.Observable, error) {
	return New(Config{int(p["slots"].(int64)), p["width"].(int64), s.Start})
}

// Schedule adds the timer described by s. It costs one comparison for each timer that comes before
// the new one in the slot, and one for the timer that follows it.
func (w *hashedSorted) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleWith(w, &s) }

func (w *hashedSorted) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	e := core.CeilDiv(n.Due, w.Width)
	if e <= w.clock {
		return w.AtOnce(n, w.clock*w.Width)
	}
	s := uint32(e % w.n)
	if w.Chains[s].Count >= wheel.LinearMax {
		return core.BadCapacity
	}
	next := w.search(s, e)
	if w.Arena.Aborted {
		return core.BadAborted
	}
	w.Link(s, i, n, next)
	if w.Log != nil {
		w.EmitInsert(n, wheel.NoLevel, 0, s, next)
	}
	return core.Placed
}

// search returns the index of the first node in slot s that is due after wheel tick e, or 0 if
// there is none.
func (w *hashedSorted) search(s uint32, e int64) uint32 {
	i := w.Chains[s].Head
	for i != 0 && w.Arena.Spend(1) {
		w.Costs.Compared++
		n := w.Arena.At(i)
		if core.CeilDiv(n.Due, w.Width) > e {
			break
		}
		i = n.Pos
	}
	return i
}

// slotOf returns the number of the slot for the due tick of node n.
func (w *hashedSorted) slotOf(n *core.Node) uint32 { return uint32(core.CeilDiv(n.Due, w.Width) % w.n) }

// Cancel removes timer t in O(1) time. It returns false if t is not scheduled.
func (w *hashedSorted) Cancel(t wheel.Timer) bool {
	n := w.Arena.Find(t)
	if n == nil {
		return false
	}
	s := w.slotOf(n)
	w.CountCancel(n, s)
	w.Unlink(s, n)
	w.Arena.Release(t.Index(), n)
	return true
}

// NextWork returns the next wheel tick at which the hand reaches an occupied slot, or 0 if there is
// none. A wheel tick is w.Width base ticks long.
func (w *hashedSorted) NextWork() int64 {
	if d := w.Occupied.Ahead(uint32(w.clock%w.n), w.n); d > 0 {
		return w.clock + d
	}
	return 0
}

// Next returns the tick at which the hand reaches the next occupied slot, even if no timer of the
// slot is due then. It returns false if all slots are empty.
func (w *hashedSorted) Next() (wheel.Tick, bool) {
	k := w.NextWork()
	return k * w.Width, k > 0
}

// Advance moves the hand to the target tick and appends an Expiry to fired for each run that fires; see
// [wheel.Wheel].
func (w *hashedSorted) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.Drive(w, w.Width, to, fired, budget)
}

// AdvanceClock moves the hand to wheel tick k, and counts each slot it passes as examined.
func (w *hashedSorted) AdvanceClock(k int64) {
	w.Costs.Slots += k - w.clock
	w.clock = k
}

// ProcessTick visits the slot under the hand, fires the timers at its head that are due, and appends
// them to fired. It counts these timers and the first one that is not due as touched. Runs of repeating
// timers that are scheduled during the visit are due later and are not counted.
func (w *hashedSorted) ProcessTick(fired []wheel.Expiry) []wheel.Expiry {
	s := uint32(w.clock % w.n)
	v := &w.Chains[s]
	if w.Log != nil {
		w.EmitHand(0, s, 0)
	}
	if core.CeilDiv(w.Arena.At(v.Tail).Due, w.Width) > w.clock {
		w.Costs.Touched++
	}
	for v.Head != 0 && w.Arena.Spend(1) {
		i := v.Head
		n := w.Arena.At(i)
		if core.CeilDiv(n.Due, w.Width) > w.clock {
			break
		}
		w.Costs.Touched++
		w.Unlink(s, n)
		fired = w.Expire(w, i, n, 0, s, fired)
	}
	return fired
}

// IdlePeak returns the cost of a wheel tick at which no timer is found, and the base tick at which the
// next wheel tick begins. The cost is 1, for examining one slot. IdlePeak returns 0, 0 if the next
// wheel tick begins after the target tick; see [wheel.Wheel].
func (w *hashedSorted) IdlePeak(to wheel.Tick) (int64, wheel.Tick) {
	return core.RingPeak(w.clock, w.Width, to)
}

// Clone returns an independent copy of the wheel, without its log.
func (w *hashedSorted) Clone() wheel.Observable {
	c := *w
	c.ChainWheel = w.ChainWheel.Copy()
	return &c
}

// Check verifies that the links of every slot are correct, that each timer is in the slot of its
// wheel tick, and that the slot is sorted.
func (w *hashedSorted) Check() error {
	c := core.Checker{Arena: &w.Arena}
	for s := range w.Chains {
		last := w.clock + 1
		c.Chain(&w.Chains[s], func(n *core.Node) {
			e := core.CeilDiv(n.Due, w.Width)
			if e < last || e%w.n != int64(s) {
				c.Fail("timer %d, due %d, does not belong here in slot %d behind wheel tick %d", n.Key, n.Due, s, last)
			}
			last = e
		})
		c.Occupied(&w.Occupied, uint32(s), w.Chains[s].Count > 0)
	}
	return c.Done()
}
