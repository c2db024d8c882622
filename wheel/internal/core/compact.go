package core

import "slices"

// zeroPage takes the place of every released page in Arena.pages. All its nodes are free, so
// Find returns nil for a handle with the index of such a node. No code writes to zeroPage.
var zeroPage [pageSize]Node

// released reports whether page has been released, that is, whether it is zeroPage.
func released(page []Node) bool { return len(page) == pageSize && &page[0] == &zeroPage[0] }

// sorted is a list of free nodes of one page. Compact moves the nodes from the free list of the arena
// to these lists, and releases a page when the list of that page contains all its nodes.
type sorted struct {
	free  uint32 // index of the first node of the list; 0 means none. The nodes are linked by their Slot fields
	count uint32 // number of free nodes of the page that are in the list
	gen   uint32 // highest generation of the nodes in the list
	floor uint32 // generation that alloc gives to the nodes of the page if the page has been released and allocated again
}

// compactMax is the maximum number of free nodes that one call to Arena.Compact processes, and of
// slots that one call to LevelSet.CompactSlots examines.
const compactMax = 256

// Compact releases pages without live timers. Each call does only part of the work, and reports
// whether some work is left: it moves up to compactMax nodes from the free list to the lists of their
// pages in a.sorted, and releases a page when all nodes of the page are in its list. It never releases
// the first page. Between calls, the arena is in a consistent state.
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

// sort adds free node n, which has index i, to the list of its page in a.sorted. If the list then
// contains all nodes of the page, and the page is not the first one, sort releases the page.
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

// handedOut returns how many nodes of the page with number page, which must not be 0, alloc has
// returned since the page was allocated.
func (a *Arena) handedOut(page uint32) uint32 {
	end := min(a.Used, (page+1)<<pageBits)
	if a.fresh != a.freshEnd && a.fresh>>pageBits == page {
		end = a.fresh
	}
	return end - page<<pageBits
}

// refill replaces the free list, which must be empty, with the first non-empty list in a.sorted. It
// returns false if all lists in a.sorted are empty.
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

// restore reallocates the released page with the lowest number. It sets a.fresh and a.freshEnd so
// that renew returns the nodes of this page. It returns false if no page is released.
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
	a.pages[number] = make([]Node, pageSize)
	a.fresh, a.freshEnd = number<<pageBits, (number+1)<<pageBits
	return true
}

// absent returns the number of nodes with an index below Used that are neither live nor free.
// These are the nodes of released pages, and those of a restored page that alloc has not returned
// yet.
func (a *Arena) absent() int { return len(a.released)<<pageBits + int(a.freshEnd-a.fresh) }

// Compact releases some of the memory that live timers do not need, and reports whether another
// call may release more.
func (b *Base) Compact() (more bool) { return b.Arena.Compact() }

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
