package core

import (
	"slices"
	"unsafe"

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
	c.Pace = Pace{Aborted: a.Aborted}
	if a.packed != nil {
		c.pages, c.packed = a.packed.unpack(), nil
	} else {
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

// slotPool holds the arrays of slots of recycled wheels.
var slotPool spare.Pool[[]Slot]

// RecycleSlots releases slots, so that copies of other wheels can use the array. It must not be used again.
func RecycleSlots(slots []Slot) { slotPool.Put(&slots) }

// slotArray returns an array of n slots, whose contents are those of a recycled wheel or zero.
func slotArray(n int) []Slot {
	p := slotPool.Get()
	if p != nil && len(*p) == n {
		return *p
	}
	if p != nil {
		slotPool.Put(p)
	}
	return make([]Slot, n)
}

// CloneSlots returns a copy of slots without their spare capacity. The vectors of all slots share two arrays.
func CloneSlots(slots []Slot) []Slot {
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

// PackedSlots is a compact copy of slots, without pointers but for slots with dead entries. An array of many slots is
// mostly slice headers, which the garbage collector would have to read in every copy of a wheel that is kept.
type PackedSlots struct {
	sizes []uint32     // numbers of entries, by slot; 0 if the slot is in dead
	ids   []uint32     // the entries, by slot
	dead  []packedSlot // slots with dead entries
}

// packedSlot is slot number index.
type packedSlot struct {
	index int
	Slot
}

// PackSlots returns a packed copy of slots.
func PackSlots(slots []Slot) *PackedSlots {
	p := &PackedSlots{sizes: make([]uint32, len(slots))}
	ids := 0
	for i := range slots {
		ids += len(slots[i].IDs)
	}
	p.ids = make([]uint32, 0, ids)
	for i := range slots {
		if s := &slots[i]; s.DeadCount > 0 {
			p.dead = append(p.dead, packedSlot{i, s.Copy()})
		} else {
			p.ids, p.sizes[i] = append(p.ids, s.IDs...), uint32(len(s.IDs))
		}
	}
	return p
}

// Unpack returns the slots. Their vectors, which have no spare capacity, share an array.
func (p *PackedSlots) Unpack() []Slot {
	slots, ids := slotArray(len(p.sizes)), slices.Clone(p.ids)
	from := 0
	for i, n := range p.sizes {
		to := from + int(n)
		slots[i] = Slot{IDs: ids[from:to:to]}
		from = to
	}
	for _, s := range p.dead {
		slots[s.index] = s.Copy()
	}
	return slots
}

// Bytes returns the memory of p in bytes.
func (p *PackedSlots) Bytes() int64 {
	n := int64(cap(p.sizes)+cap(p.ids))*4 + int64(cap(p.dead))*int64(unsafe.Sizeof(packedSlot{}))
	for i := range p.dead {
		n += p.dead[i].Bytes()
	}
	return n
}

// Clone returns a copy of the levels and slots. The free list is not copied.
func (w *LevelSet) Clone() LevelSet {
	c := LevelSet{Levels: slices.Clone(w.Levels), Slots: CloneSlots(w.Slots), Visits: slices.Clone(w.Visits)}
	for i := range c.Levels {
		c.Levels[i].Occupied = w.Levels[i].Occupied.Clone()
	}
	return c
}
