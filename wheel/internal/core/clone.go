package core

import "slices"

// Copy returns an independent copy of b without its log.
func (b *Base) Copy() Base {
	c := *b
	c.Log, c.Arena = nil, b.Arena.clone()
	return c
}

func (a *Arena) clone() Arena {
	c := *a
	c.Pace, c.packCopies = Pace{Aborted: a.Aborted}, false
	switch {
	case a.packCopies:
		c.pages, c.packed = nil, a.pack()
	case a.packed != nil:
		c.pages, c.packed = a.packed.unpack(), nil
	default:
		c.pages = make([][]Node, len(a.pages))
		for i, p := range a.pages {
			if !released(p) {
				p = slices.Clone(p)
			}
			c.pages[i] = p
		}
	}
	c.sorted, c.released, c.Repeats.Items = slices.Clone(a.sorted), slices.Clone(a.released), slices.Clone(a.Repeats.Items)
	return c
}

// Copy returns an independent copy of s. It does not copy the spare capacity of the slices of s.
func (s *Slot) Copy() Slot {
	c := *s
	c.IDs, c.DeadBits = slices.Clone(s.IDs), slices.Clone(s.DeadBits)
	return c
}

// CloneSlots copies the slots of a wheel. If packed is nil, the slots to copy
// are in slots; otherwise they are in packed. If packs is false, the copies are in the first result. If packs is true,
// the copies are packed and in the second result; packed must then be nil. The other result is nil.
func CloneSlots(slots []Slot, packed *PackedSlots, packs bool) ([]Slot, *PackedSlots) {
	switch {
	case packs:
		return nil, packSlots(slots)
	case packed != nil:
		return packed.unpack(), nil
	default:
		return copySlots(slots), nil
	}
}

// copySlots copies slots, without their spare capacity. The IDs of all copied slots share one array, and their DeadBits
// another.
func copySlots(slots []Slot) []Slot {
	ids, words := 0, 0
	for i := range slots {
		ids += len(slots[i].IDs)
		words += len(slots[i].DeadBits)
	}
	allIDs, allWords := make([]uint32, 0, ids), make([]uint64, 0, words)
	copies := make([]Slot, len(slots))
	for i := range slots {
		from, word := len(allIDs), len(allWords)
		allIDs = append(allIDs, slots[i].IDs...)
		allWords = append(allWords, slots[i].DeadBits...)
		copies[i] = slots[i]
		copies[i].IDs, copies[i].DeadBits = allIDs[from:len(allIDs):len(allIDs)], allWords[word:len(allWords):len(allWords)]
	}
	return copies
}

// Clone copies the levels and the slots. If packs is true, the copied
// slots are packed (see [PackedSlots]). The free list is not copied.
func (w *LevelSet) Clone(packs bool) LevelSet {
	c := LevelSet{Levels: slices.Clone(w.Levels), Visits: slices.Clone(w.Visits)}
	c.Slots, c.packed = CloneSlots(w.Slots, w.packed, packs)
	for i := range c.Levels {
		c.Levels[i].Occupied = w.Levels[i].Occupied.Clone()
	}
	return c
}
