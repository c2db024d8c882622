package core

import (
	"math/bits"

	"github.com/wheelscope/wheelscope/wheel"
)

// Slot is a vector of timers in order of arrival. A cancelled timer leaves a dead entry, because
// overwriting the entry would cost one more cache miss. When more than 16 entries and more than half
// of all entries are dead, the vector is compacted: the cancellation that exceeds these limits and
// those after it process compactStride entries each, so that no single call has to process the whole
// slot.
//
// While a vector is being compacted, the entries IDs[:kept] have been processed, IDs[kept:moved]
// are dead, and IDs[moved:] have not been processed yet.
type Slot struct {
	IDs       []uint32 // the entries: indices of nodes
	DeadBits  []uint64 // one bit per entry, 1 if the entry is dead; bits beyond the end of the slice count as 0
	DeadCount int      // number of dead entries; less than len(IDs), except in an empty slot or during a visit
	kept      uint32   // number of entries that the current compaction has kept
	moved     uint32   // index of the first entry that the current compaction has not processed; 0 if there is no compaction
}

// deadWordsMax is the largest capacity, in words, of the DeadBits that an empty slot keeps.
const deadWordsMax = 64

// Live returns the number of timers in the slot.
func (s *Slot) Live() int { return len(s.IDs) - s.DeadCount }

// Holds reports whether the timer of entry k is still at this position of the slot. index is the index
// of the slot among the slots of all levels. Unlike isDead, Holds reads the node of the timer.
func (s *Slot) Holds(a *Arena, index uint32, k int) bool {
	n := a.At(s.IDs[k])
	return n.Pos == uint32(k) && n.Slot == index && n.State != StateFree
}

// SideSlot is the value of Node.Slot for timers outside the slots, on a side list or in a pending queue.
const SideSlot = ^uint32(0)

// PrefetchBatch is the maximum number of nodes that Slot.Prefetch reads. It is small enough for the
// nodes to remain in the first-level cache until they are processed: 64 cache lines take 4 kB.
const PrefetchBatch = 64

// Prefetch reads the nodes of the first PrefetchBatch entries of IDs[k:end] into the cache. The nodes
// are scattered throughout the arena. A caller that processes them one by one would wait for each
// cache line in turn, whereas the short loop of Prefetch waits for many lines concurrently. To keep
// the loop short, Prefetch is not inlined. The result is meaningless, but the caller must use it so
// that the compiler does not remove the reads.
//
//go:noinline
func (s *Slot) Prefetch(a *Arena, k, end int) uint32 {
	var sum uint32
	for _, i := range s.IDs[k:min(k+PrefetchBatch, end)] {
		sum += a.At(i).State
	}
	return sum
}

// Add appends node n, which has index i, to the slot. If s.IDs is full, Add replaces it with a larger
// vector (see [FreeList]).
func (s *Slot) Add(a *Arena, free *FreeList, i uint32, n *Node) {
	pos := len(s.IDs)
	if pos == cap(s.IDs) {
		s.IDs = free.grow(a, s.IDs)
	}
	n.Pos = uint32(pos)
	s.IDs = s.IDs[:pos+1]
	s.IDs[pos] = i
}

// Remove removes the timer at index pos, whose node must have been released (see [Arena.Release]).
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

// markDead records in DeadBits and DeadCount that entry pos is dead, that is, that its timer is no
// longer at this position.
func (s *Slot) markDead(pos uint32) {
	s.DeadCount++
	word := int(pos >> 6)
	if word >= len(s.DeadBits) {
		s.DeadBits = append(s.DeadBits, make([]uint64, word+1-len(s.DeadBits))...)
	}
	s.DeadBits[word] |= 1 << (pos & 63)
}

// isDead reports whether entry k is marked as dead in DeadBits. A visit does not mark the entries that
// it has processed, although their timers are no longer at these positions.
func (s *Slot) isDead(k int) bool {
	word := k >> 6
	return word < len(s.DeadBits) && s.DeadBits[word]>>(k&63)&1 == 1
}

// clearDead clears DeadBits and DeadCount, and ends any compaction. No dead entries may be left.
func (s *Slot) clearDead() {
	s.DeadCount, s.kept, s.moved = 0, 0, 0
	if len(s.IDs) == 0 && cap(s.DeadBits) > deadWordsMax {
		s.DeadBits = nil
	}
	clear(s.DeadBits)
}

// compactStride is the number of entries that one call to compact processes. It is greater than one
// so that a compaction finishes even if entries are added in the meantime, and so that reads of
// nodes, which are scattered in memory, can overlap.
const compactStride = 64

// compact begins or continues the compaction of the vector. It processes the next compactStride
// entries, moving those that are not dead down to close gaps, and updates DeadBits and DeadCount.
// Once the last entry has been processed, compact truncates the vector.
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

// markMoved records that entry k is dead because compact has moved its timer to the position of a
// dead entry. DeadCount does not change.
func (s *Slot) markMoved(k uint32) {
	s.markDead(k)
	s.DeadCount--
}

// endCompaction truncates the vector to its first s.kept entries. All entries after these are dead.
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

// CloseGaps removes the entries IDs[kept:from] and the dead entries in IDs[from:] at the end of a visit to the
// slot. IDs[:kept] are the timers that the visit has kept, and IDs[from:] the entries added during the visit.
// index is the index of the slot among the slots of all levels.
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

