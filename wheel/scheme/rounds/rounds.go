package rounds

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// Config holds the geometry and the variant of a wheel with rounds.
type Config struct {
	Slots int        // number of slots, 1 to SlotsMax
	Width wheel.Tick // base ticks per slot, 1 or more
	Start wheel.Tick // initial tick of the clock
	// If Naive is set, a timer with a delay of j wheel ticks waits for floor(j/Slots) rounds instead
	// of floor((j−1)/Slots). A timer whose delay is a multiple of Slots then fires one revolution
	// late.
	Naive bool
	Floor bool // whether due ticks are rounded down to a slot, so that timers can fire early; otherwise they are rounded up
	// If ProcInc is set, the slot under the hand is processed before the hand moves, as in packages
	// xiaoxu and godis. Delays are then counted in whole slots, and the time that is left in the
	// current slot is ignored, so timers can fire less than a slot width early, or up to a slot
	// width late.
	ProcInc bool
}

// rounds is an array of slots. For each timer in a slot, it stores the number of rounds that the
// timer still has to wait.
type rounds struct {
	core.Base
	n, u  int64 // number of slots, and base ticks per slot
	clock int64 // current wheel tick: the clock in base ticks, divided by u and rounded down
	core.RoundSlots
	naive bool
	round core.Rounding
	lag   int64 // number of wheel ticks by which the hand lags behind the clock: 1 with ProcInc, 0 otherwise
}

// New returns an empty wheel with configuration c. It returns a *wheel.ParamError if a field of c
// is out of range.
func New(c Config) (wheel.Observable, error) {
	if err := core.CheckRing(c.Slots, c.Width, c.Start); err != nil {
		return nil, err
	}
	w := &rounds{n: int64(c.Slots), u: c.Width, clock: c.Start / c.Width, naive: c.Naive, round: core.Rounding(c.Floor)}
	if c.ProcInc {
		w.lag = 1
	}
	w.Reached = c.Start
	w.RoundSlots = core.NewRoundSlots(c.Slots)
	return w, nil
}

func build(p catalog.Params, s catalog.Env) (wheel.Observable, error) {
	return New(Config{Slots: int(p["slots"].(int64)), Width: p["width"].(int64), Start: s.Start,
		Naive: p["variant"] == "naive", Floor: bool(core.RoundingOf(p)), ProcInc: p["variant"] == "procinc"})
}

// Schedule adds the timer described by s in O(1) time; see [wheel.Wheel] for the results.
func (w *rounds) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleWith(w, &s) }

func (w *rounds) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	e, reached := w.visitOf(n)
	j := e - w.clock
	if n.Due <= reached {
		return w.AtOnce(n, reached)
	}
	rounds := (j - 1) / w.n
	if w.naive {
		rounds = j / w.n
	}
	n.Slot = uint32((e - w.lag) % w.n)
	w.Slots[n.Slot].Add(&w.Arena, &w.FreeList, i, n, rounds)
	w.Occupied.Set(n.Slot)
	if w.Log != nil {
		w.EmitPlace(wheel.KindPlace, n, wheel.NoLevel, 0, 0, n.Slot, rounds)
	}
	return core.Placed
}

// visitOf returns the wheel tick e at which n's timer, which is being scheduled, should fire. It also returns the due
// tick up to which a timer fires immediately, as reached. If n.Due is not after reached, e has no meaning.
//
// With Config.ProcInc (w.lag > 0), e is the sum of the current wheel tick, the delay in whole slots, and w.lag.
func (w *rounds) visitOf(n *core.Node) (e int64, reached wheel.Tick) {
	if w.lag > 0 {
		return w.clock + (n.Due-w.Reached)/w.u + w.lag, w.Reached - 1
	}
	return w.round.Tick(n.Due, w.u), w.round.Reached(w.clock, w.u)
}

// hand returns the slot that is visited at the current wheel tick.
func (w *rounds) hand() uint32 { return uint32((w.clock + w.n - w.lag) % w.n) }

// Cancel removes timer t in O(1) time. It returns false if t is not scheduled.
func (w *rounds) Cancel(t wheel.Timer) bool { return w.CancelTimer(&w.Base, t) }

// NextWork returns the next wheel tick at which the hand reaches an occupied slot, or 0 if there is
// none. A wheel tick is w.u base ticks long.
func (w *rounds) NextWork() int64 {
	if d := w.Occupied.Ahead(w.hand(), w.n); d > 0 {
		return w.clock + d
	}
	return 0
}

// Next returns the tick at which the hand reaches the next occupied slot, even if its timers only
// lose a round then. It returns false if all slots are empty.
func (w *rounds) Next() (wheel.Tick, bool) {
	k := w.NextWork()
	return k * w.u, k > 0
}

