package algorithms

import "github.com/wheelscope/wheelscope/wheel"

// classicPlace is the kernel's internal_add_timer with the clock at c.
func classicPlace(e, c wheel.Tick) place {
	switch d := e - c; {
	case d < 0:
		return place{0, uint32(c % 256)}
	case d < 1<<8:
		return place{0, uint32(e % 256)}
	case d < 1<<14:
		return place{1, uint32((e >> 8) % 64)}
	case d < 1<<20:
		return place{2, uint32((e >> 14) % 64)}
	case d < 1<<26:
		return place{3, uint32((e >> 20) % 64)}
	case d >= 1<<32:
		e = c + 1<<32 - 1
	}
	return place{4, uint32((e >> 26) % 64)}
}

func (m *model) placeClassic(t *modelTimer) {
	if len(m.live) == 1 && !m.inTick {
		m.clk = m.now
	}
	m.put(wheel.KindPlace, t, classicPlace(t.due, m.clk), wheel.NoRounds)
}

// stepClassic is the kernel's __run_timers: every tick up to now.
func (m *model) stepClassic() {
	if len(m.live) == 0 {
		m.clk = m.now
		return
	}
	m.inTick = true
	for m.clk <= m.now {
		at := m.clk
		if at%(1<<8) == 0 && m.cascadeClassic(1, (at>>8)%64) == 0 && m.cascadeClassic(2, (at>>14)%64) == 0 && m.cascadeClassic(3, (at>>20)%64) == 0 {
			m.cascadeClassic(4, (at>>26)%64)
		}
		m.clk++
		here := place{0, uint32(at % 256)}
		all := m.take(here)
		if len(all) > 0 {
			m.hand(here, 0)
		}
		for _, t := range all {
			m.expire(t, here)
		}
	}
	m.inTick = false
}

// cascadeClassic places the timers of a slot again and returns the slot.
func (m *model) cascadeClassic(level int8, slot wheel.Tick) wheel.Tick {
	here := place{level, uint32(slot)}
	all := m.take(here)
	if len(all) > 0 {
		m.hand(here, 0)
	}
	for _, t := range all {
		m.put(wheel.KindCascade, t, classicPlace(t.due, m.clk), wheel.NoRounds)
	}
	return slot
}
