package ring

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// Ring is the common part of the wheels of three small libraries: the state, and the methods that
// are the same in all three. The wheel type of each library embeds a Ring.
type Ring struct {
	core.Base
	N, U, start wheel.Tick // number of slots, base ticks per tick of the wheel, and base tick at which the ticker starts
	Ticks       int64      // number of ticks of the wheel that have been processed
	Hand        int64      // number of the slot under the hand: Ticks mod N
	lost        int64      // number of ticks of the wheel that were lost in stalls of the driver
	At          wheel.Tick // base tick of the current or last visit
	callTime    wheel.Tick // argument of the last call to SetCallTime, a base tick; ignored unless it is after Now
	SkipsMissed bool       // whether ticks that the driver misses are lost, which is a fault
	Visiting    bool       // whether a slot is being visited
	core.RoundSlots
	Faults   core.Faults // faults that are switched on
	Deferred Note        // finding about the current operation, emitted at its end
}

// Note is a finding, an effect of a fault, to be emitted at the end of the current operation.
type Note struct {
	Code   uint8 // code of the finding; CodeNone if there is no finding
	Expect int64 // expected value; what is measured depends on Code
	Got    int64 // actual value
}

// Library is the part of the algorithm in which the ported libraries differ: the rule for placing a
// timer and the details of visiting a slot. The wheel of each library implements it. Ring provides default
// implementations of Aim, ContinuesVisit and ExtraRun.
type Library interface {
	core.Placer
	core.TickProcessor
	Aim(i uint32, n *core.Node) wheel.Tick // returns the tick at which the timer with node n and index i should fire
	ContinuesVisit() bool                  // reports whether a visit includes timers that are added to the slot during the visit
	ExtraRun(i uint32, n *core.Node) Note  // returns the finding about a run that was not requested, or the zero Note
}

// Aim implements [Library] for libraries in which a timer should fire at its due tick. It returns
// the due tick of node n.
func (w *Ring) Aim(_ uint32, n *core.Node) wheel.Tick { return n.Due }

// ContinuesVisit implements [Library] for libraries in which a visit does not include timers that
// are added to the slot during the visit. It returns false.
func (w *Ring) ContinuesVisit() bool { return false }

// ExtraRun implements [Library] for libraries that never run a timer more often than requested. It
// returns the zero Note.
func (w *Ring) ExtraRun(uint32, *core.Node) Note { return Note{} }

// New returns an empty ring with the given faults switched on. It returns a *wheel.ParamError if an
// argument is out of range.
func New(slots int, width, start wheel.Tick, on core.Faults) (Ring, error) {
	if err := core.CheckRing(slots, width, start); err != nil {
		return Ring{}, err
	}
	w := Ring{N: int64(slots), U: width, start: start, At: start, Faults: on}
	w.Reached = start
	w.RoundSlots = core.NewRoundSlots(slots)
	return w, nil
}

// SetCallTime sets the base tick at which subsequent calls to w are made. While the driver is stalled,
// this tick is later than Now; see [port.CallTimeSetter].
func (w *Ring) SetCallTime(at wheel.Tick) { w.callTime = at }

// CallTime returns the base tick at which the current call to w is made.
func (w *Ring) CallTime() wheel.Tick { return max(w.Reached, w.callTime) }

// Reference returns the base tick from which delays are counted. During a visit, it is the tick of the
// visit. Otherwise, it is the result of CallTime if the wheel skips missed ticks, and Now if the wheel
// processes missed ticks later.
func (w *Ring) Reference() wheel.Tick {
	switch {
	case w.Visiting:
		return w.At
	case w.SkipsMissed:
		return w.CallTime()
	}
	return w.Reached
}

// HasReached reports whether a visit is in progress or Advance has reached base tick due. due must not
// be after the result of CallTime. HasReached can only return false while the driver is stalled, because
// otherwise Advance has reached the result of CallTime.
func (w *Ring) HasReached(due wheel.Tick) bool { return w.Visiting || due <= w.Reached }

// PlaceAhead puts node n, which has index i, into the slot for a delay of delta ≥ 0 base ticks. Like
// the published libraries, it counts the delay from the last tick of the wheel, and ignores the time
// that has passed since that tick. It returns BadRange if delta exceeds TickMax, and Placed otherwise.
func (w *Ring) PlaceAhead(i uint32, n *core.Node, delta wheel.Tick) core.PlaceResult {
	if delta > wheel.TickMax {
		return core.BadRange
	}
	by, rounds := w.Turns(delta, w.U)
	return w.Put(i, n, w.SlotPast(w.Hand, by), rounds)
}

// Turns converts length, a number of base ticks, to wheel ticks of u base ticks each. circle is the
// number of whole revolutions in the result, and by is the number of wheel ticks that remain.
func (w *Ring) Turns(length, u wheel.Tick) (by, circle int64) {
	if u != 1 {
		length /= u
	}
	circle = length / w.N
	return length - circle*w.N, circle
}

// SlotPast moves forward from the given slot, in the direction of the hand, by the given number of
// slots. It returns (slot + by) mod N. Both arguments must be in [0, N).
func (w *Ring) SlotPast(slot, by int64) uint32 {
	if slot += by; slot >= w.N {
		slot -= w.N
	}
	return uint32(slot)
}

// Fail rejects a timer that would make the published code panic. found is the value that would cause
// the panic, and minimum is the smallest value that would not. Fail stores a CodePanic finding in
// w.Deferred, with minimum as the expected value and found as the actual value, and returns BadFault.
func (w *Ring) Fail(minimum, found int64) core.PlaceResult {
	w.Deferred = Note{wheel.CodePanic, minimum, found}
	return core.BadFault
}

// Put adds node n, which has index i, to the given slot with the given number of rounds, and emits
// a place event. It returns Placed.
func (w *Ring) Put(i uint32, n *core.Node, slot uint32, rounds int64) core.PlaceResult {
	n.Slot = slot
	w.Slots[slot].Add(&w.Arena, &w.FreeList, i, n, rounds)
	w.Occupied.Set(slot)
	if w.Log != nil {
		w.EmitPlace(wheel.KindPlace, n, wheel.NoLevel, 0, 0, slot, rounds)
	}
	return core.Placed
}

// ScheduleFor schedules the timer described by s in wheel p, which embeds w. It implements
// [wheel.Wheel.Schedule] for p.
func (w *Ring) ScheduleFor(p Library, s *wheel.Spec) (wheel.Timer, int, error) {
	t, runs, err := w.ScheduleWith(p, s)
	w.EmitDeferred(s.Key)
	return t, runs, err
}

// EmitDeferred emits the finding in w.Deferred, if there is one, for the timer with the given key,
// and clears w.Deferred.
func (w *Ring) EmitDeferred(key uint32) {
	if f := w.Deferred; f.Code != wheel.CodeNone {
		w.Deferred = Note{}
		w.EmitFinding(f.Code, key, f.Expect, f.Got)
	}
}

// Cancel removes timer t in O(1). It returns false if t is not scheduled.
func (w *Ring) Cancel(t wheel.Timer) bool { return w.CancelTimer(&w.Base, t) }
