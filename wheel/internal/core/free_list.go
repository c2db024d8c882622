package core

import "math/bits"

const (
	freeFirst = 2             // class (see FreeList.classes) of the first vector of a slot, which has a capacity of 4 IDs
	freeStays = 6             // an empty slot keeps its vector if the capacity is less than 2^freeStays IDs
	freeRoom  = 4096          // maximum total capacity of the vectors of a free list in a wheel with few timers, in IDs
	freeShare = 4             // with many timers, the vectors of a free list may have room for one ID per freeShare nodes
	freeEnd   = freeStays + 2 // an empty slot takes a vector of a class from freeFirst to freeEnd−1
)

// FreeList keeps vectors for use by other slots: vectors that slots have outgrown, and the large
// vectors of slots that became empty. A vector holds IDs, which are indices of nodes. Without the
// free list, a large group of timers that moves from slot to slot would leave its peak capacity in
// every slot, or burden the garbage collector.
type FreeList struct {
	classes [32][][]uint32 // class c holds the vectors with capacities from 2^c to 2^(c+1)−1
	ids     int            // total capacity of the vectors in classes
}

// Give takes v, the vector of an empty slot, for the free list if it is large; see keep. It returns
// the vector that the slot then has: nil, or v without its IDs if it is small.
func (p *FreeList) Give(a *Arena, v []uint32) []uint32 {
	if cap(v) < 1<<freeStays {
		return v[:0]
	}
	p.keep(a, v)
	return nil
}

// keep adds v to the free list, unless its total capacity would then exceed the maximum.
func (p *FreeList) keep(a *Arena, v []uint32) {
	if cap(v) == 0 || p.ids+cap(v) > max(freeRoom, a.held()/freeShare) {
		return
	}
	c := bits.Len(uint(cap(v))) - 1
	p.classes[c] = append(p.classes[c], v[:0])
	p.ids += cap(v)
}

// grow returns a vector with the IDs of v, which is full, and spare capacity. It takes a free vector
// of one of the next two classes or, if v is empty, of any small class. If there is none, it
// allocates a new one.
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

// take removes and returns a free vector of the lowest class in [from, end) that is not empty. If
// all of these classes are empty, it returns nil.
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

// Bytes returns the number of bytes of memory that the free vectors use.
func (p *FreeList) Bytes() int64 { return int64(p.ids) * 4 }
