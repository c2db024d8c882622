package hierarchical

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// Reschedules reports whether Reschedule may be called: timers must move to finer levels until they are due, and the
// range of the wheel, including levels that it may add, must be more than 2·ShareMax ticks.
func (w *hierarchical) Reschedules() bool {
	if w.config.Migration != MigrateFull || w.config.Floor {
		return false
	}
	top := &w.Levels[len(w.Levels)-1]
	n, width := top.N, top.Width
	if w.config.Grow {
		for range w.config.maxLevels() - len(w.Levels) {
			width = core.SpanOf(n, width)
		}
	}
	return core.SpanOf(n-1, width) > 2*wheel.ShareMax/w.u
}

// Reschedule changes the due tick of timer t; see [wheel.Rescheduler]. If the new due tick is not before the tick at
// which the hand reaches the present slot of the timer, only the node changes: the timer is postponed, and moves when
// the slot is visited. Otherwise it moves now.
func (w *hierarchical) Reschedule(t wheel.Timer, due wheel.Tick) (wheel.Tick, bool) {
	n := w.Arena.Find(t)
	if n == nil || n.State > core.StateMigrated && n.State != core.StatePostponed || n.Repeat != 0 || w.Log != nil {
		return 0, false
	}
	due = max(due, w.Reached+1)
	e := core.CeilDiv(due, w.u)
	top := &w.Levels[len(w.Levels)-1]
	if top.Index(e)-top.Hand >= top.N && !w.grow(e) {
		return 0, false
	}
	w.Counts.Scheduled++
	w.Counts.Cancelled++
	w.Costs.Touched++
	if due >= n.Due || e >= w.visitedAt(n.Slot) {
		n.Due, n.State = due, core.StatePostponed
		return due, true
	}
	w.Unlink(&w.Base, n)
	n.Due = due
	n.State = core.StateLive
	l, index := w.levelFor(e)
	w.Put(&w.Arena, t.Index(), n, l, index)
	return due, true
}

// visitedAt returns the wheel tick at which the hand reaches the given slot next, or the current one if the slot is
// being visited.
func (w *hierarchical) visitedAt(slot uint32) int64 {
	l := &w.Levels[w.LevelOf(slot)]
	d := int64(slot-l.First) - int64(l.SlotOf(l.Hand))
	if d < 0 {
		d += l.N
	}
	return (l.Hand + d) * l.Width
}
