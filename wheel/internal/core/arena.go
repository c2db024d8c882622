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
//
// A node without a timer is either in the list of free nodes of its page, or has not been used since
// the page was allocated.
type Arena struct {
	pages [][]Node
	// packed holds the nodes in compact form instead of in pages, if the wheel is a packed copy
	// (see Base.PackCopies). Otherwise packed is nil.
	packed     *packedNodes
	packCopies bool   // whether Clone returns packed copies, which take less memory; see Base.PackCopies
	rooms      []room // free nodes of each page
	recent     int    // page of the node that was freed last, or from which alloc took the last one
	low        int    // pages with lower numbers have no list of free nodes
	part       int    // pages with lower numbers have no unused nodes
	used       int    // number of nodes in pages that have been used
	floor      uint32 // generation of nodes that are used for the first time; no less than that of any node of a released page
	Live       int    // number of nodes in use, including those of marked timers
	Pace
	Repeats repeats
}

// room describes the free nodes of a page.
type room struct {
	free uint32 // index of the first free node; 0 means none. The free nodes are linked by their Slot fields
	used uint32 // number of nodes, from the beginning of the page, that have been used since the page was allocated
	live uint32 // number of nodes in use
}

// At returns the node at index i. It must only be called with an index that alloc has returned.
func (a *Arena) At(i uint32) *Node { return &a.pages[i>>pageBits][i&(pageSize-1)] }

// alloc returns an unused node and its index. Fields of the node other than Gen and State may hold
// values from a previous use. It prefers the node that was freed last, which is in the cache.
func (a *Arena) alloc() (uint32, *Node) {
	if a.recent >= len(a.rooms) {
		return a.extend()
	}
	r := &a.rooms[a.recent]
	i := r.free
	if i == 0 {
		return a.extend()
	}
	n := a.At(i)
	r.free = n.Slot
	r.live++
	n.State = StateLive
	a.Live++
	return i, n
}

// extend does the work of alloc if the page of the node that was freed last has no list of free nodes. It uses that of
// another page or, if there is none, a node for the first time.
func (a *Arena) extend() (uint32, *Node) {
	for ; a.low < len(a.rooms); a.low++ {
		if a.rooms[a.low].free != 0 {
			a.recent = a.low
			return a.alloc()
		}
	}
	for a.part < len(a.rooms) && a.rooms[a.part].used == pageSize {
		a.part++
	}
	switch {
	case a.part == 0:
		a.widen()
	case a.part == len(a.rooms):
		a.pages, a.rooms = append(a.pages, make([]Node, pageSize)), append(a.rooms, room{})
	case released(a.pages[a.part]):
		a.pages[a.part] = make([]Node, pageSize)
	}
	a.recent = a.part
	r := &a.rooms[a.part]
	i := uint32(a.part)<<pageBits + r.used
	r.used++
	r.live++
	n := a.At(i)
	n.Gen, n.State = max(a.floor, 1), StateLive
	a.used++
	a.Live++
	return i, n
}

// widen adds a node to the first page. If the page is full, widen doubles its capacity, up to
// pageSize. It does not use append for this, because append could allocate more than pageSize nodes.
func (a *Arena) widen() {
	if len(a.pages) == 0 {
		a.pages, a.rooms = append(a.pages, make([]Node, 1, 8)), append(a.rooms, room{used: 1}) // index 0 is not used
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
	a.recent = int(i >> pageBits)
	a.low = min(a.low, a.recent)
	r := &a.rooms[a.recent]
	n.Gen++
	n.State = StateFree
	n.Slot = r.free
	r.free = i
	r.live--
	a.Live--
}

// Find returns the node of handle t. It returns nil if t is zero, if the timer of t has ended, or if
// the wheel has been aborted. A call to Find counts as one unit of work (see [Pace.Spend]), so it may
// call the hook.
func (a *Arena) Find(t wheel.Timer) *Node {
	if !a.Spend(1) {
		return nil
	}
	return a.Lookup(t)
}

// Lookup returns the node of handle t. Unlike [Arena.Find], it does not count as work. It returns
// nil if t is zero, or if the timer of t has ended.
func (a *Arena) Lookup(t wheel.Timer) *Node {
	i := t.Index()
	if page := int(i >> pageBits); i == 0 || page >= len(a.pages) || int(i&(pageSize-1)) >= len(a.pages[page]) {
		return nil
	}
	n := a.At(i)
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

// Bytes returns the memory that the arena uses for nodes, repeating timers and the page table, in
// bytes. It includes all nodes that have ever been used, except those of pages that Compact has
// released. It does not include the unused part of the last page.
func (a *Arena) Bytes() int64 {
	nodes := int64(a.used) * nodeBytes
	if a.packed != nil {
		nodes = a.packed.bytes()
	}
	return nodes + int64(cap(a.pages))*(8+12) + int64(cap(a.Repeats.Items))*16
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
