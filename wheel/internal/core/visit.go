package core

// Visit is a slot that the hand has reached in the current tick. It includes the timers that are
// in the slot when the visit is taken; timers added later wait for the next visit.
//
// Since Advance has a budget, it can return before the end of a visit. The rest of the visit is
// kept in LevelSet.Visits, and the next Advance continues there. In between, the wheel is in a
// consistent state: the timers before Next have left the slot and are counted as dead; the others
// can be cancelled, and AppendState, Clone and Check find them in the slot.
type Visit struct {
	Level int
	Slot  uint32 // over all levels
	Next  int    // the entry to continue with
	End   int    // entries from here on were added after the visit was taken
	Begun bool   // the event of the hand has been written
}

// TakeVisit adds the slot under the hand of level l to the visits of this tick, unless the slot
// is empty.
func (w *LevelSet) TakeVisit(l int) {
	v := &w.Levels[l]
	slot := v.First + v.SlotOf(v.Hand)
	if n := len(w.Slots[slot].IDs); n > 0 {
		w.Visits = append(w.Visits, Visit{Level: l, Slot: slot, End: n})
	}
}

// Part returns the entry before which the work on a visit ends in this call of Advance.
func (b *Base) Part(v *Visit) int { return v.Next + int(min(int64(v.End-v.Next), b.left)) }

// EndPart records that the entries of the first visit up to end were processed; touched is
// the number of timers among them. It reports whether the visit is over: then the slot is
// closed, and the visit removed.
func (w *LevelSet) EndPart(b *Base, end int, touched int64) bool {
	v := &w.Visits[0]
	s := &w.Slots[v.Slot]
	b.left -= int64(end - v.Next)
	v.Next = end
	if end < v.End {
		s.DeadCount += int(touched)
		b.Unfinished = true
		return false
	}
	s.CloseGaps(&b.Arena, v.Slot, 0, end)
	w.ReleaseEmpty(&b.Arena, v.Level, v.Slot)
	w.Visits = append(w.Visits[:0], w.Visits[1:]...)
	return true
}

// visitOf returns the visit of a slot in the current tick, or nil if there is none.
func (w *LevelSet) visitOf(slot uint32) *Visit {
	for k := range w.Visits {
		if w.Visits[k].Slot == slot {
			return &w.Visits[k]
		}
	}
	return nil
}

// Waits reports whether a timer is in a slot that the hand has reached, and has not been processed
// in the current tick.
func (w *LevelSet) Waits(n *Node) bool {
	v := w.visitOf(n.Slot)
	return v != nil && int(n.Pos) < v.End
}
