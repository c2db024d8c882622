package algorithms

import (
	"cmp"
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
)

// The calendar in its simplest form: pages are slices, the next timer is searched for among
// all, and a resize sorts all.

func (m *model) calendarPage(e wheel.Tick) place { return place{0, uint32(e / m.day % m.n[0])} }

// placeCalendar puts a timer behind all those on its page that are not due after it, and doubles
// the year if it has become too short.
func (m *model) placeCalendar(t *modelTimer) {
	m.placeSorted(t, m.calendarPage(t.due))
	if n := m.n[0]; int64(m.noted()) > 2*n && !m.is("resize", "off") {
		m.resizeCalendar(2 * n)
	}
}

// noted returns the number of timers on all pages.
func (m *model) noted() (count int) {
	for _, page := range m.places {
		count += len(page)
	}
	return count
}

func (m *model) stepCalendar() {
	for {
		var next *modelTimer
		for _, page := range m.places {
			if len(page) > 0 && page[0].due <= m.clock && (next == nil || page[0].due < next.due) {
				next = page[0]
			}
		}
		if next == nil {
			return
		}
		at := next.at
		m.places[at] = m.places[at][1:]
		m.expire(next, at)
		m.shrinkCalendar()
	}
}

func (m *model) shrinkCalendar() {
	if n := m.n[0]; n > 2 && int64(m.noted()) < n/2-2 && !m.is("resize", "off") {
		m.resizeCalendar(n / 2)
	}
}

func (m *model) resizeCalendar(n int64) {
	var all []*modelTimer
	for _, page := range m.places {
		all = append(all, page...)
	}
	slices.SortFunc(all, func(a, b *modelTimer) int { // timers of equal due tick are on one page, in order
		return cmp.Or(cmp.Compare(a.due, b.due), slices.Index(m.places[a.at], a)-slices.Index(m.places[b.at], b))
	})
	m.n[0] = n
	m.day = m.calendarDay(all)
	m.events = append(m.events, wheel.Event{Kind: wheel.KindResize, FromSlot: uint32(n), X: m.day, ToLevel: wheel.NoLevel})
	stays := func(t *modelTimer) bool { return t.at == m.calendarPage(t.due) }
	for k, t := range all {
		from, to := t.at, m.calendarPage(t.due)
		if from == to {
			continue
		}
		m.emit(wheel.KindPlace, t, from, to, wheel.NoRounds)
		here := func(o *modelTimer) bool { return o.at == to && stays(o) }
		if x := slices.IndexFunc(all[k:], here); x >= 0 {
			m.events[len(m.events)-1].Before = all[k+x].key
		}
	}
	m.places = map[place][]*modelTimer{}
	for _, t := range all {
		t.at = m.calendarPage(t.due)
		m.places[t.at] = append(m.places[t.at], t)
	}
}

// calendarDay returns the width computed from the timers due next: three times the mean of the
// distances that are less than twice the mean of all.
func (m *model) calendarDay(all []*modelTimer) wheel.Tick {
	k := len(all)
	if k > 5 {
		k = min(5+k/10, 25)
	}
	var apart, usual []float64
	for j := 1; j < k; j++ {
		apart = append(apart, float64(all[j].due-all[j-1].due))
	}
	for _, d := range apart {
		if d < 2*mean(apart) {
			usual = append(usual, d)
		}
	}
	if len(usual) == 0 {
		return m.day
	}
	return max(1, wheel.Tick(3*mean(usual)+0.5))
}

func mean(all []float64) float64 {
	sum := 0.0
	for _, x := range all {
		sum += x
	}
	return sum / float64(len(all))
}
