package ring

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// Ring is what three small Go libraries (lk668, xiaoxu, godis) share, which with
// the sketch riicarus are the "seeds": the code that this project began with. One ring
// of slots with rounds, driven by a ticker. A tick works the slot under the
// hand and moves the hand on after that. A timer of j = delay div u ticks stands j
// slots ahead of the hand and so fires at the (j+1)-th tick after it was armed:
// the phase of the tick is left out, and it fires within (due−u, due+u].
//
//	reach          any delay
//	start, stop    O(1)
//	tick           O(timers of the slot)
type Ring struct {
	core.Base
	N, U, start wheel.Tick
	Ticks       int64      // ticks worked
	Hand        int64      // the slot under the hand: tick mod n
	lost        int64      // ticks that went by while the driver stood still
	At          wheel.Tick // when the tick being worked, or worked last, happened
	callTime    wheel.Tick // when the calls are made, where that is later than now
	SkipsMissed bool       // a fault: ticks are counted, and those that were missed never made up
	Visiting    bool
	slots       []core.RoundSlot
	occ         core.Bitmap
	spares      core.FreeList
	Faults      core.Faults
	Deferred    Note // a finding about the arming under way, told when that is over
}

// Note is a finding that is told later.
type Note struct {
	Code   uint8 // CodeNone: none
	Expect int64
	Got    int64
}

// Library is one of those libraries: its rule for placing, and what it does with
// what its visit comes to. All but placing and a tick's work has a rule that most
// share.
type Library interface {
	core.Placer
	core.TickProcessor
	Aim(i uint32, n *core.Node) wheel.Tick  // the tick that the timer is meant to fire at
	ContinuesVisit() bool                   // a visit goes on into what was put there during it
	UnaskedRun(i uint32, n *core.Node) Note // the finding that a run is one too many
}

func (w *Ring) Aim(_ uint32, n *core.Node) wheel.Tick { return n.Due }

func (w *Ring) ContinuesVisit() bool { return false }

func (w *Ring) UnaskedRun(uint32, *core.Node) Note { return Note{} }

func New(slots int, width, start wheel.Tick, on core.Faults) (Ring, error) {
	if err := core.CheckRing(slots, width, start); err != nil {
		return Ring{}, err
	}
	w := Ring{N: int64(slots), U: width, start: start, At: start, Faults: on}
	w.Reached = start
	w.slots = make([]core.RoundSlot, slots)
	w.occ = core.NewBitmap(slots)
	return w, nil
}

// SetCallTime tells when the calls that follow are made.
func (w *Ring) SetCallTime(at wheel.Tick) { w.callTime = at }

// CallTime is when the call under way is made.
func (w *Ring) CallTime() wheel.Tick { return max(w.Reached, w.callTime) }

// Reference is the time by which delays are reckoned. A wheel that counts the ticks it is
// given takes a delay as it is told; one that makes up what it missed goes on from
// where it stands, and so reckons from there.
func (w *Ring) Reference() wheel.Tick {
	switch {
	case w.Visiting:
		return w.At
	case w.SkipsMissed:
		return w.CallTime()
	}
	return w.Reached
}

// HasReached says whether the wheel's own clock, which may stand still, has come to a
// due tick that has passed.
func (w *Ring) HasReached(due wheel.Tick) bool { return w.Visiting || due <= w.Reached }

// PlaceAhead places a timer by the rule the libraries share, delta ≥ 0 base ticks
// before it is due: as if it were armed right after the tick.
func (w *Ring) PlaceAhead(i uint32, n *core.Node, delta wheel.Tick) core.PlaceResult {
	if delta > wheel.TickMax {
		return core.BadRange
	}
	by, rounds := w.Turns(delta, w.U)
	return w.Put(i, n, w.SlotPast(w.Hand, by), rounds)
}

// Turns gives how many slots and whole revolutions a length goes on by, in ticks of u.
func (w *Ring) Turns(length, u wheel.Tick) (by, circle int64) {
	if u != 1 {
		length /= u
	}
	circle = length / w.N
	return length - circle*w.N, circle
}

// SlotPast is the slot `by` slots past another; both are less than n.
func (w *Ring) SlotPast(slot, by int64) uint32 {
	if slot += by; slot >= w.N {
		slot -= w.N
	}
	return uint32(slot)
}

// AtOnce lets a timer fire that should have fired before.
func (w *Ring) AtOnce(n *core.Node) core.PlaceResult {
	if w.TooManyRuns(n, w.Reference()) {
		return core.BadPast
	}
	return core.DueNow
}

// Fail refuses a timer because the published code dies of it.
func (w *Ring) Fail(least, met int64) core.PlaceResult {
	w.Deferred = Note{wheel.CodePanic, least, met}
	return core.BadFault
}

// Put stands a timer in a slot.
func (w *Ring) Put(i uint32, n *core.Node, slot uint32, rounds int64) core.PlaceResult {
	n.Slot = slot
	w.slots[slot].Add(&w.Arena, &w.spares, i, n, rounds)
	w.occ.Set(slot)
	if w.Log != nil {
		w.EmitPlace(wheel.KindPlace, n, wheel.NoLevel, 0, 0, slot, rounds)
	}
	return core.Placed
}

// ScheduleFor is Schedule of a library.
func (w *Ring) ScheduleFor(p Library, s *wheel.Spec) (wheel.Timer, int, error) {
	t, runs, err := w.ScheduleWith(p, s)
	w.EmitDeferred(s.Key)
	return t, runs, err
}

// EmitDeferred tells the finding about an arming that is over.
func (w *Ring) EmitDeferred(key uint32) {
	if f := w.Deferred; f.Code != wheel.CodeNone {
		w.Deferred = Note{}
		w.EmitFinding(f.Code, key, f.Expect, f.Got)
	}
}

// Cancel disarms a timer in O(1).
func (w *Ring) Cancel(t wheel.Timer) bool {
	n := w.Arena.Find(t)
	if n == nil {
		return false
	}
	w.Costs.Touched++
	w.Counts.Cancelled++
	if w.Log != nil {
		w.EmitCancel(n, 0, n.Slot)
	}
	w.slots[n.Slot].Remove(&w.Arena, n.Pos)
	w.releaseEmpty(n.Slot)
	w.Arena.Release(t.Index(), n)
	return true
}

// releaseEmpty forgets a slot that has become empty.
func (w *Ring) releaseEmpty(s uint32) {
	if v := &w.slots[s]; len(v.IDs) == 0 {
		w.occ.Clear(s)
		v.GiveBack(&w.Arena, &w.spares)
	}
}
