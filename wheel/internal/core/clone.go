package core

import (
	"math/bits"
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

// Copy returns a copy of s without its spare capacity.
func (s *Slot) Copy() Slot {
	c := *s
	c.IDs, c.DeadBits = slices.Clone(s.IDs), slices.Clone(s.DeadBits)
	return c
}

// slotPools holds the slot arrays of recycled wheels. The pool at index k holds arrays of 2^(k-1)
// to 2^k-1 slots.
var slotPools [bits.UintSize + 1]spare.Pool[[]Slot]

// slotPool returns the pool for arrays of n slots.
func slotPool(n int) *spare.Pool[[]Slot] { return &slotPools[bits.Len(uint(n))] }

// RecycleSlots releases the array slots for use by copies of other wheels. The caller must not use slots again.
func RecycleSlots(slots []Slot) { slotPool(len(slots)).Put(&slots) }

// slotArray returns an array of n slots with arbitrary contents.
func slotArray(n int) []Slot {
	p := slotPool(n).Get()
	if p != nil && len(*p) == n {
		return *p
	}
	if p != nil {
		slotPool(n).Put(p)
	}
	return make([]Slot, n)
}

// CloneSlots returns a copy of slots: if packs is true, a packed copy as the second result, and otherwise the
// first result. If packs is false and packed is not nil, it returns the slots of packed instead.
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

// copySlots returns a copy of slots without their spare capacity. The vectors of all slots share two arrays.
func copySlots(slots []Slot) []Slot {
	ids, words := 0, 0
	for i := range slots {
		ids += len(slots[i].IDs)
		words += len(slots[i].DeadBits)
	}
	allIDs, allWords := make([]uint32, 0, ids), make([]uint64, 0, words)
	copies := slotArray(len(slots))
	for i := range slots {
		from, word := len(allIDs), len(allWords)
		allIDs = append(allIDs, slots[i].IDs...)
		allWords = append(allWords, slots[i].DeadBits...)
		copies[i] = slots[i]
		copies[i].IDs, copies[i].DeadBits = allIDs[from:len(allIDs):len(allIDs)], allWords[word:len(allWords):len(allWords)]
	}
	return copies
}

// Clone returns a copy of the levels and slots. If packs is true, the slots are packed (see
// [PackedSlots]). The free list is not copied.
func (w *LevelSet) Clone(packs bool) LevelSet {
	c := LevelSet{Levels: slices.Clone(w.Levels), Visits: slices.Clone(w.Visits)}
	c.Slots, c.packed = CloneSlots(w.Slots, w.packed, packs)
	for i := range c.Levels {
		c.Levels[i].Occupied = w.Levels[i].Occupied.Clone()
	}
	return c
}
