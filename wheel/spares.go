package wheel

import "math/bits"

const (
	spareFirst = 2    // class of the first vector of a slot: room for 4 ids
	spareStays = 6    // vectors of a smaller class stay with their slot when it empties
	spareRoom  = 4096 // ids that spares may have room for, however few timers there are
	spareShare = 4    // … and one for each so many timers that the wheel has held at once
	spareEnd   = spareStays + 2
)

// spares keeps vectors that slots have outgrown or, being large, given up when
// they became empty, for slots that fill. Without it a crowd that moves round the
// wheel would leave its peak behind in every slot, or feed the garbage collector.
// Class c holds vectors with room for 2^c to 2^(c+1)−1 ids.
type spares struct {
	classes [32][][]uint32
	room    int // ids that the vectors kept have room for
}

// give takes the vector of an emptied slot when it is large, and returns what the
// slot keeps.
func (p *spares) give(a *arena, v []uint32) []uint32 {
	if cap(v) < 1<<spareStays {
		return v[:0]
	}
	p.keep(a, v)
	return nil
}

// keep puts a vector aside, while the bound allows.
func (p *spares) keep(a *arena, v []uint32) {
	if cap(v) == 0 || p.room+cap(v) > max(spareRoom, int(a.used)/spareShare) {
		return
	}
	c := bits.Len(uint(cap(v))) - 1
	p.classes[c] = append(p.classes[c], v[:0])
	p.room += cap(v)
}

// grow returns a copy of v, which is full, with room for more: in a spare of the
// next two classes (of any small one for the first vector), or a new one.
func (p *spares) grow(a *arena, v []uint32) []uint32 {
	from := bits.Len(uint(len(v)))
	end := from + 2
	if len(v) == 0 {
		from, end = spareFirst, spareEnd
	}
	grown := p.take(from, end)
	switch {
	case grown != nil:
		grown = append(grown, v...)
	case len(v) == 0:
		return make([]uint32, 0, 1<<spareFirst)
	default:
		grown = append(v, 0)[:len(v)]
	}
	p.keep(a, v)
	return grown
}

// take gives a spare of the first class in [from, end) that has one, or nil.
func (p *spares) take(from, end int) []uint32 {
	for c := from; c < end; c++ {
		if k := len(p.classes[c]) - 1; k >= 0 {
			v := p.classes[c][k]
			p.classes[c] = p.classes[c][:k]
			p.room -= cap(v)
			return v
		}
	}
	return nil
}

// bytes is the memory of the vectors kept.
func (p *spares) bytes() int64 { return int64(p.room) * 4 }
