package hierarchical

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// Reschedule changes the due tick of timer t; see [wheel.Rescheduler]. If the hand reaches the present slot of the
// timer no later than the new due tick, only the node changes: the timer is postponed, and moves when the slot is
// visited. Otherwise it moves now.
func (w *hierarchical) Reschedule(t wheel.Timer, due wheel.Tick) (wheel.Tick, bool) {
	n := w.Arena.Lookup(t) // not Find, which would write a counter
	if n == nil || w.Arena.Aborted || n.State > core.StateMigrated && n.State != core.StatePostponed || n.Repeat != 0 || w.Log != nil ||
		w.config.Migration != MigrateFull || w.config.Floor {
		return 0, false
	}
	due = max(due, w.Reached+1)
	waits := len(w.Visits) > 0 && w.Waits(n)
	if !waits && (due >= n.Due || core.CeilDiv(due, w.u) >= w.visitedAt(n.Slot)) {
		n.Due, n.State = due, core.StatePostponed
		return due, true
	}
	n.Due = due
	w.move(t.Index(), n, core.CeilDiv(due, w.u))
	return due, true
}

// move puts node n, which has index i, into the slot for wheel tick e.
func (w *hierarchical) move(i uint32, n *core.Node, e int64) {
	w.Unlink(&w.Base, n)
	l, index := w.levelWithin(n, e)
	w.Put(&w.Arena, i, n, l, index)
}

// visitedAt returns the wheel tick at which the hand reaches the given slot next.
func (w *hierarchical) visitedAt(slot uint32) int64 {
	l := &w.Levels[w.LevelOf(slot)]
	d := int64(slot-l.First) - int64(l.SlotOf(l.Hand))
	if d <= 0 {
		d += l.N
	}
	return (l.Hand + d) * l.Width
}

// settleMax is the number of entries that one call to settle examines.
const settleMax = 1 << 10

// settle moves postponed timers to the slots of their due ticks. Each call examines up to settleMax entries of slots. It
// reports whether more remain.
func (w *hierarchical) settle() (more bool) {
	for left := settleMax; left > 0; left-- {
		c := &w.settled
		if c.left == 0 {
			if c.slots == len(w.Slots) {
				*c = settled{}
				return false
			}
			c.slots++
			c.left = len(w.Slots[c.slots-1].IDs)
			continue
		}
		s := &w.Slots[c.slots-1]
		if c.left = min(c.left, len(s.IDs)); c.left == 0 {
			continue
		}
		c.left-- // from the last entry to the first, because removals move entries only downwards
		i := s.IDs[c.left]
		if n := w.Arena.At(i); n.State == core.StatePostponed && s.Holds(&w.Arena, uint32(c.slots-1), c.left) && !w.Waits(n) {
			w.move(i, n, w.tickOf(n))
		}
	}
	return true
}

// settled is the position of settle: the number of slots that it has begun to examine, and the number of entries that
// are left in the last of them.
type settled struct{ slots, left int }
