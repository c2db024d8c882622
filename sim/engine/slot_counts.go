package engine

import (
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// slotsDense is the number of slots per level whose counts are stored in a slice. The counts of slots with
// larger numbers are stored in a map. A lane of the redis algorithm, for example, uses only a few slots, whose
// numbers are Unix times in seconds.
const slotsDense = scenario.SlotsMax

// SlotCounts holds the number of timers in each slot of a lane, by level. Reset initializes it from a state, and Fold
// updates it with the events that follow that state. It is not safe for concurrent use.
type SlotCounts struct {
	levels []levelCounts
	track  bool // whether Fold records which counts it changes, for use by Changed
}

// levelCounts holds the counts of the slots of one level.
type levelCounts struct {
	level   int8
	dense   []int32          // number of timers in each slot below slotsDense, indexed by slot
	far     map[uint32]int32 // number of timers in each slot from slotsDense on, by slot; empty slots are omitted
	changed []uint32         // slots whose counts have changed since the last ClearChanged, without duplicates
	marked  []bool           // whether changed contains a slot numbered below slotsDense, indexed by slot
	farMark map[uint32]bool  // set of the slots in changed that are numbered slotsDense or higher
}

// Reset sets the counts to those of state s, or to zero if s is nil, and discards recorded changes. It reuses
// the memory of c. track determines whether Fold records changes for use by Changed.
func (c *SlotCounts) Reset(s *wheel.State, track bool) {
	c.ClearChanged()
	c.track = false
	for i := range c.levels {
		clear(c.levels[i].dense)
		clear(c.levels[i].far)
	}
	if s != nil {
		for i := range s.Places {
			p := &s.Places[i]
			c.add(p.Level, p.Slot, int32(p.Count))
		}
	}
	c.track = track
}

// Count returns the number of timers in a slot.
func (c *SlotCounts) Count(level int8, slot uint32) int32 { return c.level(level).count(slot) }

// Fold updates the counts with event e. It returns the new count of the slot that gains a timer, or 0 if no slot gains
// one or if e is a wheel.KindMove, which exchanges the contents of two slots.
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

// Changed calls f for each level with changes since the last ClearChanged. slots contains the slots that
// have changed, in the order of their first change. f must not keep the slice.
func (c *SlotCounts) Changed(f func(level int8, slots []uint32)) {
	for i := range c.levels {
		if l := &c.levels[i]; len(l.changed) > 0 {
			f(l.level, l.changed)
		}
	}
}

// ClearChanged discards the changes recorded for Changed.
func (c *SlotCounts) ClearChanged() {
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

// All calls f for each slot that contains timers, in no particular order.
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

// leave decrements the count of the slot that the timer of event e leaves. It does nothing if the timer was in no slot.
func (c *SlotCounts) leave(e *wheel.Event) {
	if e.FromLevel != wheel.NoLevel {
		c.add(e.FromLevel, e.FromSlot, -1)
	}
}

// add adds n to the count of a slot and returns the new count.
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

// level returns the counts of a level. It adds the level if necessary.
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

// addFar adds n to l.far[slot] and returns the new count. It deletes an entry whose count becomes 0, so that
// the map never has more entries than there are timers.
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

// mark adds slot to l.changed unless it is already there.
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

// grown returns list, extended if necessary to have an element for slot.
func grown[T any](list []T, slot uint32) []T {
	if need := int(slot) + 1 - len(list); need > 0 {
		list = append(list, make([]T, need)...)
	}
	return list
}
