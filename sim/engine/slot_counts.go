package engine

import (
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// slotsDense is the number of slots of a level that are counted in a slice. Slots from it on
// are counted in a map: a lane whose slots are points in time (seconds since 1970 in a Redis
// sorted set) uses few of them, with large numbers.
const slotsDense = scenario.SlotsMax

// SlotCounts counts the timers in every slot of one lane. It starts from a state and applies
// the events after it, without knowing which timers they concern.
type SlotCounts struct {
	levels []levelCounts
	track  bool // changes are recorded
}

// levelCounts holds the counts of the slots of one level.
type levelCounts struct {
	level   int8
	dense   []int32          // by slot, below slotsDense
	far     map[uint32]int32 // by slot, from slotsDense on
	changed []uint32         // slots changed since the last Settle, each once
	marked  []bool           // by slot, below slotsDense: the slot is in changed
	farMark map[uint32]bool  // by slot, from slotsDense on: the slot is in changed
}

// NewSlotCounts counts the timers of s, none if s is nil. If track is set, the slots
// whose counts change afterwards are recorded for Changed.
func NewSlotCounts(s *wheel.State, track bool) SlotCounts {
	c := SlotCounts{}
	if s != nil {
		for i := range s.Places {
			p := &s.Places[i]
			c.add(p.Level, p.Slot, int32(p.Count))
		}
	}
	c.track = track
	return c
}

// Count returns the number of timers in a slot.
func (c *SlotCounts) Count(level int8, slot uint32) int32 { return c.level(level).count(slot) }

// Fold applies one event. If a timer entered a slot, it returns the number of timers in that
// slot, otherwise 0.
func (c *SlotCounts) Fold(e *wheel.Event) int32 {
	switch e.Kind {
	case wheel.KindPend:
		return c.add(-1, 0, 1)
	case wheel.KindPlace, wheel.KindCascade:
		c.leave(e)
		return c.add(e.ToLevel, e.ToSlot, 1)
	case wheel.KindMove: // the two slots swap their contents: no timer more in either
		d := c.Count(e.FromLevel, e.FromSlot) - c.Count(e.ToLevel, e.ToSlot)
		c.add(e.FromLevel, e.FromSlot, -d)
		c.add(e.ToLevel, e.ToSlot, d)
	case wheel.KindCancel, wheel.KindSweep, wheel.KindExpire:
		c.leave(e)
	}
	return 0
}

// Changed calls f for each level with changes since the last Settle, with the slots
// that changed in the order of their first change. The slice must not be kept.
func (c *SlotCounts) Changed(f func(level int8, slots []uint32)) {
	for i := range c.levels {
		if l := &c.levels[i]; len(l.changed) > 0 {
			f(l.level, l.changed)
		}
	}
}

// Settle clears the recorded changes.
func (c *SlotCounts) Settle() {
	for i := range c.levels {
		l := &c.levels[i]
		for _, slot := range l.changed {
			if slot < slotsDense {
				l.marked[slot] = false
			}
		}
		l.changed = l.changed[:0]
		clear(l.farMark)
	}
}

// All calls f for every slot that contains timers, in no particular order.
func (c *SlotCounts) All(f func(level int8, slot uint32, count int32)) {
	for i := range c.levels {
		l := &c.levels[i]
		for slot, n := range l.dense {
			if n != 0 {
				f(l.level, uint32(slot), n)
			}
		}
		for slot, n := range l.far {
			f(l.level, slot, n)
		}
	}
}

// leave subtracts a timer from the slot that it leaves, if it was in one.
func (c *SlotCounts) leave(e *wheel.Event) {
	if e.FromLevel != wheel.NoLevel {
		c.add(e.FromLevel, e.FromSlot, -1)
	}
}

// add adds n to the count of a slot and returns the count.
func (c *SlotCounts) add(level int8, slot uint32, n int32) int32 {
	l := c.level(level)
	if c.track {
		l.mark(slot)
	}
	if slot >= slotsDense {
		return l.addFar(slot, n)
	}
	l.dense = grown(l.dense, slot)
	l.dense[slot] += n
	return l.dense[slot]
}

// level returns the counts of a level.
func (c *SlotCounts) level(level int8) *levelCounts {
	for i := range c.levels {
		if c.levels[i].level == level {
			return &c.levels[i]
		}
	}
	c.levels = append(c.levels, levelCounts{level: level})
	return &c.levels[len(c.levels)-1]
}

func (l *levelCounts) count(slot uint32) int32 {
	if slot >= slotsDense {
		return l.far[slot]
	}
	if int(slot) < len(l.dense) {
		return l.dense[slot]
	}
	return 0
}

// addFar is add for a slot in the map. An empty slot is deleted, so that there are
// never more slots than timers.
func (l *levelCounts) addFar(slot uint32, n int32) int32 {
	count := l.far[slot] + n
	if count == 0 {
		delete(l.far, slot)
		return 0
	}
	if l.far == nil {
		l.far = map[uint32]int32{}
	}
	l.far[slot] = count
	return count
}

// mark records that a slot changes.
func (l *levelCounts) mark(slot uint32) {
	if slot >= slotsDense {
		if l.farMark[slot] {
			return
		}
		if l.farMark == nil {
			l.farMark = map[uint32]bool{}
		}
		l.farMark[slot] = true
	} else {
		l.marked = grown(l.marked, slot)
		if l.marked[slot] {
			return
		}
		l.marked[slot] = true
	}
	l.changed = append(l.changed, slot)
}

// grown extends a list so that it has an element for slot.
func grown[T any](list []T, slot uint32) []T {
	if need := int(slot) + 1 - len(list); need > 0 {
		list = append(list, make([]T, need)...)
	}
	return list
}
