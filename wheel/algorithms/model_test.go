package algorithms

import (
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
)

// model is a second implementation of the algorithms' rules, as simple as possible: it processes
// every base tick, stores each place as a slice, and has no bitmap of occupied slots, no arena
// and no shortcuts. It emits the same events.
type model struct {
	lane   lane
	n      []int64 // slots of each level
	u      wheel.Tick
	now    wheel.Tick
	age    wheel.Tick // time since the creation of the timer that is scheduled next
	clock  int64      // wheel ticks
	places map[place][]*modelTimer
	heap   []*modelTimer // only for heap
	armed  int64
	inTick bool       // linux-classic: timers are being run
	clk    wheel.Tick // linux: the next tick to be collected; kafka: the wheel's clock
	queue  []wheel.Bucket
	day    wheel.Tick // calendar: the width of a page
	rii    modelRiicarus
	marked []*modelTimer // netty: cancelled since the last tick
	seed   modelSeed     // additional state of lk668, xiaoxu and godis
	events []wheel.Event
	fired  []wheel.Expiry
	live   map[uint32]*modelTimer
}

type place struct {
	level int8
	slot  uint32
}

// nowhere is the place of a timer that is in no slot.
var nowhere = place{level: wheel.NoLevel}

type modelTimer struct {
	key      uint32
	due      wheel.Tick
	every    wheel.Tick
	left     int32
	run      uint32
	rounds   int64
	migrated bool
	gone     bool  // netty: cancelled but still in place
	order    int64 // of scheduling
	at       place
	fires    wheel.Tick // linux: the tick of its slot
	early    wheel.Tick // lk668: how long before its due tick it should fire
	passed   wheel.Tick // lk668: time since it was created, when it was scheduled
	asked    int32      // lk668: requested runs, 0: no limit
}

func newModel(l lane) *model {
	m := &model{lane: l, u: l.width(), now: l.start, places: map[place][]*modelTimer{}, live: map[uint32]*modelTimer{}}
	m.clock, m.clk = l.start/m.u, l.start
	if l.rule() == "kafka" {
		m.clk -= l.start % m.u
	}
	switch slots := l.params["slots"].(type) {
	case []int64:
		m.n = slices.Clone(slots)
	case int64:
		m.n = []int64{slots}
		for levels, _ := l.params["levels"].(int64); int64(len(m.n)) < levels; {
			m.n = append(m.n, slots)
		}
	}
	if l.id == "calendar" {
		m.day = 1
		if day, ok := l.params["day"].(int64); ok {
			m.day = day
		}
		if m.n == nil {
			m.n = []int64{2}
		}
	}
	m.rii = modelRiicarus{stamp: map[uint32]wheel.Tick{}, now: map[*modelTimer]bool{}}
	if l.isSeed() {
		m.clock = 0
	}
	if l.id == "netty" {
		m.clock = 0
		for m.n[0]&(m.n[0]-1) != 0 {
			m.n[0]++
		}
	}
	return m
}

func (m *model) grows() bool {
	_, one := m.lane.params["slots"].(int64)
	return one && m.lane.params["levels"] == nil
}

// most returns the maximum number of levels of a lane.
func (m *model) most() int {
	if m.lane.id == "kafka" {
		return 62
	}
	return 8
}

func (m *model) is(parameter, value string) bool { return m.lane.params[parameter] == value }

// span returns the width of level l in wheel ticks.
func (m *model) span(l int) int64 {
	w := int64(1)
	for _, n := range m.n[:l] {
		w *= n
	}
	return w
}

func (m *model) emit(k wheel.Kind, t *modelTimer, from, to place, x int64) {
	e := wheel.Event{Kind: k, ID: t.key, Due: t.due, X: x, FromLevel: from.level, FromSlot: from.slot, ToLevel: to.level, ToSlot: to.slot}
	if k == wheel.KindSchedule || k == wheel.KindReject || k == wheel.KindExpire || k == wheel.KindPlace || k == wheel.KindCascade || k == wheel.KindPend {
		e.Run = t.run
	}
	m.events = append(m.events, e)
}

// schedule schedules a new timer; the key identifies it for cancel.
func (m *model) schedule(s wheel.Spec) {
	t := &modelTimer{key: s.Key, due: s.Due, every: s.Every, left: s.Times, run: 1}
	if t.left > 0 {
		t.left--
	}
	if t.every == 0 {
		t.left = 0
	}
	m.live[t.key] = t
	m.spread(t, s)
	m.arm(t)
	m.tellAfter(t)
}

// arm emits the schedule event and places or fires the timer.
func (m *model) arm(t *modelTimer) {
	t.at, t.migrated = nowhere, false
	m.emit(wheel.KindSchedule, t, nowhere, nowhere, 0)
	if m.seed.dead {
		m.refuse(t, wheel.CodeFault)
		return
	}
	if m.atOnce(t) {
		m.expire(t, nowhere)
		return
	}
	m.place(t)
}

// atOnce reports whether the lane's clock has reached the due tick of a timer.
func (m *model) atOnce(t *modelTimer) bool {
	switch m.lane.rule() {
	case "linux", "linux-classic", "netty":
		return false
	case "lk668", "xiaoxu", "godis":
		return m.seedAtOnce(t)
	case "kafka":
		return t.due < m.clk+m.u
	}
	if m.is("variant", "procinc") {
		return t.due < m.now
	}
	if m.lane.id == "riicarus" {
		return t.due <= m.now+m.u
	}
	return m.lane.tickOf(t.due) <= m.clock
}

