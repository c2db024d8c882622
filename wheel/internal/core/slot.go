package core

// Slot is a vector of timers in order of arrival. A timer that is cancelled leaves a dead
// entry behind: writing there would be one more cache miss. When more than half of the
// entries are dead the vector is compacted, compactStride entries with each timer that is
// cancelled, so that none of them pays for the whole slot.
//
// In a vector that is being compacted the entries before kept have been processed, those from
// kept to moved are dead, and those from moved on have not been processed yet.
type Slot struct {
	IDs       []uint32
	DeadBits  []uint64 // one bit per entry: dead. So compacting reads no dead timer
	DeadCount int      // entries whose timer has left; less than len(IDs), or both are 0
	kept      uint32
	moved     uint32 // 0: the vector is not being compacted
}

// deadWordsMax is how many words of DeadBits an empty slot keeps.
const deadWordsMax = 64

// Live returns the number of timers in the slot.
func (s *Slot) Live() int { return len(s.IDs) - s.DeadCount }

// Holds reports whether the timer of entry k is still in this slot, which has that index
// over all levels.
func (s *Slot) Holds(a *Arena, index uint32, k int) bool {
	n := a.At(s.IDs[k])
	return n.Pos == uint32(k) && n.Slot == index && n.State != StateFree
}

// SideSlot is Node.Slot of a timer that is on a side list or in a queue before the slots.
const SideSlot = ^uint32(0)

// PrefetchBatch is how many entries are prefetched at a time: 2 kB or 4 kB of timers, a
// small part of the nearest cache.
const PrefetchBatch = 64

// Prefetch reads the next timers of a slot that is visited; k is a multiple of
// PrefetchBatch, and the visit ends at entry here. The timers are anywhere in the arena, so
// that processing them one by one waits for each line of memory. Reads without other work
// between them wait for many lines at once; they need a short loop, so Prefetch is not
// inlined. The caller keeps the result so that the compiler keeps the reads; it has no
// meaning.
//
//go:noinline
func (s *Slot) Prefetch(a *Arena, k, here int) uint32 {
	var sum uint32
	for _, i := range s.IDs[k:min(k+PrefetchBatch, here)] {
		sum += a.At(i).State
	}
	return sum
}

// Add appends timer i.
func (s *Slot) Add(a *Arena, spares *FreeList, i uint32, n *Node) {
	pos := len(s.IDs)
	if pos == cap(s.IDs) {
		s.IDs = spares.grow(a, s.IDs)
	}
	n.Pos = uint32(pos)
	s.IDs = s.IDs[:pos+1]
	s.IDs[pos] = i
}

// Remove removes the timer at pos, which has been released.
func (s *Slot) Remove(a *Arena, pos uint32) {
	if last := len(s.IDs) - 1; int(pos) == last {
		s.IDs = s.IDs[:last]
		if s.DeadCount == 0 {
			return
		}
	} else {
		s.markDead(pos)
	}
	switch {
	case s.DeadCount == len(s.IDs):
		s.IDs = s.IDs[:0]
		s.clearDead()
	case s.moved > 0 || s.DeadCount > 16 && s.DeadCount*2 > len(s.IDs):
		s.compact(a)
	}
}

// markDead records that the entry at pos is dead.
func (s *Slot) markDead(pos uint32) {
	s.DeadCount++
	word := int(pos >> 6)
	if word >= len(s.DeadBits) {
		s.DeadBits = append(s.DeadBits, make([]uint64, word+1-len(s.DeadBits))...)
	}
	s.DeadBits[word] |= 1 << (pos & 63)
}

// isDead reports whether the timer of entry k was cancelled.
func (s *Slot) isDead(k int) bool {
	word := k >> 6
	return word < len(s.DeadBits) && s.DeadBits[word]>>(k&63)&1 == 1
}

// clearDead resets the record of dead entries after they were removed.
func (s *Slot) clearDead() {
	s.DeadCount, s.kept, s.moved = 0, 0, 0
	if len(s.IDs) == 0 && cap(s.DeadBits) > deadWordsMax {
		s.DeadBits = nil
	}
	clear(s.DeadBits)
}

// compactStride is how many entries are processed at a time. One would be too few, since
// entries are added and die meanwhile; with this many, the reads of timers scattered in
// memory overlap.
const compactStride = 64

// compact processes the next entries of a vector and moves the live ones down, next to each
// other. It updates the bits of dead entries at the same time, so that they and their number
// are always right. After the last entry the vector is truncated.
func (s *Slot) compact(a *Arena) {
	end := min(int(s.moved)+compactStride, len(s.IDs))
	if !a.Spend(int64(end) - int64(s.moved)) {
		return
	}
	kept := s.kept
	for k := s.moved; k < uint32(end); k++ {
		if s.isDead(int(k)) {
			continue
		}
		if k != kept {
			i := s.IDs[k]
			s.IDs[kept] = i
			a.At(i).Pos = kept
			s.DeadBits[kept>>6] &^= 1 << (kept & 63)
			s.markMoved(k)
		}
		kept++
	}
	s.kept, s.moved = kept, uint32(end)
	if end == len(s.IDs) {
		s.endCompaction()
	}
}

// markMoved records that entry k, which was live, is dead and another entry is live instead.
func (s *Slot) markMoved(k uint32) {
	s.markDead(k)
	s.DeadCount--
}

// endCompaction truncates the vector at kept; all entries from there on are dead.
func (s *Slot) endCompaction() {
	kept := s.kept
	s.DeadCount -= len(s.IDs) - int(kept)
	s.IDs = s.IDs[:kept]
	s.kept, s.moved = 0, 0
	if word := int(kept >> 6); word < len(s.DeadBits) {
		s.DeadBits[word] &= 1<<(kept&63) - 1
		clear(s.DeadBits[word+1:])
	}
}

// CloseGaps ends a visit of the slot. It keeps IDs[:kept] and the timers that were added
// during the visit, from index from on, and removes everything between the two.
func (s *Slot) CloseGaps(a *Arena, index uint32, kept, from int) {
	for k := from; k < len(s.IDs); k++ {
		if !a.Spend(1) {
			return
		}
		if s.Holds(a, index, k) {
			s.IDs[kept] = s.IDs[k]
			a.At(s.IDs[k]).Pos = uint32(kept)
			kept++
		}
	}
	s.IDs = s.IDs[:kept]
	s.clearDead()
}

// slotSize is the size of a slot without what its vectors hold.
const slotSize = 64

// SlotBytes returns the memory of slots and their vectors.
func SlotBytes(slots []Slot) int64 {
	n := int64(cap(slots)) * slotSize
	for i := range slots {
		n += slots[i].Bytes()
	}
	return n
}

// Bytes returns the memory of the slot's vectors.
func (s *Slot) Bytes() int64 { return int64(cap(s.IDs))*4 + int64(cap(s.DeadBits))*8 }
