package wheel

// chain is a doubly linked list of nodes: node.pos links to the next one,
// node.slot to the previous, 0 ends it.
type chain struct {
	head, tail uint32
	count      uint32
}

// link puts node i before node next, or at the tail where next is 0.
func (c *chain) link(a *arena, i uint32, n *node, next uint32) {
	prev := c.tail
	if next != 0 {
		prev = a.at(next).slot
		a.at(next).slot = i
	} else {
		c.tail = i
	}
	if prev != 0 {
		a.at(prev).pos = i
	} else {
		c.head = i
	}
	n.pos, n.slot = next, prev
	c.count++
}

func (c *chain) unlink(a *arena, n *node) {
	if n.slot != 0 {
		a.at(n.slot).pos = n.pos
	} else {
		c.head = n.pos
	}
	if n.pos != 0 {
		a.at(n.pos).slot = n.slot
	} else {
		c.tail = n.slot
	}
	c.count--
}

// appendState appends the first timers of the chain, in order, as one place,
// unless it is empty.
func (c *chain) appendState(s *State, a *arena, index uint32, most int) {
	if c.head == 0 {
		return
	}
	p := Place{Slot: index, Count: int(c.count)}
	for i := c.head; i != 0 && len(p.Entries) != most; i = a.at(i).pos {
		p.Entries = append(p.Entries, a.entry(i, NoRounds))
	}
	s.Places = append(s.Places, p)
}

// chain checks the links and gives every timer to visit, in order.
func (c *checker) chain(l *chain, visit func(*node)) {
	prev, count := uint32(0), uint32(0)
	for i := l.head; i != 0 && count <= l.count; i = c.arena.at(i).pos {
		n := c.arena.at(i)
		count++
		if n.slot != prev || n.state == stateFree {
			c.fail("timer %d is linked wrongly", n.key)
		}
		visit(n)
		prev = i
	}
	c.seen += int(count)
	if l.tail != prev || l.count != count {
		c.fail("the tail is node %d of %d, want %d of %d", l.tail, l.count, prev, count)
	}
}
