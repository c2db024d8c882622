package wheel

// slot is a vector of timers in order of arrival. A timer that is cancelled
// leaves a tombstone (0); when half are dead the vector is compacted.
type slot struct {
	ids  []uint32
	dead int
}

func (s *slot) live() int { return len(s.ids) - s.dead }

// add puts timer i at the tail.
func (s *slot) add(a *arena, spares *spares, i uint32, n *node) {
	if len(s.ids) == cap(s.ids) {
		s.ids = spares.grow(a, s.ids)
	}
	n.pos = uint32(len(s.ids))
	s.ids = append(s.ids, i)
}

// remove takes out the timer at pos.
func (s *slot) remove(a *arena, pos uint32) {
	s.ids[pos] = 0
	s.dead++
	for len(s.ids) > 0 && s.ids[len(s.ids)-1] == 0 {
		s.ids = s.ids[:len(s.ids)-1]
		s.dead--
	}
	if s.dead > 16 && s.dead*2 > len(s.ids) {
		s.settle(a, 0, 0)
	}
}

// settle closes the gaps: keeps ids[:kept], then every live id from index `from`
// on. A visit of the slot ends with it: kept are those that stay, `from` is
// where those begin that came during the visit.
func (s *slot) settle(a *arena, kept, from int) {
	for _, i := range s.ids[from:] {
		if i != 0 {
			s.ids[kept] = i
			a.at(i).pos = uint32(kept)
			kept++
		}
	}
	s.ids = s.ids[:kept]
	s.dead = 0
}

// cloneSlots copies a wheel's slots without their spare capacity.
func cloneSlots(slots []slot) []slot {
	total := 0
	for i := range slots {
		total += len(slots[i].ids)
	}
	all := make([]uint32, 0, total)
	copies := make([]slot, len(slots))
	for i := range slots {
		from := len(all)
		all = append(all, slots[i].ids...)
		copies[i] = slot{all[from:len(all):len(all)], slots[i].dead}
	}
	return copies
}

func slotBytes(slots []slot) int64 {
	n := int64(cap(slots)) * 32
	for i := range slots {
		n += int64(cap(slots[i].ids)) * 4
	}
	return n
}
