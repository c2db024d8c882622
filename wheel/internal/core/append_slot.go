package core

import "github.com/wheelscope/wheelscope/wheel"

// AppendSlot appends a slot's first timers in order as place p, unless it is
// empty. index is the slot's own, as its timers know it; rounds, when not nil,
// stands beside the slot's ids.
func AppendSlot(s *wheel.State, a *Arena, p wheel.Place, index uint32, v *Slot, rounds []int64, most int) {
	p.Count = v.Live()
	if p.Count == 0 {
		return
	}
	if most == wheel.AllEntries || most > p.Count {
		most = p.Count
	}
	if most > 0 {
		p.Entries = s.Room(most)
	}
	for k := 0; len(p.Entries) < most; k++ {
		if !v.Holds(a, index, k) {
			continue
		}
		r := wheel.NoRounds
		if rounds != nil {
			r = rounds[k]
		}
		p.Entries = append(p.Entries, a.Entry(v.IDs[k], r))
	}
	s.Places = append(s.Places, p)
}
