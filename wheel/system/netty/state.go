package netty

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// IdlePeak implements [wheel.Wheel.IdlePeak]. Every tick of the wheel examines a slot, even an
// empty one, and so costs 1. IdlePeak returns 1 and the base tick at which the next tick of the
// wheel ends, or 0, 0 if no tick ends by base tick to.
func (w *netty) IdlePeak(to wheel.Tick) (int64, wheel.Tick) {
	peak, at := core.RingPeak(w.tick, w.u, to-w.start)
	if peak > 0 {
		at += w.start
	}
	return peak, at
}

// Layout returns the layout of the wheel: a ring, and the pending queue as level -1.
func (w *netty) Layout() wheel.Layout {
	return wheel.Layout{Shape: wheel.ShapeRing, Levels: []wheel.Level{{Level: 0, Slots: int(w.n), Width: w.u}, {Level: -1, Slots: 0, Width: 0}}, FromStart: true}
}

// AppendState appends the pending queue and the occupied slots to s, each with at most limit timers
// and their rounds, and sets s.Counts and s.Live; see [wheel.Wheel].
func (w *netty) AppendState(s *wheel.State, limit int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	core.AppendSlot(s, &w.Arena, wheel.Place{Level: -1}, core.SideSlot, &w.pending, nil, limit)
	w.AppendSlots(&w.Arena, s, limit)
	s.Counts, s.Live = w.Counts, w.Len()
}

// Clone returns an independent copy of the wheel, without its log.
func (w *netty) Clone() wheel.Wheel {
	c := *w
	c.Base = w.Base.Copy()
	c.RoundSlots = w.RoundSlots.Clone()
	c.pending.IDs = append([]uint32(nil), w.pending.IDs...)
	c.cancelled = append([]wheel.Timer(nil), w.cancelled...)
	return &c
}

// Bytes returns the number of bytes of memory that the arena, the slots, the queues and the bitmap
// of occupied slots use.
func (w *netty) Bytes() int64 {
	return w.Arena.Bytes() + w.RoundSlots.Bytes() + w.pending.Bytes() + int64(cap(w.cancelled))*8
}

// Check verifies the queues and every slot. The slot and rounds of each timer must be such that it
// fires at the end of the wheel tick that contains its due tick.
func (w *netty) Check() error {
	c := core.Checker{Arena: &w.Arena}
	marked := 0
	c.Slot(&w.pending, core.SideSlot, func(n *core.Node) bool { return w.count(n, &marked) })
	c.RoundSlots(&w.RoundSlots, func(s int64, v *core.RoundSlot, n *core.Node) bool {
		calc := (n.Due - w.start) / w.u
		visit := w.tick + (s-w.tick)&(w.n-1)
		return w.count(n, &marked) && (n.State == core.StateMarked || visit+v.Rounds[n.Pos]*w.n == calc)
	})
	if marked != w.marked {
		c.Fail("%d timers are marked, %d are counted", marked, w.marked)
	}
	return c.Done()
}

// count increments *marked if n is marked. It always returns true, so that Check can combine it
// with other conditions.
func (w *netty) count(n *core.Node, marked *int) bool {
	if n.State == core.StateMarked {
		*marked++
	}
	return true
}
