package core

// RoundSlot is a slot with the rounds left beside the index of each timer, so
// that a visit reads no node of a timer that stays. A cancel therefore writes a
// tombstone: id 0.
type RoundSlot struct {
	Slot
	Rounds []int64
}

func (s *RoundSlot) Add(a *Arena, spares *FreeList, i uint32, n *Node, rounds int64) {
	s.Slot.Add(a, spares, i, n)
	s.Rounds = append(s.Rounds, rounds)
}

// Remove takes out the timer at pos and keeps the two vectors in step.
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

// CloseGaps closes the gaps as slot.settle does.
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

// Keep moves the timer at index `from` to index `to`.
func (s *RoundSlot) Keep(a *Arena, to, from int) {
	if to == from {
		return
	}
	s.IDs[to], s.Rounds[to] = s.IDs[from], s.Rounds[from]
	a.At(s.IDs[to]).Pos = uint32(to)
}

// GiveBack gives up the vectors of an emptied slot where they are large.
func (s *RoundSlot) GiveBack(a *Arena, spares *FreeList) {
	s.IDs = spares.Give(a, s.IDs)
	if cap(s.Rounds) >= 1<<freeStays {
		s.Rounds = nil
	}
}

// Waiting counts the timers that have rounds left.
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

// CloneRoundSlots copies a wheel's slots without their spare capacity.
func CloneRoundSlots(slots []RoundSlot) []RoundSlot {
	c := make([]RoundSlot, len(slots))
	for i := range slots {
		v := &slots[i]
		c[i].Slot = Slot{IDs: append([]uint32(nil), v.IDs...), DeadCount: v.DeadCount}
		c[i].Rounds = append([]int64(nil), v.Rounds...)
	}
	return c
}

// roundSlotSize is the size of a RoundSlot: that of a slot, and a third vector.
const roundSlotSize = slotSize + 24

func RoundSlotBytes(slots []RoundSlot) int64 {
	n := int64(cap(slots)) * roundSlotSize
	for i := range slots {
		n += slots[i].Bytes() + int64(cap(slots[i].Rounds))*8
	}
	return n
}
