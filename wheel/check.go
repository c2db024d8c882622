package wheel

import "fmt"

// checker collects the first fault found by a wheel's Check.
type checker struct {
	arena *arena
	seen  int
	err   error
}

func (c *checker) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("wheel: "+format, args...)
	}
}

// slot checks a vector: dead entries counted, and every timer one that belongs
// here.
func (c *checker) slot(s *slot, index uint32, belongs func(*node) bool) {
	dead := 0
	for k, i := range s.ids {
		if !s.holds(c.arena, index, k) {
			dead++
			continue
		}
		if s.buried(k) {
			c.fail("slot %d holds a live timer at %d that is noted as cancelled", index, k)
		}
		c.seen++
		if n := c.arena.at(i); !belongs(n) {
			c.fail("timer %d, due %d, does not belong into slot %d", n.key, n.due, index)
		}
	}
	if dead != s.dead || dead > 0 && dead == len(s.ids) {
		c.fail("slot %d has %d dead entries of %d and counts %d", index, dead, len(s.ids), s.dead)
	}
}

// occupied checks the bit of a slot.
func (c *checker) occupied(b *bitmap, s uint32, want bool) {
	if b.has(s) != want {
		c.fail("slot %d: occupied is %v, want %v", s, b.has(s), want)
	}
	if above := b.above[s>>12]>>(s>>6&63)&1 == 1; above != (b.words[s>>6] != 0) {
		c.fail("slot %d: the word's bit is %v", s, above)
	}
}

// done checks the arena: every live timer was seen once, the free list holds
// the rest.
func (c *checker) done() error {
	if c.seen != c.arena.live {
		c.fail("%d timers stand in places, %d are live", c.seen, c.arena.live)
	}
	free := 0
	for i := c.arena.free; i != 0 && free <= int(c.arena.used); i = c.arena.at(i).slot {
		if c.arena.at(i).state != stateFree {
			c.fail("node %d is in the free list and not free", i)
		}
		free++
	}
	if c.arena.used > 0 && free+c.arena.live != int(c.arena.used)-1 {
		c.fail("%d nodes free, %d live, %d in all", free, c.arena.live, c.arena.used-1)
	}
	return c.err
}
