package wheel

// slot is a vector of timers in order of arrival. A timer that is cancelled
// leaves its entry behind, dead: nothing is written there, which would be one
// more cache miss. When half of the entries are dead the vector is compacted.
type slot struct {
	ids  []uint32
	dead int      // entries whose timer has left; less than len(ids), or both are 0
	gone []uint64 // a bit an entry: cancelled. So compacting reads no timer
}

// goneStays is how many words of gone an empty slot keeps.
const goneStays = 64

func (s *slot) live() int { return len(s.ids) - s.dead }

// holds says whether the timer of entry k, in the slot of that index, still
// stands there.
func (s *slot) holds(a *arena, index uint32, k int) bool {
	n := a.at(s.ids[k])
	return n.pos == uint32(k) && n.slot == index && n.state != stateFree
}

// warmAhead is how many entries are warmed at a time: 2 kB or 4 kB of timers, a small
// part of the nearest cache.
const warmAhead = 64

// warm reads the next timers of a slot that is visited, k being a multiple of
// warmAhead and `here` where the visit ends. They lie anywhere in the arena, and to
// work on each waits for its line of memory; reads that do nothing else wait for many
// lines at once: the more, the shorter their loop, so it is kept out of larger functions.
// What it gives means nothing: it is kept so that the reads are made.
//
//go:noinline
func (s *slot) warm(a *arena, k, here int) uint32 {
	var sum uint32
	for _, i := range s.ids[k:min(k+warmAhead, here)] {
		sum += a.at(i).state
	}
	return sum
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
func (s *slot) remove(a *arena, pos uint32) {
	if last := len(s.ids) - 1; int(pos) == last {
		s.ids = s.ids[:last]
		if s.dead == 0 {
			return
		}
	} else {
		s.bury(pos)
	}
	switch {
	case s.dead == len(s.ids):
		s.ids = s.ids[:0]
		s.raise()
	case s.dead > 16 && s.dead*2 > len(s.ids):
		s.compact(a)
	}
}

// bury notes that the entry at pos is dead.
func (s *slot) bury(pos uint32) {
	s.dead++
	word := int(pos >> 6)
	if word >= len(s.gone) {
		s.gone = append(s.gone, make([]uint64, word+1-len(s.gone))...)
	}
	s.gone[word] |= 1 << (pos & 63)
}

// buried says whether the timer of entry k was cancelled.
func (s *slot) buried(k int) bool {
	word := k >> 6
	return word < len(s.gone) && s.gone[word]>>(k&63)&1 == 1
}

// raise forgets the dead entries, which have been taken out.
func (s *slot) raise() {
	s.dead = 0
	if len(s.ids) == 0 && cap(s.gone) > goneStays {
		s.gone = nil
	}
	clear(s.gone)
}

// compact closes the gaps that cancelled timers have left.
func (s *slot) compact(a *arena) {
	kept := 0
	for k, i := range s.ids {
		if !a.spend(1) {
			return
		}
		if s.buried(k) {
			continue
		}
		s.ids[kept] = i
		a.at(i).pos = uint32(kept)
		kept++
	}
	s.ids = s.ids[:kept]
	s.raise()
}

// settle ends a visit of the slot: it keeps ids[:kept], which stay, and what came
// during the visit, from index `from` on, and closes the gap between the two.
func (s *slot) settle(a *arena, index uint32, kept, from int) {
	for k := from; k < len(s.ids); k++ {
		if !a.spend(1) {
			return
		}
		if s.holds(a, index, k) {
			s.ids[kept] = s.ids[k]
			a.at(s.ids[k]).pos = uint32(kept)
			kept++
		}
	}
	s.ids = s.ids[:kept]
	s.raise()
}

// slotSize is the size of a slot without what its vectors hold.
const slotSize = 56

func slotBytes(slots []slot) int64 {
	n := int64(cap(slots)) * slotSize
	for i := range slots {
		n += slots[i].bytes()
	}
	return n
}

// bytes is the memory of the slot's vectors.
func (s *slot) bytes() int64 { return int64(cap(s.ids))*4 + int64(cap(s.gone))*8 }