// expire fires a timer from the place `from`, and schedules its next run.
func (m *model) expire(t *modelTimer, from place) {
	m.emit(wheel.KindExpire, t, from, nowhere, 0)
	m.fired = append(m.fired, wheel.Expiry{Due: t.due, Key: t.key, Run: t.run})
	if m.lane.rule() == "heap" && from != nowhere {
		m.heapRemove(0)
	}
	if t.left == 0 {
		delete(m.live, t.key)
		return
	}
	if t.left > 0 {
		t.left--
	}
	t.run++
	t.due += t.every
	m.arm(t)
}

func (m *model) reject(t *modelTimer) { m.refuse(t, wheel.CodeRange) }

func (m *model) refuse(t *modelTimer, code uint8) {
	m.emit(wheel.KindReject, t, nowhere, nowhere, 0)
	m.events[len(m.events)-1].Code = code
	delete(m.live, t.key)
}

// cancel removes a timer. It returns false if there is no such timer.
func (m *model) cancel(key uint32) bool {
	t := m.live[key]
	if t == nil {
		return false
	}
	if m.lane.rule() == "netty" {
		m.emit(wheel.KindMark, t, nowhere, nowhere, 0)
		t.gone, m.marked = true, append(m.marked, t)
		delete(m.live, key)
		return true
	}
	if m.lane.id == "riicarus" {
		m.emit(wheel.KindMark, t, nowhere, nowhere, 0)
		t.gone = true
		delete(m.live, key)
		return true
	}
	m.emit(wheel.KindCancel, t, t.at, nowhere, 0)
	if m.lane.rule() == "heap" {
		m.heapRemove(slices.Index(m.heap, t))
	} else {
		rest := m.places[t.at]
		k := slices.Index(rest, t)
		m.places[t.at] = slices.Delete(rest, k, k+1)
	}
	delete(m.live, key)
	if m.lane.rule() == "calendar" {
		m.shrinkCalendar()
	}
	return true
}

// advance processes every base tick up to `to`.
func (m *model) advance(to wheel.Tick) {
	if m.lane.wakes() && m.now <= to && !m.seed.dead {
		m.stepQueue() // timers scheduled for the past
	}
	for m.now < to && !m.seed.dead {
		if m.now++; m.lane.wakes() {
			m.stepQueue()
		} else if (m.now-m.origin())%m.u == 0 {
			m.clock++
			m.step()
		}
	}
}

// stepQueue processes the entries of the delay queue that are due.
func (m *model) stepQueue() {
	if m.lane.id == "riicarus" {
		m.stepRiicarus()
	} else {
		m.stepKafka()
	}
}

// origin returns the tick from which wheel ticks are counted.
func (m *model) origin() wheel.Tick {
	if m.lane.rule() == "netty" || m.lane.isSeed() {
		return m.lane.start
	}
	return 0
}

// step processes one wheel tick.
func (m *model) step() {
	switch m.lane.rule() {
	case "heap":
		for len(m.heap) > 0 && m.heap[0].due <= m.clock {
			m.expire(m.heap[0], place{})
		}
	case "sorted":
		for len(m.places[place{}]) > 0 && m.places[place{}][0].due <= m.clock {
			t := m.places[place{}][0]
			m.places[place{}] = m.places[place{}][1:]
			m.expire(t, place{})
		}
	case "calendar":
		m.stepCalendar()
	case "list":
		m.stepList()
	case "hashed-sorted":
		m.stepHashedSorted()
	case "tokio":
		m.stepTokio()
	case "linux":
		m.stepLinux()
	case "linux-classic":
		m.stepClassic()
	case "netty":
		m.stepNetty()
	case "simple":
		m.stepSimple()
	case "rounds":
		m.stepRounds()
	case "hierarchical":
		m.stepHierarchical()
	case "lk668", "xiaoxu", "godis":
		m.stepSeed()
	}
}

// take empties a place and returns its timers.
func (m *model) take(p place) []*modelTimer {
	taken := m.places[p]
	delete(m.places, p)
	return taken
}

func (m *model) hand(p place, count uint32) {
	m.events = append(m.events, wheel.Event{Kind: wheel.KindHand, FromLevel: p.level, FromSlot: p.slot, Before: count, ToLevel: wheel.NoLevel})
}

func (m *model) stepSimple() {
	here := place{0, uint32(m.clock % m.n[0])}
	due := m.take(here)
	if side := (place{-1, 0}); here.slot == 0 {
		var kept []*modelTimer
		for _, t := range m.take(side) {
			switch j := m.lane.tickOf(t.due) - m.clock; {
			case j == 0:
				m.expire(t, side)
			case j < m.n[0]:
				m.put(wheel.KindCascade, t, place{0, uint32((m.clock + j) % m.n[0])}, wheel.NoRounds)
			default:
				kept = append(kept, t)
			}
		}
		m.places[side] = append(kept, m.places[side]...)
	}
	if len(due) > 0 {
		m.hand(here, 0)
	}
	for _, t := range due {
		m.expire(t, here)
	}
}

func (m *model) stepRounds() {
	here := place{0, uint32(m.clock % m.n[0])}
	if m.is("variant", "procinc") {
		here.slot = uint32((m.clock - 1) % m.n[0])
	}
	all := m.take(here)
	if len(all) == 0 {
		return
	}
	waiting := uint32(0)
	for _, t := range all {
		if t.rounds > 0 {
			waiting++
		}
	}
	m.hand(here, waiting)
	var kept []*modelTimer
	for _, t := range all {
		if t.rounds > 0 {
			t.rounds--
			kept = append(kept, t)
		} else {
			m.expire(t, here)
		}
	}
	m.places[here] = append(kept, m.places[here]...)
}

// ceil returns ceil(x/u), computed the slow way.
func ceil(x, u int64) int64 {
	q := (x - x%u) / u
	for q*u < x {
		q++
	}
	return q
}
