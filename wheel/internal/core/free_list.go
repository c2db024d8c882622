package core

import "math/bits"

const (
	freeFirst = 2    // class of the first vector of a slot: room for 4 ids
	freeStays = 6    // vectors of a smaller class stay with their slot when it empties
	freeRoom  = 4096 // ids for which a free list may have room, however few timers there are
	freeShare = 4    // … and one for each so many timers that the wheel has held at once
	freeEnd   = freeStays + 2
)

// FreeList keeps the vectors that slots have outgrown, and the large vectors of slots that
// became empty, for slots that fill. Without it, many timers that move round the wheel
// together would leave their peak capacity in every slot, or load the garbage collector.
// Class c has vectors with room for 2^c to 2^(c+1)−1 ids.
type FreeList struct {
	classes [32][][]uint32
	ids     int // ids that the vectors kept have room for
}

// Give takes the vector of an empty slot if it is large, and returns what the slot keeps.
func (p *FreeList) Give(a *Arena, v []uint32) []uint32 {
	if cap(v) < 1<<freeStays {
		return v[:0]
	}
	p.keep(a, v)
	return nil
}

// keep stores a vector if the bound allows it.
func (p *FreeList) keep(a *Arena, v []uint32) {
	if cap(v) == 0 || p.ids+cap(v) > max(freeRoom, a.held()/freeShare) {
		return
	}
	c := bits.Len(uint(cap(v))) - 1
	p.classes[c] = append(p.classes[c], v[:0])
	p.ids += cap(v)
}

// grow returns a copy of v, which is full, with room for more: in a free vector of the next
// two classes (for the first vector of a slot, of any small class), or in a new one.
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

// take returns a free vector of the first class in [from, end) that has one, or nil.
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

// Bytes returns the memory of the vectors kept.
func (p *FreeList) Bytes() int64 { return int64(p.ids) * 4 }
