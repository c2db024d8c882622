package core

import "math/bits"

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
