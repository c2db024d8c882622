package wheel

// IdlePeak is one slot, at the end of the next tick.
func (w *Netty) IdlePeak(to Tick) (int64, Tick) {
	peak, at := ringPeak(w.tick, w.u, to-w.start)
	if peak > 0 {
		at += w.start
	}
	return peak, at
}

// Layout is one ring, and the pending queue.
func (w *Netty) Layout() Layout {
	return Layout{Shape: ShapeRing, Levels: []Level{{0, int(w.n), w.u}, {-1, 0, 0}}, FromStart: true}
}

// AppendState appends the pending queue and the slots that hold timers, with
// their rounds.
func (w *Netty) AppendState(s *State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	s.appendSlot(&w.arena, Place{Level: -1}, sideSlot, &w.pending, nil, most)
	for i := range w.slots {
		s.appendSlot(&w.arena, Place{Slot: uint32(i)}, uint32(i), &w.slots[i].slot, w.slots[i].rounds, most)
	}
	s.Counts, s.Live = w.counts, w.Len()
}

// Clone copies the wheel.
func (w *Netty) Clone() Wheel {
	c := *w
	c.log, c.spares = nil, spares{}
	c.arena, c.occ = w.arena.clone(), w.occ.clone()
	c.slots = cloneRoundSlots(w.slots)
	c.pending.ids = append([]uint32(nil), w.pending.ids...)
	c.cancelled = append([]Timer(nil), w.cancelled...)
	return &c
}

// Bytes is the memory of the arena, the slots, the queues and the map of occupied
// slots.
func (w *Netty) Bytes() int64 {
	return w.arena.bytes() + w.spares.bytes() + w.occ.bytes() + roundSlotBytes(w.slots) +
		w.pending.bytes() + int64(cap(w.cancelled))*8
}

// Check verifies the queues and every slot, and that each timer's rounds bring it
// to the end of its due tick.
func (w *Netty) Check() error {
	c := checker{arena: &w.arena}
	marked := 0
	c.slot(&w.pending, sideSlot, func(n *node) bool { return w.count(n, &marked) })
	for s := range w.slots {
		v := &w.slots[s]
		if len(v.rounds) != len(v.ids) {
			c.fail("slot %d has %d timers and %d rounds", s, len(v.ids), len(v.rounds))
			return c.err
		}
		c.slot(&v.slot, uint32(s), func(n *node) bool {
			calc := (n.due - w.start) / w.u
			visit := w.tick + (int64(s)-w.tick)&(w.n-1)
			return w.count(n, &marked) && (n.state == stateMarked || visit+v.rounds[n.pos]*w.n == calc)
		})
		c.occupied(&w.occ, uint32(s), len(v.ids) > 0)
	}
	if marked != w.marked {
		c.fail("%d timers are marked, %d are counted", marked, w.marked)
	}
	return c.done()
}

// count adds a marked timer to marked; every timer is right where it is.
func (w *Netty) count(n *node, marked *int) bool {
	if n.state == stateMarked {
		*marked++
	}
	return true
}
