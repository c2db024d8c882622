package core

import "slices"

// Copy returns an independent copy of b without its log.
func (b *Base) Copy() Base { return b.CopyOver(&Base{}) }

// CopyOver is like Copy, but reuses the pages of spent, which must not be used again.
func (b *Base) CopyOver(spent *Base) Base {
	c := *b
	c.Log, c.Arena = nil, b.Arena.CloneOver(&spent.Arena)
	return c
}

// CloneOver returns a copy of a that reuses the pages of spent, which must not be used again.
func (a *Arena) CloneOver(spent *Arena) Arena {
	c := *a
	c.Pace = Pace{Aborted: a.Aborted}
	c.pages = spent.pages[:0]
	for i, p := range a.pages {
		var page []Node
		if i < len(spent.pages) && !released(spent.pages[i]) {
			page = spent.pages[i][:0]
		}
		if !released(p) {
			p = append(page, p...)
		}
		c.pages = append(c.pages, p)
	}
	c.sorted, c.released = slices.Clone(a.sorted), slices.Clone(a.released)
	c.Repeats.Items = append(spent.Repeats.Items[:0], a.Repeats.Items...)
	return c
}

// CloneSlots returns a copy of slots without their spare capacity. It reuses the array spent if
// that has the same length. The vectors of all slots share two new arrays.
func CloneSlots(slots, spent []Slot) []Slot {
	ids, words := 0, 0
	for i := range slots {
		ids += len(slots[i].IDs)
		words += len(slots[i].DeadBits)
	}
	allIDs, allWords := make([]uint32, 0, ids), make([]uint64, 0, words)
	if len(spent) != len(slots) {
		spent = make([]Slot, len(slots))
	}
	for i := range slots {
		from, word := len(allIDs), len(allWords)
		allIDs = append(allIDs, slots[i].IDs...)
		allWords = append(allWords, slots[i].DeadBits...)
		spent[i] = slots[i]
		spent[i].IDs, spent[i].DeadBits = allIDs[from:len(allIDs):len(allIDs)], allWords[word:len(allWords):len(allWords)]
	}
	return spent
}

// CloneOver returns a copy of w that reuses the slots of spent. The free list is not copied.
func (w *LevelSet) CloneOver(spent *LevelSet) LevelSet {
	c := LevelSet{Levels: append([]Level(nil), w.Levels...), Slots: CloneSlots(w.Slots, spent.Slots),
		Visits: append([]Visit(nil), w.Visits...)}
	for i := range c.Levels {
		c.Levels[i].Occupied = w.Levels[i].Occupied.Clone()
	}
	return c
}
