package core

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/hugepage"
)

// Node is one timer: 32 bytes without pointers. Wheels whose slots are vectors keep the
// timer's position in Pos and Slot; wheels that link timers keep the neighbours there.
type Node struct {
	Due    wheel.Tick
	Key    uint32
	Gen    uint32 // generation of this place in the arena; changes when the timer ends
	Pos    uint32 // index in its slot's vector, or in a heap; next of a list
	Slot   uint32 // slot over all levels; previous of a list; next free of a free node
	Repeat uint32 // index into Repeats, 0: fires once
	State  uint32 // one of the states below
}

const (
	StateFree uint32 = iota
	stateLive
	StateMigrated // has made its one migration (Nichols' variant)
	StateMarked   // cancelled but still in place (Netty)
)

const (
	pageBits = 14
	pageSize = 1 << pageBits
)

// Arena holds nodes in pages of 512 kB. So growing copies nothing (except the first page,
// which starts small), finding a node costs one load from a table that stays in the
// nearest cache, and the garbage collector follows one pointer per 16,384 timers. A *Node
// is valid until the next call of alloc. Index 0 is no node.
type Arena struct {
	pages [][]Node
	Used  uint32 // the index after the greatest ever handed out
	free  uint32 // first free node, linked by slot; 0: none
	Live  int
	Pace
	Repeats repeats

	sorted     []sorted // by page; nil before the first Compact
	sortedFrom int      // no page before this one has sorted nodes
	released   []uint32 // pages that are the zero page
	fresh      uint32   // the next node of a page that was released and restored …
	freshEnd   uint32   // … and the end of that page
}

// At returns the node of an index that alloc returned.
func (a *Arena) At(i uint32) *Node { return &a.pages[i>>pageBits][i&(pageSize-1)] }

// alloc returns a node. Its fields other than Gen and State have values of its last use.
func (a *Arena) alloc() (uint32, *Node) {
	i := a.free
	if i == 0 {
		return a.extend()
	}
	n := a.At(i)
	a.free = n.Slot
	n.State = stateLive
	a.Live++
	return i, n
}

// extend returns a node when the list of free nodes is empty: a node that Compact has sorted, one
// of a released page, or one that was never used.
func (a *Arena) extend() (uint32, *Node) {
	if a.sorted != nil {
		if a.refill() {
			return a.alloc()
		}
		if a.fresh < a.freshEnd || a.restore() {
			return a.renew()
		}
	}
	if a.Used == 0 {
		a.Used = 1
	}
	switch page := int(a.Used >> pageBits); {
	case page == 0:
		a.widen()
	case page == len(a.pages):
		a.pages = append(a.pages, newPage())
	}
	i := a.Used
	a.Used++
	n := a.At(i)
	n.Gen, n.State = 1, stateLive
	a.Live++
	return i, n
}

// renew returns the next node of a restored page. Handles from before the page was released have
// lower generations.
func (a *Arena) renew() (uint32, *Node) {
	i := a.fresh
	a.fresh++
	n := a.At(i)
	n.Gen, n.State = a.sorted[i>>pageBits].floor, stateLive
	a.Live++
	return i, n
}

func newPage() []Node {
	page := make([]Node, pageSize)
	hugepage.Advise(page)
	return page
}

// widen adds capacity for one more node to the first page. It doubles the page, so that the full
// page has the size of all others; append would make it a fifth larger.
func (a *Arena) widen() {
	if len(a.pages) == 0 {
		a.pages = append(a.pages, make([]Node, 1, 8))
	}
	first := a.pages[0]
	if len(first) == cap(first) {
		first = append(make([]Node, 0, min(2*cap(first), pageSize)), first...)
	}
	a.pages[0] = append(first, Node{})
}

// Release ends the timer at i. Its handle is stale from then on.
func (a *Arena) Release(i uint32, n *Node) {
	if n.Repeat != 0 {
		a.Repeats.release(n.Repeat)
		n.Repeat = 0
	}
	n.Gen++
	n.State = StateFree
	n.Slot = a.free
	a.free = i
	a.Live--
}

// Find returns the node of a handle for an operation on it, which counts as one unit of
// work. It returns nil if the handle is stale or the wheel was aborted.
func (a *Arena) Find(t wheel.Timer) *Node {
	if !a.Spend(1) {
		return nil
	}
	return a.lookup(t)
}

// lookup returns the node of a handle, or nil if the handle is stale.
func (a *Arena) lookup(t wheel.Timer) *Node {
	if t.Index() == 0 || t.Index() >= a.Used {
		return nil
	}
	n := a.At(t.Index())
	if n.Gen != t.Generation() || n.State == StateFree {
		return nil
	}
	return n
}

// Run returns the number of the run that a timer waits for, 1 for the first.
func (a *Arena) Run(n *Node) uint32 {
	if n.Repeat == 0 {
		return 1
	}
	return a.Repeats.Items[n.Repeat].run
}

// Entry returns the timer at index i as an entry of a State.
func (a *Arena) Entry(i uint32, rounds int64) wheel.Entry {
	n := a.At(i)
	return wheel.Entry{ID: n.Key, Run: a.Run(n), Due: n.Due, Rounds: rounds, Marked: n.State == StateMarked, Handle: wheel.NewTimer(i, n.Gen)}
}

// Clone returns an independent copy.
func (a *Arena) Clone() Arena { return a.CloneOver(&Arena{}) }

// held returns the nodes that the arena has memory for, without the rest of the last page.
func (a *Arena) held() int { return int(a.Used) - len(a.released)<<pageBits }

// Bytes returns the memory of the nodes that were ever used, less what Compact released. The
// rest of the last page is not counted, so that a wheel of three timers shows what three
// timers need.
func (a *Arena) Bytes() int64 {
	return int64(a.held())*nodeBytes + int64(cap(a.pages))*8 + int64(cap(a.Repeats.Items))*16
}

// nodeBytes is the size of a node.
const nodeBytes = 32

// repeat has what a repeating timer needs besides its node.
type repeat struct {
	Every wheel.Tick
	left  int32 // runs after the one it waits for; -1: no end
	run   uint32
}

// repeats is kept apart from the nodes, since few timers repeat. Index 0 is none.
type repeats struct {
	Items []repeat
	free  uint32 // first free item, linked by run; 0: none
}

func (r *repeats) alloc(every wheel.Tick, times int32) uint32 {
	left := times
	if left > 0 {
		left--
	}
	item := repeat{Every: every, left: left, run: 1}
	if i := r.free; i != 0 {
		r.free = r.Items[i].run
		r.Items[i] = item
		return i
	}
	if len(r.Items) == 0 {
		r.Items = append(r.Items, repeat{})
	}
	r.Items = append(r.Items, item)
	return uint32(len(r.Items) - 1)
}

func (r *repeats) release(i uint32) {
	r.Items[i].run = r.free
	r.free = i
}
