package wheel

import "slices"

// place puts a timer that is not yet due where the lane's rule says.
func (m *model) place(t *modelTimer) {
	e := ceil(t.due, m.u)
	switch m.lane.id {
	case "simple":
		switch {
		case e-m.clock < m.n[0]:
			m.put(KindPlace, t, place{0, uint32(e % m.n[0])}, NoRounds)
		case m.is("overflow", "list"):
			m.put(KindPlace, t, place{-1, 0}, NoRounds)
		default:
			m.reject(t)
		}
	case "rounds":
		t.rounds = (e - m.clock - 1) / m.n[0]
		if m.is("variant", "naive") {
			t.rounds = (e - m.clock) / m.n[0]
		}
		m.put(KindPlace, t, place{0, uint32(e % m.n[0])}, t.rounds)
	case "hierarchical":
		m.placeHierarchical(t, e)
	case "sorted":
		m.placeSorted(t)
	case "heap":
		m.heapInsert(t)
	}
}

// put adds a timer to the tail of a place and tells so.
func (m *model) put(k Kind, t *modelTimer, to place, x int64) {
	from := nowhere
	if k == KindCascade {
		from = t.at
	}
	t.at = to
	m.places[to] = append(m.places[to], t)
	m.tell(k, t, from, to, x)
}

// reaches says whether wheel tick e is within levels of the given sizes.
func (m *model) reaches(e int64) bool {
	top := len(m.n) - 1
	w := m.span(top)
	return e/w-m.clock/w < m.n[top]
}

func (m *model) placeHierarchical(t *modelTimer, e int64) {
	had := len(m.n)
	for m.grows() && !m.reaches(e) && len(m.n) < 8 {
		m.n = append(m.n, m.n[0])
	}
	if !m.reaches(e) {
		m.n = m.n[:had]
		m.reject(t)
		return
	}
	for l := had; l < len(m.n); l++ {
		m.events = append(m.events, Event{Kind: KindGrow, FromLevel: int8(l), X: m.span(l) * m.u, ToLevel: NoLevel})
	}
	l := m.level(e)
	index := e / m.span(l)
	if m.is("migration", "none") {
		index = m.round(e, l)
	}
	m.put(KindPlace, t, place{int8(l), uint32(index % m.n[l])}, NoRounds)
}

// level is the level of wheel tick e by the lane's placement.
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

// round brings wheel tick e to an index of level l.
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

func (m *model) placeSorted(t *modelTimer) {
	list := m.places[place{}]
	k := slices.IndexFunc(list, func(o *modelTimer) bool { return o.due > t.due })
	t.at = place{}
	m.tell(KindPlace, t, nowhere, t.at, NoRounds)
	if k < 0 {
		k = len(list)
	} else {
		m.events[len(m.events)-1].Before = list[k].key
	}
	m.places[place{}] = slices.Insert(list, k, t)
}

func (m *model) children() int {
	if m.lane.params["arity"] == int64(4) {
		return 4
	}
	return 2
}

// heapInsert puts a timer at the end and swaps it upward.
func (m *model) heapInsert(t *modelTimer) {
	m.armed++
	t.order = m.armed
	m.heap = append(m.heap, t)
	t.at = place{0, uint32(len(m.heap) - 1)}
	m.tell(KindPlace, t, nowhere, t.at, NoRounds)
	m.heapUp(len(m.heap) - 1)
}

func earlier(a, b *modelTimer) bool { return a.due < b.due || a.due == b.due && a.order < b.order }

func (m *model) heapSwap(from, to int) {
	m.heap[from], m.heap[to] = m.heap[to], m.heap[from]
	m.heap[from].at, m.heap[to].at = place{0, uint32(from)}, place{0, uint32(to)}
	m.tell(KindMove, m.heap[to], place{0, uint32(from)}, place{0, uint32(to)}, 0)
}

func (m *model) heapUp(k int) {
	for k > 0 && earlier(m.heap[k], m.heap[(k-1)/m.children()]) {
		m.heapSwap(k, (k-1)/m.children())
		k = (k - 1) / m.children()
	}
}

// heapRemove closes the gap at index k with the last timer.
func (m *model) heapRemove(k int) {
	last := len(m.heap) - 1
	if k < last {
		m.heapSwap(last, k)
	}
	m.heap = m.heap[:last]
	if k == last {
		return
	}
	sifted := m.heap[k]
	for {
		first := k*m.children() + 1
		if first >= len(m.heap) {
			break
		}
		least := slices.MinFunc(m.heap[first:min(first+m.children(), len(m.heap))], func(a, b *modelTimer) int {
			if earlier(a, b) {
				return -1
			}
			return 1
		})
		if !earlier(least, m.heap[k]) {
			break
		}
		to := int(least.at.slot)
		m.heapSwap(k, to)
		k = to
	}
	m.heapUp(int(sifted.at.slot))
}
