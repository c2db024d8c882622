package core

// Visit describes the processing of a slot that a hand has reached in the current tick. It covers
// the timers that are in the slot when the visit begins; timers added later wait for the next visit.
//
// Advance returns before the end of a visit if its budget is used up. The visit then remains in
// LevelSet.Visits, and the next Advance continues it. In between, the wheel is in a consistent
// state: the timers before Next have left the slot, and their entries are counted as dead; the other
// timers can be cancelled, and AppendState, Clone and Check find them in the slot.
type Visit struct {
	Level int
	Slot  uint32 // index of the slot in LevelSet.Slots
	Next  int    // index of the next entry to process
	End   int    // number of entries of the slot when the visit began
	Begun bool   // whether the hand event of the visit has been emitted
}

// TakeVisit appends to w.Visits a visit to the slot under the hand of level l, unless the slot is
// empty. If an earlier visit to the slot is in w.Passed, TakeVisit extends that visit instead.
func (w *LevelSet) TakeVisit(l int) {
	v := &w.Levels[l]
	slot := v.First + v.SlotOf(v.Hand)
	if n := len(w.Slots[slot].IDs); n > 0 {
		if p := w.visitOf(slot); p != nil {
			p.End = n
			return
		}
		w.Visits = append(w.Visits, Visit{Level: l, Slot: slot, End: n})
	}
}

// Part returns the index of the first entry of visit v that the remaining budget of the current
// call to Advance does not cover, or v.End if it covers all of them. Each entry takes one unit of
// the budget.
func (b *Base) Part(v *Visit) int { return v.Next + int(min(int64(v.End-v.Next), b.left)) }

// EndPart records that the entries from Next to end-1 of the visit w.Visits[0] have been processed.
// touched is the number of those entries that were not dead. If end is the end of the visit, EndPart
// removes the entries of the visit from the slot and the visit from w.Visits, and returns true.
// Otherwise it sets b.Unfinished and returns false.
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

// visitOf returns the unfinished visit to the slot with the given index in w.Slots, or nil if there is
// none.
func (w *LevelSet) visitOf(slot uint32) *Visit {
	for k := range w.Visits {
		if w.Visits[k].Slot == slot {
			return &w.Visits[k]
		}
	}
	for k := range w.Passed {
		if w.Passed[k].Slot == slot {
			return &w.Passed[k]
		}
	}
	return nil
}

// Waits reports whether an unfinished visit still has to process the timer of node n.
func (w *LevelSet) Waits(n *Node) bool {
	v := w.visitOf(n.Slot)
	return v != nil && int(n.Pos) < v.End
}
