package ring

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// IdlePeak implements [wheel.Observable.IdlePeak]. It returns 1 and the base tick at which the wheel ticks
// next, because every tick of the wheel examines one slot, even if the slot is empty. It returns 0, 0
// if the wheel does not tick again up to base tick to, or is halted.
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

// AppendState appends the occupied slots to s, each with at most limit timers and their rounds, and sets s.Counts and
// s.Live; see [wheel.Wheel].
func (w *Ring) AppendState(s *wheel.State, limit int) {
	w.AppendLayout(s, w.Layout())
	w.AppendSlots(&w.Arena, s, limit)
}

// Copy returns an independent copy of w, without the log.
func (w *Ring) Copy() Ring {
	c := *w
	c.Base = w.Base.Copy()
	c.RoundSlots = w.RoundSlots.Clone()
	return c
}

// Bytes returns the number of bytes of memory that the arena, the slots and the bitmap of occupied
// slots use.
func (w *Ring) Bytes() int64 { return w.Arena.Bytes() + w.RoundSlots.Bytes() }

// CheckWith implements [wheel.Observable.Check] for wheel p, which embeds w. It verifies the arena and
// every slot. If no fault is switched on and no tick was lost, it also verifies that each timer
// will fire less than a wheel tick before, and at most a wheel tick after, the tick at which the timer
// should fire according to p.Aim.
func (w *Ring) CheckWith(p Library) error {
	c := core.Checker{Arena: &w.Arena}
	c.RoundSlots(&w.RoundSlots, func(s int64, v *core.RoundSlot, n *core.Node) bool {
		if w.Faults != 0 || w.lost > 0 {
			return v.Rounds[n.Pos] >= 0
		}
		fires := w.start + w.U*(w.Ticks+1+(s-w.Ticks%w.N+w.N)%w.N+v.Rounds[n.Pos]*w.N)
		off := fires - p.Aim(v.IDs[n.Pos], n)
		return -w.U < off && off <= w.U
	})
	return c.Done()
}
