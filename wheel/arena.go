package wheel

import "github.com/wheelscope/wheelscope/wheel/internal/hugepage"

// node is one timer: 32 bytes, no pointers. A wheel whose slots are vectors
// keeps a timer's place in pos and slot; one that links its timers keeps the
// neighbours there.
type node struct {
	due   Tick
	key   uint32
	gen   uint32 // generation of this place in the arena; changes when the timer ends
	pos   uint32 // index in its slot's vector, or in a heap; next of a list
	slot  uint32 // slot over all levels; previous of a list; next free of a free node
	rep   uint32 // index into repeats, 0: fires once
	state uint32 // stateFree, stateLive or more
}

const (
	stateFree uint32 = iota
	stateLive
	stateMigrated // has made its one migration (Nichols' variant)
	stateMarked   // cancelled but still in place (Netty)
)

const (
	pageBits = 14
	pageSize = 1 << pageBits
)

// arena holds nodes in pages of 512 kB, so that growing copies nothing (but the
// first page, which starts small), finding a node costs one load that is always
// in the nearest cache, and the garbage collector follows one pointer for each
// 16,384 timers. No *node outlives a call of alloc. Index 0 is no node.
type arena struct {
	pages [][]node
	used  uint32 // nodes ever handed out, node 0 included
	free  uint32 // first free node, linked by slot; 0: none
	live  int
	pace
	reps repeats
}

// at gives the node of an index that was handed out.
func (a *arena) at(i uint32) *node { return &a.pages[i>>pageBits][i&(pageSize-1)] }

// alloc hands out a node whose fields but gen and state are left over.
func (a *arena) alloc() (uint32, *node) {
	i := a.free
	if i == 0 {
		return a.extend()
	}
	n := a.at(i)
	a.free = n.slot
	n.state = stateLive
	a.live++
	return i, n
}

// extend hands out a node never used before.
func (a *arena) extend() (uint32, *node) {
	if a.used == 0 {
		a.used = 1
	}
	switch page := int(a.used >> pageBits); {
	case page == 0:
		a.widen()
	case page == len(a.pages):
		page := make([]node, pageSize)
		hugepage.Advise(page)
		a.pages = append(a.pages, page)
	}
	i := a.used
	a.used++
	n := a.at(i)
	n.gen, n.state = 1, stateLive
	a.live++
	return i, n
}

// widen makes room for one more node in the first page: by doubling, so that it ends
// as large as any other and not a fifth larger.
func (a *arena) widen() {
	if len(a.pages) == 0 {
		a.pages = append(a.pages, make([]node, 1, 8))
	}
	first := a.pages[0]
	if len(first) == cap(first) {
		first = append(make([]node, 0, min(2*cap(first), pageSize)), first...)
	}
	a.pages[0] = append(first, node{})
}

// release ends the timer at i: its handle is stale from now on.
func (a *arena) release(i uint32, n *node) {
	if n.rep != 0 {
		a.reps.release(n.rep)
		n.rep = 0
	}
	n.gen++
	n.state = stateFree
	n.slot = a.free
	a.free = i
	a.live--
}

// find returns the node of a handle for an operation on it, which counts as a unit of
// work. It returns nil when the handle is stale or the wheel was aborted.
func (a *arena) find(t Timer) *node {
	if !a.spend(1) {
		return nil
	}
	return a.lookup(t)
}

// lookup returns the node of a handle, or nil when the handle is stale.
func (a *arena) lookup(t Timer) *node {
	if t.index == 0 || t.index >= a.used {
		return nil
	}
	n := a.at(t.index)
	if n.gen != t.gen || n.state == stateFree {
		return nil
	}
	return n
}

// run is the number of the run that a timer waits for.
func (a *arena) run(n *node) uint32 {
	if n.rep == 0 {
		return 1
	}
	return a.reps.items[n.rep].run
}

// entry describes the timer at index i.
func (a *arena) entry(i uint32, rounds int64) Entry {
	n := a.at(i)
	return Entry{ID: n.key, Run: a.run(n), Due: n.due, Rounds: rounds, Marked: n.state == stateMarked, Handle: Timer{i, n.gen}}
}

func (a *arena) clone() arena { return a.cloneOver(&arena{}) }

// bytes counts the nodes ever handed out, not the rest of the last page: a wheel
// of three timers is told as what three timers need.
func (a *arena) bytes() int64 {
	return int64(a.used)*nodeBytes + int64(cap(a.pages))*8 + int64(cap(a.reps.items))*16
}

// nodeBytes is the size of a node.
const nodeBytes = 32

// repeat is what a repeating timer has beside its node.
type repeat struct {
	every Tick
	left  int32 // runs still to come after the one waited for; -1: for ever
	run   uint32
}

// repeats keeps them apart from the nodes: few timers repeat. Index 0 is none.
type repeats struct {
	items []repeat
	free  uint32 // first free item, linked by run; 0: none
}

func (r *repeats) alloc(every Tick, times int32) uint32 {
	left := times
	if left > 0 {
		left--
	}
	item := repeat{every: every, left: left, run: 1}
	if i := r.free; i != 0 {
		r.free = r.items[i].run
		r.items[i] = item
		return i
	}
	if len(r.items) == 0 {
		r.items = append(r.items, repeat{})
	}
	r.items = append(r.items, item)
	return uint32(len(r.items) - 1)
}

func (r *repeats) release(i uint32) {
	r.items[i].run = r.free
	r.free = i
}
