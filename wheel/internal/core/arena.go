package core

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/hugepage"
)

// Node is one timer: 32 bytes, no pointers. A wheel whose slots are vectors
// keeps a timer's place in pos and slot; one that links its timers keeps the
// neighbours there.
type Node struct {
	Due    wheel.Tick
	Key    uint32
	Gen    uint32 // generation of this place in the arena; changes when the timer ends
	Pos    uint32 // index in its slot's vector, or in a heap; next of a list
	Slot   uint32 // slot over all levels; previous of a list; next free of a free node
	Repeat uint32 // index into repeats, 0: fires once
	State  uint32 // StateFree, stateLive or more
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

// Arena holds nodes in pages of 512 kB, so that growing copies nothing (but the
// first page, which starts small), finding a node costs one load that is always
// in the nearest cache, and the garbage collector follows one pointer for each
// 16,384 timers. No *node outlives a call of alloc. Index 0 is no node.
type Arena struct {
	pages [][]Node
	Used  uint32 // nodes ever handed out, node 0 included
	free  uint32 // first free node, linked by slot; 0: none
	Live  int
	Pace
	Repeats repeats
}

// At gives the node of an index that was handed out.
func (a *Arena) At(i uint32) *Node { return &a.pages[i>>pageBits][i&(pageSize-1)] }

// alloc hands out a node whose fields but gen and state are left over.
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

// extend hands out a node never used before.
func (a *Arena) extend() (uint32, *Node) {
	if a.Used == 0 {
		a.Used = 1
	}
	switch page := int(a.Used >> pageBits); {
	case page == 0:
		a.widen()
	case page == len(a.pages):
		page := make([]Node, pageSize)
		hugepage.Advise(page)
		a.pages = append(a.pages, page)
	}
	i := a.Used
	a.Used++
	n := a.At(i)
	n.Gen, n.State = 1, stateLive
	a.Live++
	return i, n
}

// widen makes room for one more node in the first page: by doubling, so that it ends
// as large as any other and not a fifth larger.
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

// Release ends the timer at i: its handle is stale from now on.
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

// Find returns the node of a handle for an operation on it, which counts as a unit of
// work. It returns nil when the handle is stale or the wheel was aborted.
func (a *Arena) Find(t wheel.Timer) *Node {
	if !a.Spend(1) {
		return nil
	}
	return a.lookup(t)
}

// lookup returns the node of a handle, or nil when the handle is stale.
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

// Run is the number of the run that a timer waits for.
func (a *Arena) Run(n *Node) uint32 {
	if n.Repeat == 0 {
		return 1
	}
	return a.Repeats.Items[n.Repeat].run
}

// Entry describes the timer at index i.
func (a *Arena) Entry(i uint32, rounds int64) wheel.Entry {
	n := a.At(i)
	return wheel.Entry{ID: n.Key, Run: a.Run(n), Due: n.Due, Rounds: rounds, Marked: n.State == StateMarked, Handle: wheel.NewTimer(i, n.Gen)}
}

func (a *Arena) Clone() Arena { return a.CloneOver(&Arena{}) }

// Bytes counts the nodes ever handed out, not the rest of the last page: a wheel
// of three timers is told as what three timers need.
func (a *Arena) Bytes() int64 {
	return int64(a.Used)*nodeBytes + int64(cap(a.pages))*8 + int64(cap(a.Repeats.Items))*16
}

// nodeBytes is the size of a node.
const nodeBytes = 32

// repeat is what a repeating timer has beside its node.
type repeat struct {
	Every wheel.Tick
	left  int32 // runs still to come after the one waited for; -1: for ever
	run   uint32
}

// repeats keeps them apart from the nodes: few timers repeat. Index 0 is none.
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
