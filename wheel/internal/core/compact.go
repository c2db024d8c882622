package core

import "slices"

// zeroPage replaces every page that was released: its nodes are free, and have a generation that
// no handle has. It is only read.
var zeroPage [pageSize]Node

// released reports whether page is the zero page.
func released(page []Node) bool { return len(page) == pageSize && &page[0] == &zeroPage[0] }

// sorted is the state of one page in Compact.
type sorted struct {
	free  uint32 // its first free node that is no longer in the arena's list, linked by Slot; 0: none
	count uint32 // the number of these nodes
	gen   uint32 // the greatest generation of these nodes
	floor uint32 // generation of the nodes that are handed out after the page was released
}

// compactMax bounds the nodes that one call of Compact sorts.
const compactMax = 256

// Compact does a part of the work of releasing pages without live timers: it takes up to
// compactMax nodes from the list of free nodes and sorts them by page. It releases a page when
// all of its nodes have been sorted. It reports whether work is left. Between two calls the arena
// is in a consistent state. The first page is never released.
func (a *Arena) Compact() (more bool) {
	if !a.Spend(compactMax) {
		return false
	}
	if missing := len(a.pages) - len(a.sorted); missing > 0 && a.free != 0 {
		a.sorted = append(a.sorted, make([]sorted, missing)...)
	}
	for range compactMax {
		i := a.free
		if i == 0 {
			break
		}
		n := a.At(i)
		a.free = n.Slot
		a.sort(i, n)
	}
	if a.Live == 0 {
		a.Repeats = repeats{}
	}
	return a.free != 0
}

// sort adds a free node to the sorted nodes of its page, and releases the page if it is complete.
func (a *Arena) sort(i uint32, n *Node) {
	number := i >> pageBits
	p := &a.sorted[number]
	n.Slot = p.free
	p.free, p.count, p.gen = i, p.count+1, max(p.gen, n.Gen)
	a.sortedFrom = min(a.sortedFrom, int(number))
	if number == 0 || p.count < a.handedOut(number) {
		return
	}
	if a.fresh != a.freshEnd && a.fresh>>pageBits == number {
		a.fresh = a.freshEnd
	}
	*p = sorted{floor: max(p.floor, p.gen)}
	a.pages[number] = zeroPage[:]
	a.released = append(a.released, number)
	a.Used = max(a.Used, (number+1)<<pageBits)
}

// handedOut returns how many nodes of a page other than the first have been in use since the page
// was created.
func (a *Arena) handedOut(page uint32) uint32 {
	end := min(a.Used, (page+1)<<pageBits)
	if a.fresh != a.freshEnd && a.fresh>>pageBits == page {
		end = a.fresh
	}
	return end - page<<pageBits
}

// refill makes the list of free nodes from the sorted nodes of the first page that has any. It
// returns false if there are none.
func (a *Arena) refill() bool {
	for ; a.sortedFrom < len(a.sorted); a.sortedFrom++ {
		if p := &a.sorted[a.sortedFrom]; p.count > 0 {
			a.free = p.free
			p.free, p.count, p.gen = 0, 0, 0
			return true
		}
	}
	return false
}

// restore allocates the first released page again. It returns false if there is none.
func (a *Arena) restore() bool {
	if len(a.released) == 0 {
		return false
	}
	k := 0
	for j, number := range a.released {
		if number < a.released[k] {
			k = j
		}
	}
	number := a.released[k]
	a.released = slices.Delete(a.released, k, k+1)
	a.pages[number] = newPage()
	a.fresh, a.freshEnd = number<<pageBits, (number+1)<<pageBits
	return true
}

// absent returns how many nodes below Used are neither live nor free: those of released pages,
// and those of a restored page that have not been handed out yet.
func (a *Arena) absent() int { return len(a.released)<<pageBits + int(a.freshEnd-a.fresh) }

// Compact does a part of the work of releasing memory that the live timers do not need. It reports
// whether work is left.
func (b *Base) Compact() (more bool) { return b.Arena.Compact() }

const (
	compactRoom  = 64 // a vector with room for fewer ids stays as it is
	compactShare = 4  // … and one of which at least a quarter is in use
)

// CompactSlots releases the free list, and spare capacity of slots that hold far fewer timers than
// they did. A call examines up to compactMax slots, or fewer if it copies vectors. It reports
// whether slots are left.
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
