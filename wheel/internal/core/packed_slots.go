package core

import (
	"slices"
	"unsafe"
)

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
