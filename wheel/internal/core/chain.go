package core

import "github.com/wheelscope/wheelscope/wheel"

// Chain is a doubly linked list of nodes. Node.Pos is the index of the next node, and Node.Slot the
// index of the previous node; 0 means none.
type Chain struct {
	Head, Tail uint32 // indices of the first and the last node; 0 if the list is empty
	Count      uint32 // number of nodes
}

// Link inserts node n, which has index i, before the node with index next, or at the tail if next is 0.
func (c *Chain) Link(a *Arena, i uint32, n *Node, next uint32) {
	prev := c.Tail
	if next != 0 {
		prev = a.At(next).Slot
		a.At(next).Slot = i
	} else {
		c.Tail = i
	}
	if prev != 0 {
		a.At(prev).Pos = i
	} else {
		c.Head = i
	}
	n.Pos, n.Slot = next, prev
	c.Count++
}

// Unlink removes node n from the list.
func (c *Chain) Unlink(a *Arena, n *Node) {
	if n.Slot != 0 {
		a.At(n.Slot).Pos = n.Pos
	} else {
		c.Head = n.Pos
	}
	if n.Pos != 0 {
		a.At(n.Pos).Slot = n.Slot
	} else {
		c.Tail = n.Slot
	}
	c.Count--
}

// AppendState appends the list to s as the slot of level 0 with the given index. It includes at
// most limit timers, or all if limit is AllEntries. If the list is empty, AppendState does nothing.
func (c *Chain) AppendState(s *wheel.State, a *Arena, index uint32, limit int) {
	if c.Head == 0 {
		return
	}
	p := wheel.Place{Slot: index, Count: int(c.Count)}
	if limit == wheel.AllEntries || limit > p.Count {
		limit = p.Count
	}
	if limit > 0 {
		p.Entries = s.Room(limit)
	}
	for i := c.Head; len(p.Entries) < limit; i = a.At(i).Pos {
		p.Entries = append(p.Entries, a.Entry(i, wheel.NoRounds))
	}
	s.Places = append(s.Places, p)
}

// Chain checks the links of l and calls visit for every node, in order.
func (c *Checker) Chain(l *Chain, visit func(*Node)) {
	prev, count := uint32(0), uint32(0)
	for i := l.Head; i != 0 && count <= l.Count; i = c.Arena.At(i).Pos {
		n := c.Arena.At(i)
		count++
		if n.Slot != prev || n.State == StateFree {
			c.Fail("timer %d is linked wrongly", n.Key)
		}
		visit(n)
		prev = i
	}
	c.Seen += int(count)
	if l.Tail != prev || l.Count != count {
		c.Fail("the tail is node %d of %d, want %d of %d", l.Tail, l.Count, prev, count)
	}
}
