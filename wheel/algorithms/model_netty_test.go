package algorithms

import (
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
)

// stepNetty processes the tick that is over: pending timers go to their slots, the slot is
// visited, and cancelled timers are removed.
func (m *model) stepNetty() {
	tick, n := m.clock-1, m.n[0]
	for _, t := range m.take(place{-1, 0}) {
		if t.gone {
			m.emit(wheel.KindSweep, t, t.at, nowhere, 0)
			continue
		}
		calc := (t.due - m.lane.start) / m.u
		t.rounds = (calc - tick) / n
		from := t.at
		t.at = place{0, uint32(max(calc, tick) % n)}
		m.places[t.at] = append(m.places[t.at], t)
		m.emit(wheel.KindPlace, t, from, t.at, t.rounds)
	}
	m.visitNetty(place{0, uint32(tick % n)})
	for _, t := range m.marked {
		if k := slices.Index(m.places[t.at], t); k >= 0 {
			m.places[t.at] = slices.Delete(m.places[t.at], k, k+1)
			m.emit(wheel.KindSweep, t, t.at, nowhere, 0)
		}
	}
	m.marked = nil
}

func (m *model) visitNetty(here place) {
	all := m.take(here)
	if len(all) == 0 {
		return
	}
	waiting := uint32(0)
	for _, t := range all {
		if !t.gone && t.rounds > 0 {
			waiting++
		}
	}
	m.hand(here, waiting)
	for _, t := range all {
		if !t.gone && t.rounds <= 0 {
			m.expire(t, here)
			continue
		}
		if !t.gone {
			t.rounds--
		}
		m.places[here] = append(m.places[here], t)
	}
}
