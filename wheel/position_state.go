package wheel

// IdlePeak is one slot, at the next tick; nothing where the wheel stands still.
func (w *positions) IdlePeak(to Tick) (int64, Tick) {
	if w.dead {
		return 0, 0
	}
	peak, at := ringPeak(w.tick, w.u, to-w.shift())
	if peak > 0 {
		at += w.shift()
	}
	return peak, at
}

// Layout is one ring.
func (w *positions) Layout() Layout {
	return Layout{Shape: ShapeRing, Levels: []Level{{0, int(w.n), w.u}}, FromStart: true}
}

// AppendState appends the slots that hold timers, with their rounds.
func (w *positions) AppendState(s *State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	for i := range w.slots {
		s.appendSlot(&w.arena, Place{Slot: uint32(i)}, uint32(i), &w.slots[i].slot, w.slots[i].rounds, most)
	}
	s.Counts, s.Live = w.counts, w.arena.live
}

// copy is an independent copy of what the libraries share.
func (w *positions) copy() positions {
	c := *w
	c.log, c.spares = nil, spares{}
	c.arena, c.occ = w.arena.clone(), w.occ.clone()
	c.slots = cloneRoundSlots(w.slots)
	return c
}

// Bytes is the memory of the arena, the slots and the map of occupied slots.
func (w *positions) Bytes() int64 {
	return w.arena.bytes() + w.spares.bytes() + w.occ.bytes() + roundSlotBytes(w.slots)
}

// check verifies the arena and every slot, and where the rule has no fault, that
// each timer's rounds bring it to within a tick of its aim.
func (w *positions) check(p library) error {
	c := checker{arena: &w.arena}
	for s := range w.slots {
		v := &w.slots[s]
		if len(v.rounds) != len(v.ids) {
			c.fail("slot %d has %d timers and %d rounds", s, len(v.ids), len(v.rounds))
			return c.err
		}
		c.slot(&v.slot, uint32(s), func(n *node) bool {
			if w.on != 0 || w.lost > 0 {
				return v.rounds[n.pos] >= 0
			}
			fires := w.start + w.u*(w.tick+1+(int64(s)-w.tick%w.n+w.n)%w.n+v.rounds[n.pos]*w.n)
			off := fires - p.aim(v.ids[n.pos], n)
			return -w.u < off && off <= w.u
		})
		c.occupied(&w.occ, uint32(s), len(v.ids) > 0)
	}
	return c.done()
}
