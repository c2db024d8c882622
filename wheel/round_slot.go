package wheel

// roundSlot is a slot with the rounds left beside the index of each timer, so
// that a visit reads no node of a timer that stays. A cancel therefore writes a
// tombstone: id 0.
type roundSlot struct {
	slot
	rounds []int64
}

func (s *roundSlot) add(a *arena, spares *spares, i uint32, n *node, rounds int64) {
	s.slot.add(a, spares, i, n)
	s.rounds = append(s.rounds, rounds)
}

// remove takes out the timer at pos and keeps the two vectors in step.
func (s *roundSlot) remove(a *arena, pos uint32) {
	s.ids[pos], s.rounds[pos] = 0, 0
	s.dead++
	for len(s.ids) > 0 && s.ids[len(s.ids)-1] == 0 && a.spend(1) {
		s.cut(len(s.ids) - 1)
		s.dead--
	}
	if s.dead > 16 && s.dead*2 > len(s.ids) {
		s.settle(a, 0, 0)
	}
}

func (s *roundSlot) cut(n int) { s.ids, s.rounds = s.ids[:n], s.rounds[:n] }

// settle closes the gaps as slot.settle does.
func (s *roundSlot) settle(a *arena, kept, from int) {
	for k := from; k < len(s.ids); k++ {
		if !a.spend(1) {
			return
		}
		if i := s.ids[k]; i != 0 {
			s.keep(a, kept, k)
			kept++
		}
	}
	s.cut(kept)
	s.dead = 0
}

// keep moves the timer at index `from` to index `to`.
func (s *roundSlot) keep(a *arena, to, from int) {
	if to == from {
		return
	}
	s.ids[to], s.rounds[to] = s.ids[from], s.rounds[from]
	a.at(s.ids[to]).pos = uint32(to)
}

// giveBack gives up the vectors of an emptied slot where they are large.
func (s *roundSlot) giveBack(a *arena, spares *spares) {
	s.ids = spares.give(a, s.ids)
	if cap(s.rounds) >= 1<<spareStays {
		s.rounds = nil
	}
}

// waiting counts the timers that have rounds left.
func (s *roundSlot) waiting(a *arena) (n uint32) {
	for k, r := range s.rounds {
		if !a.spend(1) {
			return n
		}
		if r > 0 && s.ids[k] != 0 {
			n++
		}
	}
	return n
}

// cloneRoundSlots copies a wheel's slots without their spare capacity.
func cloneRoundSlots(slots []roundSlot) []roundSlot {
	c := make([]roundSlot, len(slots))
	for i := range slots {
		v := &slots[i]
		c[i].slot = slot{ids: append([]uint32(nil), v.ids...), dead: v.dead}
		c[i].rounds = append([]int64(nil), v.rounds...)
	}
	return c
}

// roundSlotSize is the size of a roundSlot: that of a slot, and a third vector.
const roundSlotSize = slotSize + 24

func roundSlotBytes(slots []roundSlot) int64 {
	n := int64(cap(slots)) * roundSlotSize
	for i := range slots {
		n += slots[i].bytes() + int64(cap(slots[i].rounds))*8
	}
	return n
}
