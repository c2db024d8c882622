package algorithms

import "github.com/wheelscope/wheelscope/wheel"

// placeKafka tries level by level, like the reference: each level has its own clock and passes a
// timer beyond its range to the next, which is added if it does not exist.
func (m *model) placeKafka(k wheel.Kind, t *modelTimer) {
	l := 0
	for {
		w := m.span(l) * m.u
		if t.due < m.clk/w*w+w*m.n[l] {
			break
		}
		if l++; l == len(m.n) {
			m.n = append(m.n, m.n[0])
			m.events = append(m.events, wheel.Event{Kind: wheel.KindGrow, FromLevel: int8(l), X: m.span(l) * m.u, ToLevel: wheel.NoLevel})
		}
	}
	w := m.span(l) * m.u
	v := t.due / w
	to := place{int8(l), uint32(v % m.n[l])}
	m.put(k, t, to, wheel.NoRounds)
	m.enqueue(wheel.Bucket{Level: to.level, Slot: to.slot, Due: v * w})
}

// stepKafka removes the slots that are due from the queue, and places their timers
// again.
func (m *model) stepKafka() {
	for len(m.queue) > 0 && m.queue[0].Due <= m.now {
		b := m.queue[0]
		m.queue = m.queue[1:]
		m.clk = b.Due
		m.events = append(m.events, wheel.Event{Kind: wheel.KindDequeue, FromLevel: b.Level, FromSlot: b.Slot, Due: b.Due, ToLevel: wheel.NoLevel})
		at := place{b.Level, b.Slot}
		for _, t := range m.take(at) {
			if m.atOnce(t) {
				m.expire(t, at)
			} else {
				m.placeKafka(wheel.KindCascade, t)
			}
		}
	}
}
