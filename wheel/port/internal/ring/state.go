package ring

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// IdlePeak returns the cost of one slot and the next tick, or 0, 0 if there is none or w is halted.
func (w *Ring) IdlePeak(to wheel.Tick) (int64, wheel.Tick) {
	if w.Halted {
		return 0, 0
	}
	peak, at := core.RingPeak(w.Ticks, w.U, to-w.Shift())
	if peak > 0 {
		at += w.Shift()
	}
	return peak, at
}

// Layout returns the layout of the wheel: a ring of one level.
func (w *Ring) Layout() wheel.Layout {
	return wheel.Layout{Shape: wheel.ShapeRing, Levels: []wheel.Level{{Level: 0, Slots: int(w.N), Width: w.U}}, FromStart: true}
}

// AppendState appends the occupied slots, with the rounds of each timer, and sets the counts.
func (w *Ring) AppendState(s *wheel.State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	for i := range w.slots {
		core.AppendSlot(s, &w.Arena, wheel.Place{Slot: uint32(i)}, uint32(i), &w.slots[i].Slot, w.slots[i].Rounds, most)
	}
	s.Counts, s.Live = w.Counts, w.Arena.Live
}

// Copy returns an independent copy of the shared state, without the log.
func (w *Ring) Copy() Ring {
	c := *w
	c.Log, c.spares = nil, core.FreeList{}
	c.Arena, c.occ = w.Arena.Clone(), w.occ.Clone()
	c.slots = core.CloneRoundSlots(w.slots)
	return c
}

// Bytes returns the memory, in bytes, of the arena, the slots and the bitmap of occupied slots.
func (w *Ring) Bytes() int64 {
	return w.Arena.Bytes() + w.spares.Bytes() + w.occ.Bytes() + core.RoundSlotBytes(w.slots)
}

// CheckWith verifies the arena and every slot. If no fault is switched on, it also verifies that
// each timer of library p will fire within one tick of its aim.
func (w *Ring) CheckWith(p Library) error {
	c := core.Checker{Arena: &w.Arena}
	for s := range w.slots {
		v := &w.slots[s]
		if len(v.Rounds) != len(v.IDs) {
			c.Fail("slot %d has %d timers and %d rounds", s, len(v.IDs), len(v.Rounds))
			return c.Err
		}
		c.Slot(&v.Slot, uint32(s), func(n *core.Node) bool {
			if w.Faults != 0 || w.lost > 0 {
				return v.Rounds[n.Pos] >= 0
			}
			fires := w.start + w.U*(w.Ticks+1+(int64(s)-w.Ticks%w.N+w.N)%w.N+v.Rounds[n.Pos]*w.N)
			off := fires - p.Aim(v.IDs[n.Pos], n)
			return -w.U < off && off <= w.U
		})
		c.Occupied(&w.occ, uint32(s), len(v.IDs) > 0)
	}
	return c.Done()
}