// slotSize is the size of a Slot in bytes, without its vectors.
const slotSize = 64

// SlotBytes returns the memory used by slots and their vectors, in bytes.
func SlotBytes(slots []Slot) int64 {
	n := int64(cap(slots)) * slotSize
	for i := range slots {
		n += slots[i].Bytes()
	}
	return n
}

// Bytes returns the memory used by the slot's vectors, in bytes.
func (s *Slot) Bytes() int64 { return int64(cap(s.IDs))*4 + int64(cap(s.DeadBits))*8 }

// AppendSlot appends slot v to s as a place, unless v has no timers. p contains the level and number of v. The place
// includes at most limit of the slot's timers, or all if limit is AllEntries. index is the index of v among the slots
// of all levels. If rounds is not nil, rounds[k] is the number of rounds left for entry k.
func AppendSlot(s *wheel.State, a *Arena, p wheel.Place, index uint32, v *Slot, rounds []int64, limit int) {
	p.Count = v.Live()
	if p.Count == 0 {
		return
	}
	if limit == wheel.AllEntries || limit > p.Count {
		limit = p.Count
	}
	if limit > 0 {
		p.Entries = s.Room(limit)
	}
	for k := 0; len(p.Entries) < limit; k++ {
		if !v.Holds(a, index, k) {
			continue
		}
		r := wheel.NoRounds
		if rounds != nil {
			r = rounds[k]
		}
		p.Entries = append(p.Entries, a.Entry(v.IDs[k], r))
	}
	s.Places = append(s.Places, p)
}

const (
	// freeFirst is the base-2 logarithm of the capacity, in node indices, of a vector that is newly
	// allocated for an empty slot. The vector of a slot holds the indices of the nodes of its
	// timers.
	freeFirst = 2
	// freeStays is the base-2 logarithm of the smallest capacity, in node indices, of the vectors
	// that are moved to the free list when their slot becomes empty. A smaller vector remains in
	// the empty slot.
	freeStays = 6
	// freeRoom and freeShare limit the total capacity of the vectors in a free list, in node
	// indices. The limit is freeRoom or the number of nodes divided by freeShare, whichever is
	// greater.
	freeRoom  = 4096
	freeShare = 4
	// freeEnd is the lowest class of free vectors that are too large to become the first vector of
	// a slot. Vectors of class c have capacities from 2^c to 2^(c+1)−1.
	freeEnd = freeStays + 2
)

// FreeList keeps unused vectors until a slot needs one. These are vectors that slots have replaced with
// larger ones, and large vectors of slots that have become empty. A vector holds IDs, which are indices
// of nodes. If a large group of timers moves from slot to slot, these slots use the same large vectors
// one after another, whereas without the free list each of them would keep a large vector of its own.
type FreeList struct {
	classes [32][][]uint32 // class c holds the vectors with capacities from 2^c to 2^(c+1)−1
	ids     int            // total capacity of the vectors in classes, in IDs
}

// Give takes v, the vector of a slot that has become empty, and returns the vector that the slot must
// use from then on. If the capacity of v is less than 2^freeStays, Give returns v with length 0.
// Otherwise it returns nil, and adds v to the free list unless the list is full.
func (p *FreeList) Give(a *Arena, v []uint32) []uint32 {
	if cap(v) < 1<<freeStays {
		return v[:0]
	}
	p.keep(a, v)
	return nil
}

// keep adds v to the free list, unless the total capacity of the list would then exceed its limit,
// which is freeRoom or the number of nodes divided by freeShare, whichever is greater.
func (p *FreeList) keep(a *Arena, v []uint32) {
	if cap(v) == 0 || p.ids+cap(v) > max(freeRoom, a.used/freeShare) {
		return
	}
	c := bits.Len(uint(cap(v))) - 1
	p.classes[c] = append(p.classes[c], v[:0])
	p.ids += cap(v)
}

// grow copies the IDs of v, which is full, to a larger vector and returns that vector. It adds v to
// the free list if there is room. grow takes the larger vector from the next two classes of the free
// list or, if v is empty, from the classes freeFirst to freeEnd−1. If these classes are empty, grow
// allocates a vector. Vectors of class c have capacities from 2^c to 2^(c+1)−1.
func (p *FreeList) grow(a *Arena, v []uint32) []uint32 {
	from := bits.Len(uint(len(v)))
	end := from + 2
	if len(v) == 0 {
		from, end = freeFirst, freeEnd
	}
	grown := p.take(from, end)
	switch {
	case grown != nil:
		grown = append(grown, v...)
	case len(v) == 0:
		return make([]uint32, 0, 1<<freeFirst)
	default:
		grown = append(v, 0)[:len(v)]
	}
	p.keep(a, v)
	return grown
}

// take removes and returns a free vector of the lowest class in [from, end) that has one. If all of
// these classes are empty, it returns nil. Vectors of class c have capacities from 2^c to
// 2^(c+1)−1.
func (p *FreeList) take(from, end int) []uint32 {
	for c := from; c < end; c++ {
		if k := len(p.classes[c]) - 1; k >= 0 {
			v := p.classes[c][k]
			p.classes[c] = p.classes[c][:k]
			p.ids -= cap(v)
			return v
		}
	}
	return nil
}

// Bytes returns the memory used by the free vectors, in bytes.
func (p *FreeList) Bytes() int64 { return int64(p.ids) * 4 }
