package lk668

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
	"github.com/wheelscope/wheelscope/wheel/port/internal/ring"
)

// PlaceNode implements [core.Placer]. It computes the slot and the rounds of node n, which has index i, as
// the library's function addTask does, but without the faults that are switched off.
func (w *lk668) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	if !w.Visiting {
		return w.placeFirst(i, n)
	}
	if w.Faults.Has(lk668Interval) {
		return w.placeRepeat(i, n)
	}
	delta := w.Aim(i, n) - w.At
	if delta < 0 {
		return w.AtOnce(n, w.Reference())
	}
	return w.PlaceAhead(i, n, delta)
}

// placeFirst puts node n, which has index i and whose timer is being scheduled, into the slot for the
// first run of the timer that does not fire immediately. It computes the slot and the rounds as the
// library's function getPosAndCircleByCreatedTime does.
func (w *lk668) placeFirst(i uint32, n *core.Node) core.PlaceResult {
	d := n.Due - w.CallTime()
	switch {
	case d <= 0 && w.Faults == 0:
		w.passed = 0
		if !w.HasReached(n.Due) {
			return w.PlaceAhead(i, n, n.Due-w.Reached)
		}
		return w.AtOnce(n, w.Reference())
	case d <= 0:
		return core.BadPast // AddTask: "Invalid task params"
	case !w.unit.Holds(d):
		return core.BadRange
	}
	u, whole := w.unit.Of(w.U), w.unit.Of(d)
	if u == 0 || whole == 0 {
		return w.Fail(1, 0)
	}
	full, spread := w.unit.Of(n.Due-w.Reference()), ring.Rest(w.unit.Of(w.passed), whole)
	delta := full - spread
	if delta > wheel.TickMax { // created in the far future
		return core.BadRange
	}
	w.passed = 0 // a run that is placed by the same call counts from its due tick
	by, circle := w.Turns(delta, u)
	if spread != 0 && w.Faults.Has(lk668Created) {
		_, circle = w.Turns(full, u)
	}
	if by == 0 && circle > 0 && w.Faults.Has(lk668Revolution) {
		circle--
	}
	return w.Put(i, n, w.SlotPast(w.Hand, by), circle)
}

// placeRepeat puts node n, which has index i and whose repeating timer has just fired, into the
// slot for the next run. It computes the slot and the rounds as the library's function
// getPosAndCircleByInterval does. If the interval is a multiple of a revolution, the timer stays in
// the slot that is being visited, and gets one round fewer, because the next visit to that slot is a
// whole revolution later. placeRepeat divides by the length of a wheel tick in units of w.unit. This
// length is not 0, because placeFirst would have rejected the first run.
func (w *lk668) placeRepeat(i uint32, n *core.Node) core.PlaceResult {
	u, d := w.unit.Of(w.U), w.unit.Of(w.Arena.Repeats.Items[n.Repeat].Every)
	by, circle := w.Turns(d, u)
	if by == 0 && circle > 0 {
		circle--
	}
	return w.Put(i, n, w.SlotPast((w.Ticks-1)%w.N, by), circle)
}