// Advance moves the hand to the target tick and appends an Expiry to fired for each run that fires; see
// [wheel.Wheel].
func (w *rounds) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.Drive(w, w.u, to, fired, budget)
}

// AdvanceClock moves the hand to wheel tick k, and counts each slot it passes as examined.
func (w *rounds) AdvanceClock(k int64) {
	w.Costs.Slots += k - w.clock
	w.clock = k
	w.Reached = max(w.Reached, k*w.u) // delays of timers scheduled during the tick are counted from here
}

// ProcessTick visits the slot under the hand and appends the expired timers to fired. Timers without rounds left
// fire; the others lose a round and keep their order. Timers added during the visit wait for the next visit.
func (w *rounds) ProcessTick(fired []wheel.Expiry) []wheel.Expiry {
	s := w.hand()
	v := &w.Slots[s]
	here, kept := len(v.IDs), 0
	w.Costs.Touched += int64(v.Live())
	if w.Log != nil && !w.Skips(wheel.KindHand) {
		w.EmitHand(0, s, v.Waiting(&w.Arena))
	}
	for k := 0; k < here; k++ {
		if !w.Arena.SpendStride(k, here) {
			return fired
		}
		switch {
		case v.IDs[k] == 0:
		case v.Rounds[k] > 0:
			v.Rounds[k]--
			v.Keep(&w.Arena, kept, k)
			kept++
		default:
			i := v.IDs[k]
			fired = w.Expire(w, i, w.Arena.At(i), 0, s, fired)
		}
	}
	v.CloseGaps(&w.Arena, kept, here)
	w.ReleaseEmpty(&w.Arena, s)
	return fired
}

// IdlePeak returns the cost of a wheel tick at which no timer is found, and the base tick at which the
// next wheel tick begins. The cost is 1, for examining one slot. IdlePeak returns 0, 0 if the next
// wheel tick begins after the target tick; see [wheel.Wheel].
func (w *rounds) IdlePeak(to wheel.Tick) (int64, wheel.Tick) {
	return core.RingPeak(w.clock, w.u, to)
}

// Layout returns the layout of the wheel: a single ring.
func (w *rounds) Layout() wheel.Layout {
	return wheel.Layout{Shape: wheel.ShapeRing, Levels: []wheel.Level{{Level: 0, Slots: int(w.n), Width: w.u}}}
}

// AppendState appends the occupied slots to s, with the rounds of their timers, and sets s.Counts and
// s.Live. It includes at most limit timers of each slot, or all if limit is AllEntries.
func (w *rounds) AppendState(s *wheel.State, limit int) {
	w.AppendLayout(s, w.Layout())
	w.AppendSlots(&w.Arena, s, limit)
}

// Clone returns an independent copy of the wheel, without its log.
func (w *rounds) Clone() wheel.Observable {
	c := *w
	c.Base = w.Base.Copy()
	c.RoundSlots = w.RoundSlots.Clone()
	return &c
}

// Bytes returns the memory used by the arena, the slots and the bitmap of occupied slots, in bytes.
func (w *rounds) Bytes() int64 { return w.Arena.Bytes() + w.RoundSlots.Bytes() }

// Check verifies the arena and every slot. The slot and the remaining rounds of a timer determine the tick at which
// it fires. Check verifies that this is the due tick of the timer, rounded to a slot. With Naive it may also be one
// revolution later. With ProcInc it may be less than a slot width before the due tick, or up to a slot width after
// it.
func (w *rounds) Check() error {
	c := core.Checker{Arena: &w.Arena}
	c.RoundSlots(&w.RoundSlots, func(s int64, v *core.RoundSlot, n *core.Node) bool {
		return w.belongs(n, w.clock+w.toSlot(s)+v.Rounds[n.Pos]*w.n)
	})
	return c.Done()
}

// belongs reports whether it is correct for n's timer to fire at the given wheel tick. With
// ProcInc, the correct tick depends on when the timer was scheduled, so belongs accepts a range of
// ticks.
func (w *rounds) belongs(n *core.Node, fires int64) bool {
	if w.lag > 0 {
		off := fires*w.u - n.Due
		return off > -w.u && off <= w.u
	}
	e := w.round.Tick(n.Due, w.u)
	return fires == e || w.naive && fires == e+w.n
}

// toSlot returns the number of wheel ticks until the hand next reaches slot s, between 1 and the
// number of slots.
func (w *rounds) toSlot(s int64) int64 {
	return (s-int64(w.hand())+w.n-1)%w.n + 1
}

// NeverEarly reports whether no timer fires before its due tick. Timers can fire early if
// Config.Floor or Config.ProcInc is set.
func (w *rounds) NeverEarly() bool { return !bool(w.round) && w.lag == 0 }
