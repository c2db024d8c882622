package core

import (
	"slices"

	"github.com/wheelscope/wheelscope/wheel/internal/spare"
)

// Copy returns an independent copy of b without its log.
func (b *Base) Copy() Base {
	c := *b
	c.Log, c.Arena = nil, b.Arena.clone()
	return c
}

func (a *Arena) clone() Arena {
	c := *a
	c.Pace, c.packCopies, c.ids, c.rounds = Pace{Aborted: a.Aborted}, false, nil, nil
	switch {
	case a.packCopies:
		c.pages, c.packed = nil, a.pack()
	case a.packed != nil:
		c.pages, c.packed = a.packed.unpack(), nil
	default:
		c.pages = make([][]Node, len(a.pages))
		for i, p := range a.pages {
			if !released(p) {
				copied := pageOf(len(p))
				copy(copied, p)
				p = copied
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

// Arrays of recycled wheels, for reuse by copies of other wheels.
var (
	slotPool  spare.Slices[Slot]
	idPool    spare.Slices[uint32] // slices that were Arena.ids of recycled wheels; copies of other wheels reuse them
	roundPool spare.Slices[int64]  // slices that were Arena.rounds of recycled wheels; copies of other wheels reuse them
)

// RecycleSlots makes the array of slots available to copies of other wheels. The caller must not use slots again.
func RecycleSlots(slots []Slot) { slotPool.Put(slots) }

// CloneSlots copies the slots of a wheel for a copy of the wheel that uses arena a. If packed is nil, the slots to copy
// are in slots; otherwise they are in packed. If packs is false, the copies are in the first result. If packs is true,
// the copies are packed and in the second result; packed must then be nil. The other result is nil.
func CloneSlots(a *Arena, slots []Slot, packed *PackedSlots, packs bool) ([]Slot, *PackedSlots) {
	switch {
	case packs:
		return nil, packSlots(slots)
	case packed != nil:
		return packed.unpack(a), nil
	default:
		return copySlots(a, slots), nil
	}
}

// copySlots copies slots, without their spare capacity. a is the arena of the new wheel. copySlots allocates one array
// for the IDs of all copied slots, which it stores in a.ids, and another array for the DeadBits of all copied slots.
func copySlots(a *Arena, slots []Slot) []Slot {
	ids, words := 0, 0
	for i := range slots {
		ids += len(slots[i].IDs)
		words += len(slots[i].DeadBits)
	}
	a.ids = idPool.Get(ids)
	allIDs, allWords := a.ids[:0], make([]uint64, 0, words)
	copies := slotPool.Get(len(slots))
	for i := range slots {
		from, word := len(allIDs), len(allWords)
		allIDs = append(allIDs, slots[i].IDs...)
		allWords = append(allWords, slots[i].DeadBits...)
		copies[i] = slots[i]
		copies[i].IDs, copies[i].DeadBits = allIDs[from:len(allIDs):len(allIDs)], allWords[word:len(allWords):len(allWords)]
	}
	return copies
}

// Clone copies the levels and the slots, for a copy of the wheel that uses arena a. If packs is true, the copied
// slots are packed (see [PackedSlots]). The free list is not copied.
func (w *LevelSet) Clone(a *Arena, packs bool) LevelSet {
	c := LevelSet{Levels: slices.Clone(w.Levels), Visits: slices.Clone(w.Visits)}
	c.Slots, c.packed = CloneSlots(a, w.Slots, w.packed, packs)
	for i := range c.Levels {
		c.Levels[i].Occupied = w.Levels[i].Occupied.Clone()
	}
	return c
}
