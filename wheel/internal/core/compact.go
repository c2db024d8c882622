package core

// zeroPage takes the place of every released page in Arena.pages. All its nodes are free, so
// Find returns nil for a handle with the index of such a node. No code writes to zeroPage.
var zeroPage [pageSize]Node

// released reports whether page has been released, that is, whether it is zeroPage.
func released(page []Node) bool { return len(page) == pageSize && &page[0] == &zeroPage[0] }

// compactMax is the maximum number of slots that one call to LevelSet.CompactSlots examines.
const compactMax = 256

// Compact releases a page without live timers, except the first page, and reports whether another call may release
// more. The generation of each node that is used for the first time from then on is no less than those of the nodes of
// the page, so no handle of an ended timer refers to another.
func (a *Arena) Compact() (more bool) {
	if !a.Spend(compactMax) {
		return false
	}
	if a.Live == 0 {
		a.Repeats = repeats{}
	}
	for number := 1; number < len(a.rooms); number++ {
		r := &a.rooms[number]
		if r.live > 0 || r.used == 0 {
			continue
		}
		for k := range a.pages[number][:r.used] {
			a.floor = max(a.floor, a.pages[number][k].Gen)
		}
		a.used -= int(r.used)
		a.pages[number], *r = zeroPage[:], room{}
		a.part = min(a.part, number)
		return true
	}
	return false
}

const (
	compactRoom  = 64 // CompactSlots does not shrink vectors with a capacity of at most compactRoom elements
	compactShare = 4  // CompactSlots shrinks large vectors of which less than 1/compactShare of the capacity is in use
)

// CompactSlots drops the free list of unused vectors, and releases the spare capacity of slots that
// have far fewer timers than before. Each call examines at most compactMax slots, fewer if it has to
// copy large vectors. It reports whether there are more slots to examine.
func (w *LevelSet) CompactSlots() (more bool) {
	w.freeList = FreeList{}
	for left := compactMax; left > 0; left-- {
		if w.compacted >= len(w.Slots) {
			w.compacted = 0
			return false
		}
		s := &w.Slots[w.compacted]
		w.compacted++
		if n := len(s.IDs); cap(s.IDs) > compactRoom && n < cap(s.IDs)/compactShare {
			s.IDs = append(make([]uint32, 0, n), s.IDs...)
			left -= n / compactShare
		}
		if n := min(len(s.DeadBits), len(s.IDs)/64+1); cap(s.DeadBits) > compactRoom && n < cap(s.DeadBits)/compactShare {
			s.DeadBits = append(make([]uint64, 0, n), s.DeadBits[:n]...)
		}
	}
	return true
}
