package wheel

// CloneOver copies w as its Clone does, into the memory of spent where that is of
// use: a wheel of the same algorithm that is used no more, or nil. A copy of a
// hundred thousand timers is megabytes, and memory the process has not had before
// is several times slower than memory it has.
func CloneOver(w, spent Wheel) Wheel {
	if r, ok := w.(recycler); ok && spent != nil {
		return r.cloneOver(spent)
	}
	return w.Clone()
}

// recycler is a wheel whose copies can take over the memory of a spent one.
type recycler interface {
	cloneOver(spent Wheel) Wheel
}

// cloneOver copies the arena into the pages of a spent one.
func (a *arena) cloneOver(spent *arena) arena {
	c := *a
	c.pace = pace{aborted: a.aborted}
	c.pages = spent.pages[:0]
	for i, p := range a.pages {
		var page []node
		if i < len(spent.pages) {
			page = spent.pages[i][:0]
		}
		c.pages = append(c.pages, append(page, p...))
	}
	c.reps.items = append(spent.reps.items[:0], a.reps.items...)
	return c
}

// cloneSlots copies a wheel's slots without their spare capacity, into the array
// of spent ones where they are as many. Their vectors share two arrays.
func cloneSlots(slots, spent []slot) []slot {
	ids, words := 0, 0
	for i := range slots {
		ids += len(slots[i].ids)
		words += len(slots[i].gone)
	}
	allIDs, allWords := make([]uint32, 0, ids), make([]uint64, 0, words)
	if len(spent) != len(slots) {
		spent = make([]slot, len(slots))
	}
	for i := range slots {
		from, word := len(allIDs), len(allWords)
		allIDs = append(allIDs, slots[i].ids...)
		allWords = append(allWords, slots[i].gone...)
		spent[i] = slot{allIDs[from:len(allIDs):len(allIDs)], slots[i].dead, allWords[word:len(allWords):len(allWords)]}
	}
	return spent
}

// cloneOver copies the levels and slots, without spare vectors.
func (w *tower) cloneOver(spent *tower) tower {
	c := tower{levels: append([]level(nil), w.levels...), slots: cloneSlots(w.slots, spent.slots)}
	for i := range c.levels {
		c.levels[i].occ = w.levels[i].occ.clone()
	}
	return c
}
