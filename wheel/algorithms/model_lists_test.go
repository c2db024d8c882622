package algorithms

// stepList examines every timer, in order of scheduling.
func (m *model) stepList() {
	here := place{}
	var kept []*modelTimer
	for _, t := range m.take(here) {
		if t.due == m.clock {
			m.expire(t, here)
		} else {
			kept = append(kept, t)
		}
	}
	m.places[here] = append(kept, m.places[here]...)
}

// stepHashedSorted fires the timers that are due from the front of the slot under the hand.
func (m *model) stepHashedSorted() {
	here := place{0, uint32(m.clock % m.n[0])}
	if len(m.places[here]) > 0 {
		m.hand(here, 0)
	}
	for len(m.places[here]) > 0 && ceil(m.places[here][0].due, m.u) == m.clock {
		t := m.places[here][0]
		m.places[here] = m.places[here][1:]
		m.expire(t, here)
	}
}
