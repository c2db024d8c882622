package algorithms

import (
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
)

// place puts a timer that is not yet due into the place given by the lane's rule.
func (m *model) place(t *modelTimer) {
	e := m.lane.tickOf(t.due)
	switch m.lane.rule() {
	case "simple":
		switch {
		case e-m.clock < m.n[0]:
			m.put(wheel.KindPlace, t, place{0, uint32(e % m.n[0])}, wheel.NoRounds)
		case m.is("overflow", "list"):
			m.put(wheel.KindPlace, t, place{-1, 0}, wheel.NoRounds)
		default:
			m.reject(t)
		}
	case "rounds":
		behind := int64(0)
		if m.is("variant", "procinc") { // processed before the hand moves: a tick later
			e, behind = m.clock+(t.due-m.now)/m.u+1, 1
		}
		t.rounds = (e - m.clock - 1) / m.n[0]
		if m.is("variant", "naive") {
			t.rounds = (e - m.clock) / m.n[0]
		}
		m.put(wheel.KindPlace, t, place{0, uint32((e - behind) % m.n[0])}, t.rounds)
	case "hierarchical":
		m.placeHierarchical(t, e)
	case "tokio":
		if m.is("library", "tokio-util") && t.due-m.clock >= 1<<36 {
			m.reject(t)
			return
		}
		m.put(wheel.KindPlace, t, m.tokioPlace(t.due, m.clock), wheel.NoRounds)
	case "linux":
		m.placeLinux(t)
	case "kafka":
		m.placeKafka(wheel.KindPlace, t)
	case "lk668", "xiaoxu", "godis":
		m.placeSeed(t)
	case "netty":
		t.at = place{-1, 0}
		m.emit(wheel.KindPend, t, nowhere, nowhere, 0)
		m.places[t.at] = append(m.places[t.at], t)
	case "linux-classic":
		m.placeClassic(t)
	case "list":
		m.put(wheel.KindPlace, t, place{}, wheel.NoRounds)
	case "sorted":
		m.placeSorted(t, place{})
	case "hashed-sorted":
		m.placeSorted(t, place{0, uint32(e % m.n[0])})
	case "riicarus":
		m.placeRiicarus(t)
	case "calendar":
		m.placeCalendar(t)
	case "heap":
		m.heapInsert(t)
	}
}

// put adds a timer to the tail of a place and emits the event.
func (m *model) put(k wheel.Kind, t *modelTimer, to place, x int64) {
	from := nowhere
	if k == wheel.KindCascade {
		from = t.at
	}
	t.at = to
	m.places[to] = append(m.places[to], t)
	m.emit(k, t, from, to, x)
}

// placeSorted puts a timer behind all timers of its place that are not of a later wheel
// tick.
func (m *model) placeSorted(t *modelTimer, to place) {
	list := m.places[to]
	k := slices.IndexFunc(list, func(o *modelTimer) bool { return ceil(o.due, m.u) > ceil(t.due, m.u) })
	t.at = to
	m.emit(wheel.KindPlace, t, nowhere, t.at, wheel.NoRounds)
	if k < 0 {
		k = len(list)
	} else {
		m.events[len(m.events)-1].Before = list[k].key
	}
	m.places[to] = slices.Insert(list, k, t)
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
	m.emit(wheel.KindPlace, t, nowhere, t.at, wheel.NoRounds)
	m.heapUp(len(m.heap) - 1)
}

func earlier(a, b *modelTimer) bool { return a.due < b.due || a.due == b.due && a.order < b.order }

func (m *model) heapSwap(from, to int) {
	m.heap[from], m.heap[to] = m.heap[to], m.heap[from]
	m.heap[from].at, m.heap[to].at = place{0, uint32(from)}, place{0, uint32(to)}
	m.emit(wheel.KindMove, m.heap[to], place{0, uint32(from)}, place{0, uint32(to)}, 0)
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
