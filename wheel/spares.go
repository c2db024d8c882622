package wheel

import "math/bits"

const (
	spareClass = 6               // vectors with room for fewer than 2^6 ids stay with their slot
	spareLeast = 1 << spareClass // ids
	spareRoom  = 64 * spareLeast // ids that spares may have room for however few timers there are
	spareShare = 4               // and one for each so many timers the wheel has had at once
)

// spares keeps the vectors of slots that have become empty, for slots that fill.
// Without it a crowd that moves round the wheel would leave its peak behind in
// every slot, or its vectors to the garbage collector. Class c holds vectors
// with room for 2^c to 2^(c+1)−1 ids.
type spares struct {
	classes [32][][]uint32
	room    int // ids that the vectors kept have room for
}

// give takes the vector of an emptied slot when it is large, keeps it while the
// bound allows, and returns what the slot keeps.
func (p *spares) give(a *arena, v []uint32) []uint32 {
	if cap(v) < spareLeast {
		return v[:0]
	}
	if p.room+cap(v) <= max(spareRoom, int(a.used)/spareShare) {
		c := bits.Len(uint(cap(v))) - 1
		p.classes[c] = append(p.classes[c], v[:0])
		p.room += cap(v)
	}
	return nil
}

// grow returns a copy of v, which is full, with room for more: in a spare of the
// next two classes if there is one.
func (p *spares) grow(a *arena, v []uint32) []uint32 {
	least := max(bits.Len(uint(len(v))), spareClass)
	for c := least; c <= least+1; c++ {
		k := len(p.classes[c]) - 1
		if k < 0 {
			continue
		}
		s := p.classes[c][k]
		p.classes[c] = p.classes[c][:k]
		p.room -= cap(s)
		s = append(s, v...)
		p.give(a, v)
		return s
	}
	grown := append(v, 0)[:len(v)]
	p.give(a, v)
	return grown
}

// bytes is the memory of the vectors kept.
func (p *spares) bytes() int64 { return int64(p.room) * 4 }
