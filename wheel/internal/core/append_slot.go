package core

import "github.com/wheelscope/wheelscope/wheel"

// AppendSlot appends slot v to s as place p, with its first `most` timers in order. It does nothing
// if the slot is empty. index is the index of the slot over all levels. If rounds is not nil,
// rounds[k] is the number of rounds of entry k.
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
