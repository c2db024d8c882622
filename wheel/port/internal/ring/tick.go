package ring

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// NextWork returns the number of the wheel's next tick that visits an occupied slot. Ticks are numbered
// from 1. NextWork returns 0 if all slots are empty or the wheel is halted.
func (w *Ring) NextWork() int64 {
	if w.Halted {
		return 0
	}
	if d := w.Occupied.Ahead(uint32((w.Ticks+w.N-1)%w.N), w.N); d > 0 {
		return w.Ticks + d
	}
	return 0
}

// Shift returns the base tick from which the processed ticks are counted: the wheel's start tick
// plus the total length of the ticks that were lost while the driver was stopped.
func (w *Ring) Shift() wheel.Tick { return w.start + w.lost*w.U }

// Next returns the base tick at which the wheel visits the next occupied slot. It returns false if
// all slots are empty or the wheel is halted.
func (w *Ring) Next() (wheel.Tick, bool) {
	k := w.NextWork()
	return w.Shift() + k*w.U, k > 0
}

// HandTime returns Now minus the total length of the ticks that were lost while the driver was
// stopped; see [port.HandClock].
func (w *Ring) HandTime() wheel.Tick { return w.Reached - w.lost*w.U }

// AdvanceFrom implements [wheel.Wheel.Advance] for wheel h, which embeds w. It counts the ticks of the
// wheel from base tick w.Shift().
func (w *Ring) AdvanceFrom(h core.TickProcessor, to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	shift := w.Shift()
	w.Reached -= shift
	fired, status := w.Drive(h, w.U, min(max(to, 0), wheel.TickMax)-shift, fired, budget)
	w.Reached += shift
	return fired, status
}

// ResumeFrom implements [port.TickCounter.Resume] for wheel p, which embeds w. If w.SkipsMissed is
// set, it processes only one of the ticks missed while the driver was stopped, the one that the ticker
// buffered. Otherwise it processes all missed ticks.
func (w *Ring) ResumeFrom(p Library, to wheel.Tick, fired []wheel.Expiry) ([]wheel.Expiry, wheel.Status) {
	if !w.SkipsMissed || w.Stopped() || to <= w.Reached {
		return w.AdvanceFrom(p, to, fired, 0)
	}
	to = min(to, wheel.TickMax)
	missed := (to-w.start)/w.U - w.lost - w.Ticks
	w.Reached = to
	if missed == 0 {
		return fired, wheel.Done
	}
	w.lost += missed - 1
	w.AdvanceClock(w.Ticks + 1)
	w.At = to
	fired = w.work(p, fired)
	if w.Stopped() {
		return fired, w.Status()
	}
	return fired, wheel.Done
}

// AdvanceClock moves the hand to its position after k ticks of the wheel, counted from the start. For
// each tick that the hand advances, it adds one examined slot to the cost.
func (w *Ring) AdvanceClock(k int64) {
	w.Costs.Slots += k - w.Ticks
	w.Ticks, w.Hand = k, k%w.N
}

// ProcessAt implements ProcessTick for wheel p, which embeds w: it visits the slot of the current
// tick, and sets w.At to the base tick of the visit.
func (w *Ring) ProcessAt(p Library, fired []wheel.Expiry) []wheel.Expiry {
	w.At = w.Shift() + w.Ticks*w.U
	return w.work(p, fired)
}

// work visits the slot of the current tick, unless it contains no timers, and appends the runs that fire to fired.
func (w *Ring) work(p Library, fired []wheel.Expiry) []wheel.Expiry {
	s := uint32((w.Ticks - 1) % w.N)
	if w.Slots[s].Live() == 0 {
		return fired
	}
	w.Visiting = true
	v := visit{w: w, p: p, slot: s, atStart: len(w.Slots[s].IDs), fired: fired}
	v.run()
	w.Visiting = false
	w.Slots[s].CloseGaps(&w.Arena, 0, 0)
	w.ReleaseEmpty(&w.Arena, s)
	return v.fired
}

