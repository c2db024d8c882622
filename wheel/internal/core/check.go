package core

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel"
)

// Checker implements the Check method of wheels. It records the first violation of an invariant.
type Checker struct {
	Arena *Arena
	Seen  int   // number of timers found so far in slots, lists or a heap; Done compares it with Arena.Live
	Err   error // the first violation; nil means none
}

// Fail records a violation, unless one has been recorded before.
func (c *Checker) Fail(format string, args ...any) {
	if c.Err == nil {
		c.Err = fmt.Errorf("wheel: "+format, args...)
	}
}

// Slot checks that s.DeadCount is correct, that s does not consist of dead entries only, and that
// belongs returns true for every timer in s. An entry is dead if there is no timer at its position
// any more. index is the index of s among the slots of all levels.
func (c *Checker) Slot(s *Slot, index uint32, belongs func(*Node) bool) {
	if dead := c.entries(s, index, belongs); dead > 0 && dead == len(s.IDs) {
		c.Fail("slot %d has dead entries only, %d", index, dead)
	}
}

// visited is like [Checker.Slot], but for a slot that is being visited. All of its entries may be
// dead, because the timers that the visit has already processed leave dead entries.
func (c *Checker) visited(s *Slot, index uint32, belongs func(*Node) bool) {
	c.entries(s, index, belongs)
}

// entries checks that s, the slot with the given index, counts its dead entries correctly and marks no other entry as
// dead, and that belongs returns true for the nodes of all others. An entry is dead if its timer is no longer at that
// position. entries returns the number of dead entries.
func (c *Checker) entries(s *Slot, index uint32, belongs func(*Node) bool) int {
	dead := 0
	for k, i := range s.IDs {
		if !s.Holds(c.Arena, index, k) {
			dead++
			continue
		}
		if s.isDead(k) {
			c.Fail("slot %d holds a live timer at %d that is noted as cancelled", index, k)
		}
		c.Seen++
		if n := c.Arena.At(i); !belongs(n) {
			c.Fail("timer %d, due %d, does not belong into slot %d", n.Key, n.Due, index)
		}
	}
	if dead != s.DeadCount || s.kept > s.moved || int(s.moved) > len(s.IDs) {
		c.Fail("slot %d has %d dead entries of %d and counts %d; it is compacted from %d to %d", index, dead, len(s.IDs), s.DeadCount, s.moved, s.kept)
	}
	return dead
}

// Occupied checks that the bit of slot s in b is set if want is true, and is clear otherwise.
func (c *Checker) Occupied(b *Bitmap, s uint32, want bool) {
	if b.Has(s) != want {
		c.Fail("slot %d: occupied is %v, want %v", s, b.Has(s), want)
	}
	if above := b.above[s>>12]>>(s>>6&63)&1 == 1; above != (b.Words[s>>6] != 0) {
		c.Fail("slot %d: the word's bit is %v", s, above)
	}
}

// Done checks that every node in use was seen exactly once and that all other nodes are free. It
// returns the first violation that c has recorded, or nil.
func (c *Checker) Done() error {
	if c.Seen != c.Arena.Live {
		c.Fail("%d timers are in places, %d are live", c.Seen, c.Arena.Live)
	}
	live := 0
	for number := range c.Arena.rooms {
		r, count := &c.Arena.rooms[number], uint32(0)
		for i := r.free; i != 0 && count <= r.used; i = c.Arena.At(i).Slot {
			if int(i>>pageBits) != number || c.Arena.At(i).State != StateFree {
				c.Fail("node %d is in the list of free nodes of page %d", i, number)
			}
			count++
		}
		if number == 0 {
			count++ // index 0 is not used
		}
		if count+r.live != r.used || r.free != 0 && number < c.Arena.low || r.used < pageSize && number < c.Arena.part {
			c.Fail("page %d has %d free and %d live nodes of %d", number, count, r.live, r.used)
		}
		live += int(r.live)
	}
	if live != c.Arena.Live {
		c.Fail("the pages have %d live nodes, want %d", live, c.Arena.Live)
	}
	return c.Err
}

// CheckRing checks the number of slots of a wheel, the width of a slot in base ticks, and the start
// tick. It returns a *wheel.ParamError if one of them is out of range, and nil otherwise.
func CheckRing(slots int, width, start wheel.Tick) error {
	if err := CheckSlots("slots", slots); err != nil {
		return err
	}
	return CheckClock(width, start)
}

// CheckSlots returns a *wheel.ParamError if slots, the value of the named parameter, is less than 1
// or more than SlotsMax.
func CheckSlots(name string, slots int) error {
	if slots < 1 || slots > wheel.SlotsMax {
		return &wheel.ParamError{Name: name, Found: fmt.Sprint(slots), Want: "between %d and %d", Args: []any{1, wheel.SlotsMax}}
	}
	return nil
}

// CheckClock returns a *wheel.ParamError if width, the number of base ticks per slot, or the start
// tick of a wheel is out of range.
func CheckClock(width, start wheel.Tick) error {
	if width < 1 || width > wheel.WidthMax {
		return &wheel.ParamError{Name: "width", Found: fmt.Sprint(width), Want: "between %d and %d", Args: []any{1, int64(wheel.WidthMax)}}
	}
	return CheckStart(start)
}

// CheckStart returns a *wheel.ParamError if the start tick of a wheel is less than 0 or more than
// TickMax.
func CheckStart(start wheel.Tick) error {
	if start < 0 || start > wheel.TickMax {
		return &wheel.ParamError{Name: "start", Found: fmt.Sprint(start), Want: "a tick of %d bits, %d or more", Args: []any{62, 0}}
	}
	return nil
}
