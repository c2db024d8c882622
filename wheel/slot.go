package wheel

// slot is a vector of timers in order of arrival. A timer that is cancelled
// leaves its entry behind, dead: nothing is written there, which would be one
// more cache miss. When half of the entries are dead the vector is compacted.
type slot struct {
	ids  []uint32
	dead int // entries whose timer has left; less than len(ids), or both are 0
}

func (s *slot) live() int { return len(s.ids) - s.dead }

// holds says whether the timer of entry k, in the slot of that index, still
// stands there.
func (s *slot) holds(a *arena, index uint32, k int) bool {
	n := a.at(s.ids[k])
	return n.pos == uint32(k) && n.slot == index && n.state != stateFree
}

// add puts timer i at the tail.
func (s *slot) add(a *arena, spares *spares, i uint32, n *node) {
	pos := len(s.ids)
	if pos == cap(s.ids) {
		s.ids = spares.grow(a, s.ids)
	}
	n.pos = uint32(pos)
	s.ids = s.ids[:pos+1]
	s.ids[pos] = i
}

// remove forgets the timer that stood at pos and has been released.
func (s *slot) remove(a *arena, index, pos uint32) {
	last := len(s.ids) - 1
	if int(pos) == last {
		s.ids = s.ids[:last]
		if s.dead == 0 {
			return
		}
	} else {
		s.dead++
	}
	switch {
	case s.dead == len(s.ids):
		s.ids, s.dead = s.ids[:0], 0
	case s.dead > 16 && s.dead*2 > len(s.ids):
		s.settle(a, index, 0, 0)
	}
}

// settle closes the gaps: keeps ids[:kept], then every live entry from `from` on.
// A visit of the slot ends with it: kept are those that stay, `from` is where
// those begin that came during the visit.
func (s *slot) settle(a *arena, index uint32, kept, from int) {
	for k := from; k < len(s.ids); k++ {
		if s.holds(a, index, k) {
			s.ids[kept] = s.ids[k]
			a.at(s.ids[k]).pos = uint32(kept)
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