// visit holds the state of a visit: the processing of one slot at a tick. A timer that fires leaves
// an entry with ID 0 in the slot. These entries are removed when the visit ends.
type visit struct {
	w       *Ring
	p       Library
	slot    uint32
	atStart int    // number of entries in the slot when the visit began
	due     int64  // number of timers in the slot that had no rounds left when the visit began
	runs    int64  // number of runs that have fired during the visit
	again   uint32 // key of the first timer that was both added and fired during the visit; 0 if there is none
	fired   []wheel.Expiry
}

// RerunsMax limits the number of runs that are both scheduled and fired within one visit. When a visit
// reaches the limit, a CodeStuck finding reports the visit as endless, and the wheel halts. In package
// riicarus, this happens when one call to ProcessTick exceeds the limit.
const RerunsMax = 999

// run fires the timers that have no rounds left, in order, and decrements the rounds of the others.
func (v *visit) run() {
	w := v.w
	s := &w.Slots[v.slot]
	waiting := s.Waiting(&w.Arena)
	if w.Arena.Aborted {
		return
	}
	v.due = int64(s.Live()) - int64(waiting)
	if w.Log != nil {
		w.EmitHand(0, v.slot, waiting)
	}
	for k, more := 0, true; more && k < len(s.IDs) && w.Arena.Spend(1); k++ {
		if s.IDs[k] == 0 {
			continue
		}
		last := v.isLast(k)
		v.processEntry(k)
		more = k+1 < v.atStart || v.p.ContinuesVisit() && !last && !w.Halted
	}
	if v.again != 0 && !w.Stopped() {
		w.EmitFinding(wheel.CodeStorm, v.again, v.due, v.runs)
	}
}

// isLast reports whether entry k is the last one with a timer: all entries of the visited slot after it have ID 0.
func (v *visit) isLast(k int) bool {
	for _, i := range v.w.Slots[v.slot].IDs[k+1:] {
		if i != 0 || !v.w.Arena.Spend(1) {
			return false
		}
	}
	return true
}

// processEntry fires the timer of entry k if it has no rounds left. Otherwise it decrements the
// rounds.
func (v *visit) processEntry(k int) {
	w := v.w
	s := &w.Slots[v.slot]
	w.Costs.Touched++
	switch i := s.IDs[k]; {
	case s.Rounds[k] > 0:
		s.Rounds[k]--
		if k >= v.atStart {
			v.emitAgain(k)
		}
	case !w.Halted:
		s.IDs[k] = 0
		s.DeadCount++
		v.fire(i, k >= v.atStart)
	}
}

// fire fires the timer at index i, which has been removed from the slot, schedules its next run, if
// any, and emits the findings about the run that has fired. rerun is whether the run that has fired
// was itself scheduled during the visit.
func (v *visit) fire(i uint32, rerun bool) {
	w := v.w
	n := w.Arena.At(i)
	key, aim, extra := n.Key, v.p.Aim(i, n), v.p.ExtraRun(i, n)
	v.runs++
	v.fired = w.Expire(v.p, i, n, 0, v.slot, v.fired)
	w.EmitDeferred(key)
	if extra.Code != wheel.CodeNone {
		w.EmitFinding(extra.Code, key, extra.Expect, extra.Got)
	}
	if !rerun {
		w.EmitOffTime(key, aim, w.At, w.U)
		return
	}
	if v.again == 0 {
		v.again = key
	}
	if v.runs-v.due >= RerunsMax && !w.Halted {
		w.EmitFinding(wheel.CodeStuck, key, v.due, v.runs)
	}
}

// emitAgain reports the new number of rounds of entry k, whose timer was added to the slot during
// this visit and has already lost a round. It emits a place event that names the slot as both source
// and destination, because the timer does not move.
func (v *visit) emitAgain(k int) {
	w := v.w
	if w.Log == nil {
		return
	}
	s := &w.Slots[v.slot]
	e := wheel.Event{Kind: wheel.KindPlace, X: s.Rounds[k], FromSlot: v.slot, ToSlot: v.slot}
	n := w.Arena.At(s.IDs[k])
	e.ID, e.Due, e.Run = n.Key, n.Due, w.Arena.Run(n)
	for _, i := range s.IDs[k+1:] {
		if i != 0 {
			e.Before = w.Arena.At(i).Key
			break
		}
		if !w.Arena.Spend(1) {
			return
		}
	}
	w.Emit(e)
}
