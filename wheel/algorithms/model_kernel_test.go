package algorithms

import (
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
)

// placeLinux puts a timer at the head of the slot that the kernel computes.
func (m *model) placeLinux(t *modelTimer) {
	levels, _ := m.lane.params["levels"].(int64)
	if levels == 0 {
		levels = 9
	}
	m.clk = max(m.clk, m.now)
	e, level := t.due, 0
	if cutoff := wheel.Tick(63) << (3 * (levels - 1)); e-m.clk >= cutoff {
		e = m.clk + cutoff - 1<<(3*(levels-1))
	}
	for l := 1; l < int(levels); l++ {
		if e-m.clk >= 63<<(3*(l-1)) {
			level = l
		}
	}
	index := e>>(3*level) + 1
	if e < m.clk {
		index = m.clk
	}
	t.fires = index << (3 * level)
	t.at = place{int8(level), uint32(index & 63)}
	m.emit(wheel.KindPlace, t, nowhere, t.at, wheel.NoRounds)
	if list := m.places[t.at]; len(list) > 0 {
		m.events[len(m.events)-1].Before = list[0].key
	}
	m.places[t.at] = slices.Insert(m.places[t.at], 0, t)
}

// stepLinux collects every tick that has been reached: each slot that expires then, the coarsest
// first.
func (m *model) stepLinux() {
	for {
		at := m.clock + 1
		for _, list := range m.places {
			for _, t := range list {
				at = min(at, t.fires)
			}
		}
		if at > m.clock {
			return
		}
		m.clk = at + 1
		for l := int8(8); l >= 0; l-- {
			here := place{l, uint32(at >> (3 * l) & 63)}
			taken := slices.Clone(m.places[here])
			taken = slices.DeleteFunc(taken, func(t *modelTimer) bool { return t.fires != at })
			if len(taken) > 0 {
				m.hand(here, 0)
			}
			for _, t := range taken {
				k := slices.Index(m.places[here], t)
				m.places[here] = slices.Delete(m.places[here], k, k+1)
				m.expire(t, here)
			}
		}
	}
}
