package core

import (
	"slices"
	"sync"
	"unsafe"
)

// PackedInts is a list of non-negative integers. Each is stored in 1, 2, 4 or 8 bytes, the smallest
// size that fits all of them. The slice whose elements have this size holds the integers; the other
// slices are nil.
type PackedInts struct {
	by1 []uint8
	by2 []uint16
	by4 []uint32
	by8 []uint64
}

// integer is the type constraint for integers that can be packed.
type integer interface {
	uint8 | uint16 | uint32 | uint64 | int64
}

// PackInts returns a packed copy of list.
func PackInts[T integer](list []T) (p PackedInts) {
	var bits T
	for _, v := range list {
		bits |= v
	}
	switch n := len(list); {
	case uint64(bits) < 1<<8:
		p.by1 = appendInts(make([]uint8, 0, n), list)
	case uint64(bits) < 1<<16:
		p.by2 = appendInts(make([]uint16, 0, n), list)
	case uint64(bits) < 1<<32:
		p.by4 = appendInts(make([]uint32, 0, n), list)
	default:
		p.by8 = appendInts(make([]uint64, 0, n), list)
	}
	return p
}

// Len returns the number of integers.
func (p *PackedInts) Len() int { return len(p.by1) + len(p.by2) + len(p.by4) + len(p.by8) }

// At returns the integer at index k.
func (p *PackedInts) At(k int) uint64 {
	switch {
	case p.by1 != nil:
		return uint64(p.by1[k])
	case p.by2 != nil:
		return uint64(p.by2[k])
	case p.by4 != nil:
		return uint64(p.by4[k])
	default:
		return p.by8[k]
	}
}

// unpackInts appends the integers of p to list.
func unpackInts[T integer](list []T, p *PackedInts) []T {
	list = slices.Grow(list, p.Len())
	return appendInts(appendInts(appendInts(appendInts(list, p.by1), p.by2), p.by4), p.by8)
}

// appendInts appends the integers of list to dst, which must have sufficient capacity. It processes
// eight integers per iteration, because in WebAssembly the overhead of an iteration exceeds the
// work for one integer.
func appendInts[T, S integer](dst []T, list []S) []T {
	from, i := len(dst), 0
	dst = dst[:from+len(list)]
	for ; i+8 <= len(list); i += 8 {
		v := (*[8]S)(list[i:])
		*(*[8]T)(dst[from+i:]) = [8]T{T(v[0]), T(v[1]), T(v[2]), T(v[3]), T(v[4]), T(v[5]), T(v[6]), T(v[7])}
	}
	for ; i < len(list); i++ {
		dst[from+i] = T(list[i])
	}
	return dst
}

// Bytes returns the memory used by p, in bytes.
func (p *PackedInts) Bytes() int64 {
	return int64(cap(p.by1)) + int64(cap(p.by2))*2 + int64(cap(p.by4))*4 + int64(cap(p.by8))*8
}

// PackedSlots is a packed copy of slots. It contains no pointers except those to its arrays, whereas
// every Slot has two slices that the garbage collector must follow.
type PackedSlots struct {
	sizes PackedInts // number of entries of each slot
	ids   PackedInts // entries of all slots, concatenated
	// dead lists the slots with dead entries, in order of index. An entry is dead if its timer is
	// no longer at that position.
	dead []packedDead
	bits []uint64 // concatenation of the DeadBits of all slots that are listed in dead, in the order of dead
}

// packedDead describes the dead entries of a slot. An entry is dead if its timer is no longer at that
// position. Slots without dead entries have no packedDead.
type packedDead struct {
	index, count, words int    // index of the slot, its DeadCount, and the length of its DeadBits
	kept, moved         uint32 // values of Slot.kept and Slot.moved, which record the progress of a compaction
}

// slotLists holds temporary lists for packing and unpacking slots. slotListsPool keeps values of type *slotLists for reuse.
type slotLists struct {
	sizes, ids []uint32
	rounds     []int64
}

var slotListsPool sync.Pool

// takeSlotLists returns empty lists, from slotListsPool if possible.
func takeSlotLists() *slotLists {
	l, _ := slotListsPool.Get().(*slotLists)
	if l == nil {
		l = &slotLists{}
	}
	*l = slotLists{l.sizes[:0], l.ids[:0], l.rounds[:0]}
	return l
}

