package core

import "github.com/wheelscope/wheelscope/wheel"

// Node holds a timer in 32 bytes without pointers. In wheels whose slots are vectors, Pos and Slot
// give the timer's position. In wheels whose slots are linked lists, they identify its neighbours.
type Node struct {
	Due    wheel.Tick
	Key    uint32
	Gen    uint32 // generation of the node, which is incremented when its timer ends
	Pos    uint32 // in a vector or a heap, index of the timer; in a list, index of the next node
	Slot   uint32 // in a vector, index of the timer's slot among the slots of all levels; in a list, index of the previous node; in a free node, index of the next free node
	Repeat uint32 // index into Arena.Repeats.Items; 0 if the timer fires once
	State  uint32 // state of the node, such as StateMarked
}

// Values of Node.State.
const (
	StateFree      uint32 = iota // no timer uses the node
	StateLive                    // the timer is scheduled
	StateMigrated                // the timer has moved to a finer level and will not move again; see hierarchical.MigrateOne
	StateMarked                  // the timer was cancelled but is still in place
	StatePostponed               // the timer is due later than its slot says; see hierarchical.Reschedule
)

const (
	pageBits = 14
	pageSize = 1 << pageBits // number of nodes per page
)

// Arena holds the nodes of a wheel in pages of 512 kB. An arena grows by pages, so that only the
// first page, which starts small, is ever copied. Finding a node takes one load from a table that
// usually fits in the first-level cache, and the garbage collector follows one pointer per 16,384
// timers. A *Node is valid until the next call to alloc. Index 0 is not used.
type Arena struct {
	pages [][]Node
	// packed holds the nodes in compact form instead of in pages, if the wheel is a packed copy
	// (see Base.PackCopies). Otherwise packed is nil.
	packed     *packedNodes
	packCopies bool   // whether Clone returns packed copies, which take less memory; see Base.PackCopies
	Used       uint32 // greater than every index that alloc has returned; 0 before the first call
	// free is the index of the first free node; 0 means none. The free nodes are linked by their
	// Slot fields.
	free uint32
	Live int // number of nodes in use, including those of marked timers
	Pace
	Repeats repeats

	// sorted holds the free nodes that Compact has moved from the free list, indexed by page
	// number. It is nil until a call to Compact finds a free node.
	sorted     []sorted
	sortedFrom int      // pages with a number less than sortedFrom have no free nodes in the field sorted
	released   []uint32 // numbers of the pages whose memory Compact has released
	fresh      uint32   // index of the node that renew returns next; valid only if fresh is less than freshEnd
	freshEnd   uint32   // the nodes with indices in [fresh, freshEnd) are unused; they belong to the page that restore allocated last
}

// At returns the node at index i. It must only be called with an index that alloc has returned.
func (a *Arena) At(i uint32) *Node { return &a.pages[i>>pageBits][i&(pageSize-1)] }

// alloc returns an unused node and its index. Fields of the node other than Gen and State may hold
// values from a previous use.
func (a *Arena) alloc() (uint32, *Node) {
	i := a.free
	if i == 0 {
		return a.extend()
	}
	n := a.At(i)
	a.free = n.Slot
	n.State = StateLive
	a.Live++
	return i, n
}

// extend does the work of alloc when the free list is empty. It returns an unused node and its
// index. It prefers a node that Compact has moved from the free list to a.sorted, then a node of a
// released page, and then a node that was never used.
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
		a.pages = append(a.pages, make([]Node, pageSize))
	}
	i := a.Used
	a.Used++
	n := a.At(i)
	n.Gen, n.State = 1, StateLive
	a.Live++
	return i, n
}

// renew returns the unused node at index a.fresh, and its index. The node belongs to a page that
// was released and allocated again. The generation of the node is higher than that of every handle
// issued before the page was released, so none of these handles refers to the new timer of the
// node.
func (a *Arena) renew() (uint32, *Node) {
	i := a.fresh
	a.fresh++
	n := a.At(i)
	n.Gen, n.State = a.sorted[i>>pageBits].floor, StateLive
	a.Live++
	return i, n
}

// widen adds a node to the first page. If the page is full, widen doubles its capacity, up to
// pageSize. It does not use append for this, because append could allocate more than pageSize nodes.
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

// Release frees node n, which has index i. The handle of its timer becomes stale: Find returns nil
// for it from then on.
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

// Find returns the node of handle t. It returns nil if t is zero, if the timer of t has ended, or if
// the wheel has been aborted. A call to Find counts as one unit of work (see [Pace.Spend]), so it may
// call the hook.
func (a *Arena) Find(t wheel.Timer) *Node {
	if !a.Spend(1) {
		return nil
	}
	return a.lookup(t)
}

// lookup returns the node of handle t. Unlike [Arena.Find], it does not count as work. It returns
// nil if t is zero, or if the timer of t has ended.
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

// Run returns the number of the next run of n's timer, counting from 1.
func (a *Arena) Run(n *Node) uint32 {
	if n.Repeat == 0 {
		return 1
	}
	return a.Repeats.Items[n.Repeat].run
}

// Entry returns the timer at index i as an entry of a State. rounds is the number of rounds left,
// or NoRounds.
func (a *Arena) Entry(i uint32, rounds int64) wheel.Entry {
	n := a.At(i)
	return wheel.Entry{ID: n.Key, Run: a.Run(n), Due: n.Due, Rounds: rounds, Marked: n.State == StateMarked, Handle: wheel.NewTimer(i, n.Gen)}
}

// held returns the number of nodes that have ever been used, excluding those of released pages.
func (a *Arena) held() int { return int(a.Used) - len(a.released)<<pageBits }

// Bytes returns the memory that the arena uses for nodes, repeating timers and the page table, in
// bytes. It includes all nodes that have ever been used, except those of pages that Compact has
// released. It does not include the unused part of the last page.
func (a *Arena) Bytes() int64 {
	nodes := int64(a.held()) * nodeBytes
	if a.packed != nil {
		nodes = a.packed.bytes()
	}
	return nodes + int64(cap(a.pages))*8 + int64(cap(a.Repeats.Items))*16
}

// nodeBytes is the size of a Node in bytes.
const nodeBytes = 32

// repeat holds the fields of a repeating timer that do not fit in its node.
type repeat struct {
	Every wheel.Tick // base ticks between two runs
	left  int32      // number of runs after the next one; -1 means no limit
	run   uint32     // number of the next run, counting from 1; in a free item, index of the next free item
}

// repeats holds one item for each repeating timer. The items are separate from the nodes
// because few timers repeat. Index 0 is not used.
type repeats struct {
	Items []repeat
	free  uint32 // index of the first free item, whose run field is the index of the next one; 0 means none
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
