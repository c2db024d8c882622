package core

import "slices"

// Copy returns an independent copy of b without its log.
func (b *Base) Copy() Base {
	c := *b
	c.Log, c.Arena = nil, b.Arena.clone(b.Arena.packCopies && !b.Unfinished)
	return c
}

// clone returns a copy of a without its hook. If pack is set, the nodes of the copy are packed.
func (a *Arena) clone(pack bool) Arena {
	c := *a
	c.Pace, c.packCopies = Pace{Aborted: a.Aborted}, false
	switch {
	case pack:
		c.pages, c.packed = nil, a.pack()
	case a.packed != nil:
		c.pages, c.packed = a.packed.unpack(a.rooms), nil
	default:
		c.pages = make([][]Node, len(a.pages))
		for i, p := range a.pages {
			if !released(p) {
				p = slices.Clone(p)
			}
			c.pages[i] = p
		}
	}
	c.rooms, c.Repeats.Items = slices.Clone(a.rooms), slices.Clone(a.Repeats.Items)
	return c
}

// Copy returns an independent copy of s. It does not copy the spare capacity of the slices of s.
func (s *Slot) Copy() Slot {
	c := *s
	c.IDs, c.DeadBits = slices.Clone(s.IDs), slices.Clone(s.DeadBits)
	return c
}

// CloneSlots copies the n slots of a wheel, without their spare capacity. a is the arena of the copy. A packed copy has
// no slots, and the slots of its copies are made from their nodes.
func CloneSlots(a *Arena, slots []Slot, n int) []Slot {
	switch {
	case a.packed != nil:
		return nil
	case slots == nil:
		return a.slots(n)
	default:
		return copySlots(slots)
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

// slots returns n slots with the timers of a, whose nodes say where they are. Positions without a timer are dead entries.
func (a *Arena) slots(n int) []Slot {
	sizes := make([]uint32, n)
	each := func(use func(i uint32, n *Node)) {
		for number, page := range a.pages {
			for k := range page {
				if n := &page[k]; n.State != StateFree && int(n.Slot) < len(sizes) {
					use(uint32(number<<pageBits+k), n)
				}
			}
		}
	}
	all := 0
	each(func(_ uint32, n *Node) {
		if size := n.Pos + 1; size > sizes[n.Slot] {
			all += int(size - sizes[n.Slot])
			sizes[n.Slot] = size
		}
	})
	slots, ids := make([]Slot, n), make([]uint32, all)
	for s, size := range sizes {
		slots[s].IDs, ids = ids[:size:size], ids[size:]
	}
	each(func(i uint32, n *Node) { slots[n.Slot].IDs[n.Pos] = i })
	for s := range slots {
		for k, i := range slots[s].IDs {
			if i == 0 {
				slots[s].markDead(uint32(k))
			}
		}
	}
	return slots
}

// Clone copies the levels and the slots, for a copy of the wheel that uses arena a. The free list is not copied.
func (w *LevelSet) Clone(a *Arena) LevelSet {
	c := LevelSet{Levels: slices.Clone(w.Levels), Visits: slices.Clone(w.Visits)}
	if last := len(w.Levels) - 1; last >= 0 {
		c.Slots = CloneSlots(a, w.Slots, int(w.Levels[last].First)+int(w.Levels[last].N))
	}
	for i := range c.Levels {
		c.Levels[i].Occupied = w.Levels[i].Occupied.Clone()
	}
	return c
}
