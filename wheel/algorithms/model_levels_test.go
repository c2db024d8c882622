package algorithms

import "github.com/wheelscope/wheelscope/wheel"

// stepHierarchical takes the slots of all levels whose hands move, then processes them from the
// coarsest.
func (m *model) stepHierarchical() {
	taken := make([][]*modelTimer, len(m.n))
	at := make([]place, len(m.n))
	for l := range m.n {
		if w := m.span(l); m.clock%w == 0 {
			at[l] = place{int8(l), uint32(m.clock / w % m.n[l])}
			taken[l] = m.take(at[l])
		}
	}
	for l := len(taken) - 1; l >= 0; l-- {
		if len(taken[l]) > 0 {
			m.hand(at[l], 0)
		}
		for _, t := range taken[l] {
			m.meet(t, l, at[l])
		}
	}
}

// meet fires or moves a timer whose slot of level l was reached.
func (m *model) meet(t *modelTimer, l int, at place) {
	e := m.lane.tickOf(t.due)
	switch {
	case l == 0, m.is("migration", "none"), t.migrated:
		m.expire(t, at)
	case m.is("migration", "one"):
		index := m.round(e, l-1)
		if index <= m.clock/m.span(l-1) {
			m.expire(t, at)
			return
		}
		t.migrated = true
		m.put(wheel.KindCascade, t, place{int8(l - 1), uint32(index % m.n[l-1])}, wheel.NoRounds)
	case e <= m.clock:
		m.expire(t, at)
	default:
		to := m.level(e)
		m.put(wheel.KindCascade, t, place{int8(to), uint32(e / m.span(to) % m.n[to])}, wheel.NoRounds)
	}
}

// reaches reports whether wheel tick e is within the range of the levels.
func (m *model) reaches(e int64) bool {
	top := len(m.n) - 1
	w := m.span(top)
	return e/w-m.clock/w < m.n[top]
}

func (m *model) placeHierarchical(t *modelTimer, e int64) {
	had := len(m.n)
	for m.grows() && !m.reaches(e) && len(m.n) < m.most() {
		m.n = append(m.n, m.n[0])
	}
	if !m.reaches(e) {
		m.n = m.n[:had]
		m.reject(t)
		return
	}
	for l := had; l < len(m.n); l++ {
		m.events = append(m.events, wheel.Event{Kind: wheel.KindGrow, FromLevel: int8(l), X: m.span(l) * m.u, ToLevel: wheel.NoLevel})
	}
	l := m.level(e)
	index := e / m.span(l)
	if m.is("migration", "none") {
		index = m.round(e, l)
	}
	m.put(wheel.KindPlace, t, place{int8(l), uint32(index % m.n[l])}, wheel.NoRounds)
}

// level returns the level of wheel tick e by the lane's placement.
func (m *model) level(e int64) int {
	if m.is("placement", "digits") {
		for l := len(m.n) - 1; l > 0; l-- {
			if w := m.span(l); e/w != m.clock/w {
				return l
			}
		}
		return 0
	}
	for l := range m.n {
		if w := m.span(l); e/w-m.clock/w < m.n[l] {
			return l
		}
	}
	panic("the model was asked for a level past its reach")
}

// round rounds wheel tick e to an index of level l.
func (m *model) round(e int64, l int) int64 {
	w := m.span(l)
	switch {
	case m.is("round", "ceil"):
		return (e + w - 1) / w
	case m.is("round", "nearest"):
		return (2*e + w) / (2 * w)
	}
	return e / w
}