// packSlots returns a packed copy of slots.
func packSlots(slots []Slot) *PackedSlots {
	p, l := &PackedSlots{}, takeSlotLists()
	defer slotListsPool.Put(l)
	for i := range slots {
		s := &slots[i]
		l.sizes = append(l.sizes, uint32(len(s.IDs)))
		if len(s.IDs) == 0 {
			continue
		}
		l.ids = append(l.ids, s.IDs...)
		if s.DeadCount > 0 {
			p.dead = append(p.dead, packedDead{i, s.DeadCount, len(s.DeadBits), s.kept, s.moved})
			p.bits = append(p.bits, s.DeadBits...)
		}
	}
	p.sizes, p.ids, p.dead, p.bits = PackInts(l.sizes), PackInts(l.ids), slices.Clip(p.dead), slices.Clip(p.bits)
	return p
}

// unpack returns unpacked copies of the slots stored in p. The IDs of all slots share one array. The slots have no
// spare capacity.
func (p *PackedSlots) unpack() []Slot {
	l := takeSlotLists()
	defer slotListsPool.Put(l)
	l.sizes = unpackInts(l.sizes, &p.sizes)
	ids := unpackInts[uint32](nil, &p.ids)
	slots, bits, from := make([]Slot, len(l.sizes)), slices.Clone(p.bits), 0
	for i, n := range l.sizes {
		if n > 0 {
			to := from + int(n)
			slots[i].IDs = ids[from:to:to]
			from = to
		}
	}
	for _, d := range p.dead {
		s := &slots[d.index]
		s.DeadBits, s.DeadCount, s.kept, s.moved = bits[:d.words:d.words], d.count, d.kept, d.moved
		bits = bits[d.words:]
	}
	return slots
}

// Bytes returns the memory used by p, in bytes. p may be nil.
func (p *PackedSlots) Bytes() int64 {
	if p == nil {
		return 0
	}
	return p.sizes.Bytes() + p.ids.Bytes() + int64(cap(p.dead))*int64(unsafe.Sizeof(packedDead{})) + int64(cap(p.bits))*8
}

// packedRoundSlots is a packed copy of slots with rounds; see PackedSlots.
type packedRoundSlots struct {
	// For each slot, sizes contains the number of entries, and dead the number of dead entries. For
	// each entry, slot by slot, ids contains the ID, and rounds the number of remaining rounds.
	sizes, dead, ids, rounds PackedInts
}

// packRoundSlots returns a packed copy of slots.
func packRoundSlots(slots []RoundSlot) *packedRoundSlots {
	l, d := takeSlotLists(), takeSlotLists()
	defer slotListsPool.Put(l)
	defer slotListsPool.Put(d)
	for i := range slots {
		s := &slots[i]
		l.sizes, d.sizes = append(l.sizes, uint32(len(s.IDs))), append(d.sizes, uint32(s.DeadCount))
		l.ids, l.rounds = append(l.ids, s.IDs...), append(l.rounds, s.Rounds...)
	}
	return &packedRoundSlots{PackInts(l.sizes), PackInts(d.sizes), PackInts(l.ids), PackInts(l.rounds)}
}

// unpack returns unpacked copies of the slots stored in p. The IDs of all slots share one array, and their Rounds
// another. The slots have no spare capacity.
func (p *packedRoundSlots) unpack() []RoundSlot {
	l, d := takeSlotLists(), takeSlotLists()
	defer slotListsPool.Put(l)
	defer slotListsPool.Put(d)
	l.sizes, d.sizes = unpackInts(l.sizes, &p.sizes), unpackInts(d.sizes, &p.dead)
	ids, rounds := unpackInts[uint32](nil, &p.ids), unpackInts[int64](nil, &p.rounds)
	slots, from := make([]RoundSlot, len(l.sizes)), 0
	for i, n := range l.sizes {
		to := from + int(n)
		slots[i] = RoundSlot{Slot{IDs: ids[from:to:to], DeadCount: int(d.sizes[i])}, rounds[from:to:to]}
		from = to
	}
	return slots
}

// bytes returns the memory used by p, in bytes. p may be nil.
func (p *packedRoundSlots) bytes() int64 {
	if p == nil {
		return 0
	}
	return p.sizes.Bytes() + p.dead.Bytes() + p.ids.Bytes() + p.rounds.Bytes()
}
