package core

import "github.com/wheelscope/wheelscope/wheel"

// RoundSlots is an array of slots with rounds, and a bitmap of the occupied ones.
type RoundSlots struct {
	Slots    []RoundSlot
	Occupied Bitmap
	FreeList FreeList
}

// NewRoundSlots returns a RoundSlots with n empty slots.
func NewRoundSlots(n int) RoundSlots {
	return RoundSlots{Slots: make([]RoundSlot, n), Occupied: NewBitmap(n)}
}

// CancelTimer removes timer t of wheel b in O(1) time. It returns false if t is not scheduled.
func (w *RoundSlots) CancelTimer(b *Base, t wheel.Timer) bool {
	n := b.Arena.Find(t)
	if n == nil {
		return false
	}
	b.Costs.Touched++
	b.Counts.Cancelled++
	if b.Log != nil {
		b.EmitCancel(n, 0, n.Slot)
	}
	w.Slots[n.Slot].Remove(&b.Arena, n.Pos)
	w.ReleaseEmpty(&b.Arena, n.Slot)
	b.Arena.Release(t.Index(), n)
	return true
}

// ReleaseEmpty records in the bitmap that slot s is empty, and releases its vectors if they are
// large. If s is not empty, ReleaseEmpty does nothing.
func (w *RoundSlots) ReleaseEmpty(a *Arena, s uint32) {
	if v := &w.Slots[s]; len(v.IDs) == 0 {
		w.Occupied.Clear(s)
		v.GiveBack(a, &w.FreeList)
	}
}

// AppendSlots appends the occupied slots to s. It includes at most limit timers of each slot, with
// their rounds, or all if limit is AllEntries.
func (w *RoundSlots) AppendSlots(a *Arena, s *wheel.State, limit int) {
	for i := w.Occupied.Next(0); i >= 0; i = w.Occupied.Next(uint32(i) + 1) {
		AppendSlot(s, a, wheel.Place{Slot: uint32(i)}, uint32(i), &w.Slots[i].Slot, w.Slots[i].Rounds, limit)
	}
}

// Clone copies the slots, without their spare capacity. The free list is not copied.
func (w *RoundSlots) Clone() RoundSlots {
	return RoundSlots{Slots: copyRoundSlots(w.Slots), Occupied: w.Occupied.Clone()}
}

// Bytes returns the memory used by the slots, the free list and the bitmap, in bytes.
func (w *RoundSlots) Bytes() int64 {
	return roundSlotBytes(w.Slots) + w.FreeList.Bytes() + w.Occupied.Bytes()
}

// RoundSlots checks every slot of w. belongs reports whether the timer of node n may be in slot v,
// which has number s.
func (c *Checker) RoundSlots(w *RoundSlots, belongs func(s int64, v *RoundSlot, n *Node) bool) {
	for s := range w.Slots {
		v := &w.Slots[s]
		if len(v.Rounds) != len(v.IDs) {
			c.Fail("slot %d has %d timers and %d rounds", s, len(v.IDs), len(v.Rounds))
			return
		}
		c.Slot(&v.Slot, uint32(s), func(n *Node) bool { return belongs(int64(s), v, n) })
		c.Occupied(&w.Occupied, uint32(s), len(v.IDs) > 0)
	}
}
