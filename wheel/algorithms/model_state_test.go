package algorithms

import (
	"cmp"
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
)

// state returns the places as AppendState does.
func (m *model) state() (places []wheel.Place) {
	entry := func(t *modelTimer) wheel.Entry {
		r := wheel.NoRounds
		if m.lane.rule() == "rounds" || m.lane.isSeed() || m.lane.id == "riicarus" || m.lane.rule() == "netty" && t.at.level == 0 {
			r = t.rounds
		}
		return wheel.Entry{ID: t.key, Run: t.run, Due: t.due, Rounds: r, Marked: t.gone}
	}
	for k, t := range m.heap {
		places = append(places, wheel.Place{Slot: uint32(k), Count: 1, Entries: []wheel.Entry{entry(t)}})
	}
	for at, timers := range m.places {
		p := wheel.Place{Level: at.level, Slot: at.slot, Count: len(timers)}
		for _, t := range timers {
			p.Entries = append(p.Entries, entry(t))
		}
		if p.Count > 0 {
			places = append(places, p)
		}
	}
	slices.SortFunc(places, func(a, b wheel.Place) int { return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Slot, b.Slot)) })
	return places
}
