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

// RoundSlot is a slot that also stores the remaining rounds of each entry, so that a visit does
// not read the nodes of timers that remain in the slot. A cancelled timer leaves a dead entry,
// which has ID 0.
type RoundSlot struct {
	Slot
	Rounds []int64 // remaining rounds of each entry of IDs
}

// Add appends node n, which has index i and the given number of rounds left, to the slot. If s.IDs is
// full, Add replaces it with a larger vector (see [FreeList]).
func (s *RoundSlot) Add(a *Arena, free *FreeList, i uint32, n *Node, rounds int64) {
	s.Slot.Add(a, free, i, n)
	s.Rounds = append(s.Rounds, rounds)
}

// Remove removes the timer at index pos from the slot. It may move the other entries to close gaps.
func (s *RoundSlot) Remove(a *Arena, pos uint32) {
	s.IDs[pos], s.Rounds[pos] = 0, 0
	s.DeadCount++
	for len(s.IDs) > 0 && s.IDs[len(s.IDs)-1] == 0 && a.Spend(1) {
		s.cut(len(s.IDs) - 1)
		s.DeadCount--
	}
	if s.DeadCount > 16 && s.DeadCount*2 > len(s.IDs) {
		s.CloseGaps(a, 0, 0)
	}
}

func (s *RoundSlot) cut(n int) { s.IDs, s.Rounds = s.IDs[:n], s.Rounds[:n] }

// CloseGaps removes the entries IDs[kept:from] and the dead entries in IDs[from:]. It moves the
// remaining entries down to close the gaps, preserving their order. At the end of a visit,
// IDs[:kept] are the timers that remain in the slot, and IDs[from:] those that were added during
// the visit.
func (s *RoundSlot) CloseGaps(a *Arena, kept, from int) {
	for k := from; k < len(s.IDs); k++ {
		if !a.Spend(1) {
			return
		}
		if i := s.IDs[k]; i != 0 {
			s.Keep(a, kept, k)
			kept++
		}
	}
	s.cut(kept)
	s.DeadCount = 0
}

// Keep moves the entry at index from, which must not be dead, to index to, and updates the Pos
// field of its node. It overwrites the entry at index to. If the indices are equal, Keep does
// nothing.
func (s *RoundSlot) Keep(a *Arena, to, from int) {
	if to == from {
		return
	}
	s.IDs[to], s.Rounds[to] = s.IDs[from], s.Rounds[from]
	a.At(s.IDs[to]).Pos = uint32(to)
}

// GiveBack releases the vectors of an empty slot if they are large: it moves IDs to the free list
// and drops Rounds.
func (s *RoundSlot) GiveBack(a *Arena, free *FreeList) {
	s.IDs = free.Give(a, s.IDs)
	if cap(s.Rounds) >= 1<<freeStays {
		s.Rounds = nil
	}
}

// Waiting returns the number of timers in the slot that have rounds left.
func (s *RoundSlot) Waiting(a *Arena) (n uint32) {
	for k, r := range s.Rounds {
		if !a.Spend(1) {
			return n
		}
		if r > 0 && s.IDs[k] != 0 {
			n++
		}
	}
	return n
}

// copyRoundSlots copies slots, without their spare capacity. The IDs of all copied slots share one array, and their
// Rounds another.
func copyRoundSlots(slots []RoundSlot) []RoundSlot {
	n := 0
	for i := range slots {
		n += len(slots[i].IDs)
	}
	ids, rounds := make([]uint32, 0, n), make([]int64, 0, n)
	c := make([]RoundSlot, len(slots))
	for i := range slots {
		v, from := &slots[i], len(ids)
		ids, rounds = append(ids, v.IDs...), append(rounds, v.Rounds...)
		c[i] = RoundSlot{Slot{IDs: ids[from:len(ids):len(ids)], DeadCount: v.DeadCount}, rounds[from:len(rounds):len(rounds)]}
	}
	return c
}

// roundSlotSize is the size of a RoundSlot in bytes, without its vectors.
const roundSlotSize = slotSize + 24

// roundSlotBytes returns the memory used by slots and their vectors, in bytes.
func roundSlotBytes(slots []RoundSlot) int64 {
	n := int64(cap(slots)) * roundSlotSize
	for i := range slots {
		n += slots[i].Bytes() + int64(cap(slots[i].Rounds))*8
	}
	return n
}
