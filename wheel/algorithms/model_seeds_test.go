package algorithms

import (
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// modelSeed is the state of the model for lk668, xiaoxu and godis.
type modelSeed struct {
	hand  int64 // the slot to be processed next; during a visit, the current one
	dead  bool
	after note
}

// isSeed reports whether the algorithm of the lane is lk668, xiaoxu or godis.
func (l lane) isSeed() bool { return l.id == "lk668" || l.id == "xiaoxu" || l.id == "godis" }

// seedLanes returns lanes of lk668, xiaoxu and godis: published, corrected, with single faults, and
// with ticks, some of which are shorter than a second.
func seedLanes() (all []lane) {
	add := func(id string, nanos int64, slots, width int64, more catalog.Params) {
		p := catalog.Params{"slots": slots, "width": width}
		for k, v := range more {
			p[k] = v
		}
		l := lane{name: laneName(id, p), id: id, params: p, nanos: nanos}
		if nanos > 0 {
			l.name += " of short ticks"
		}
		all = append(all, l)
	}
	for _, id := range []string{"lk668", "xiaoxu", "godis"} {
		add(id, 0, 1, 1, nil)
		add(id, 0, 3, 1, nil)
		add(id, 0, 8, 3, nil)
		add(id, 400_000_000, 3, 4, nil)
		add(id, 0, 3, 1, catalog.Params{"as": "corrected"})
		add(id, 400_000_000, 4, 3, catalog.Params{"as": "corrected"})
	}
	for _, name := range faultNames("lk668") {
		add("lk668", 400_000_000, 3, 4, catalog.Params{"faults": []string{name}})
	}
	add("lk668", 0, 3, 1, catalog.Params{"faults": []string{"storm", "interval"}})
	add("xiaoxu", 0, 4, 3, catalog.Params{"faults": []string{"outside"}})
	add("xiaoxu", 0, 5, 1, catalog.Params{"faults": []string{"outside", "negative"}})
	return all
}

// faultNames returns the names of the faults that an algorithm can have.
func faultNames(id string) []string {
	a, _ := Lookup(id)
	k := slices.IndexFunc(a.Parameters, func(p catalog.Parameter) bool { return p.Name == "faults" })
	return a.Parameters[k].Options
}

// has reports whether a fault of the lane is switched on.
func (m *model) has(name string) bool {
	if list, ok := m.lane.params["faults"].([]string); ok {
		return slices.Contains(list, name)
	}
	return m.lane.params["as"] != "corrected" && name != "outside" // a race, off unless it is requested
}

// faultless reports whether the lane has no fault switched on.
func (m *model) faultless() bool {
	list, ok := m.lane.params["faults"].([]string)
	return ok && len(list) == 0 || !ok && m.lane.params["as"] == "corrected"
}

// secs returns a length in the unit in which the library computes.
func (m *model) secs(ticks wheel.Tick) int64 {
	if m.lane.id == "xiaoxu" || !m.has("seconds") || m.lane.nanos == 0 {
		return ticks
	}
	return ticks * m.lane.nanos / 1e9
}

// spread sets the fields of a timer that lk668 uses in addition to its due tick. m.age is the time since the timer was
// created.
func (m *model) spread(t *modelTimer, s wheel.Spec) {
	if m.lane.id != "lk668" {
		return
	}
	t.passed = m.age
	if d := t.due - m.now; d > 0 {
		t.early = t.passed % d
	}
	if s.Every > 0 && s.Times > 0 {
		t.asked = s.Times
		if m.has("times") {
			t.left++
		}
	}
}

func (m *model) seedAtOnce(t *modelTimer) bool {
	switch d := t.due - m.now; {
	case m.lane.id != "lk668":
		return d < 0 && !m.has("negative")
	case m.inTick:
		return !m.has("interval") && d-t.early < 0
	default:
		if d <= 0 {
			t.passed = 0
		}
		return d <= 0 && m.faultless()
	}
}

// later rejects a timer and emits the reason when the operation is over.
func (m *model) later(t *modelTimer, code uint8, f note) {
	m.refuse(t, code)
	m.seed.after = f
}

func (m *model) tellAfter(t *modelTimer) {
	if f := m.seed.after; f.Code != wheel.CodeNone {
		m.seed.after = note{}
		m.finding(f.Code, t, f.Expect, f.Got)
	}
}

func (m *model) finding(code uint8, t *modelTimer, expect, got int64) {
	m.seed.dead = m.seed.dead || code == wheel.CodeStuck || code == wheel.CodePanic
	m.events = append(m.events, wheel.Event{Kind: wheel.KindFinding, Code: code, ID: t.key, Due: expect, X: got, FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel})
}

// setPlace puts a timer `slots` slots after slot `from`.
func (m *model) setPlace(t *modelTimer, from, slots, rounds int64) {
	t.rounds = rounds
	m.put(wheel.KindPlace, t, place{0, uint32((from + slots) % m.n[0])}, rounds)
}

func (m *model) placeSeed(t *modelTimer) {
	if m.lane.id == "lk668" {
		m.placeLk668(t)
		return
	}
	d, n, next := t.due-m.now, m.n[0], m.seed.hand
	switch {
	case m.inTick:
		next++
	case m.lane.id == "xiaoxu" && m.has("outside") && m.now > m.lane.start && (m.now-m.lane.start)%m.u == 0:
		next = (next + n - 1) % n // the tick of this instant occurred in between
	}
	u := m.secs(m.u)
	switch {
	case d < 0 && m.lane.id == "godis":
		m.later(t, wheel.CodePast, note{Code: wheel.CodeLost, Expect: 1, Got: 0})
	case u == 0:
		m.later(t, wheel.CodeFault, note{Code: wheel.CodePanic, Expect: 1, Got: 0})
	case d < 0:
		// A remainder has the sign of the dividend.
		pos := (next%n + d/u) % n
		if pos < 0 {
			m.later(t, wheel.CodeFault, note{Code: wheel.CodePanic, Expect: 0, Got: pos})
			return
		}
		m.setPlace(t, pos, 0, 0)
	default:
		j := m.secs(d) / u
		m.setPlace(t, next, j, j/n)
	}
}

func (m *model) placeLk668(t *modelTimer) {
	n, u := m.n[0], m.secs(m.u)
	if m.inTick && !m.has("interval") {
		j := (t.due - t.early - m.now) / m.u
		m.setPlace(t, m.seed.hand+1, j, j/n)
		return
	}
	if m.inTick {
		d := m.secs(t.every)
		rounds := d / u / n
		if d/u%n == 0 && rounds > 0 {
			rounds--
		}
		m.setPlace(t, m.seed.hand, d/u, rounds)
		return
	}
	if t.due <= m.now {
		m.refuse(t, wheel.CodePast)
		return
	}
	d := m.secs(t.due - m.now)
	if u == 0 || d == 0 {
		m.later(t, wheel.CodeFault, note{Code: wheel.CodePanic, Expect: 1, Got: 0})
		return
	}
	wait := d - m.secs(t.passed)%d
	t.passed = 0
	counted := d
	if !m.has("created") {
		counted = wait
	}
	rounds := counted / u / n
	if wait/u%n == 0 && rounds > 0 && m.has("revolution") {
		rounds--
	}
	m.setPlace(t, m.seed.hand, wait/u, rounds)
}

// stepSeed processes the slot under the hand, then moves the hand.
func (m *model) stepSeed() {
	here := place{0, uint32(m.seed.hand)}
	if list := m.places[here]; len(list) > 0 {
		v := modelVisit{m: m, here: here, fresh: map[*modelTimer]bool{}}
		for _, t := range list {
			if t.rounds == 0 {
				v.due++
			}
		}
		m.hand(here, uint32(int64(len(list))-v.due))
		m.inTick = true
		v.walk(list[0])
		m.inTick = false
	}
	m.seed.hand = (m.seed.hand + 1) % m.n[0]
}

// modelVisit is one visit to a slot, processed like a linked list: the next timer is determined
// before the current one is moved.
type modelVisit struct {
	m         *model
	here      place
	fresh     map[*modelTimer]bool // put here during the visit
	due, runs int64
	again     *modelTimer
}

func (v *modelVisit) walk(t *modelTimer) {
	m := v.m
	for t != nil {
		fresh := v.fresh[t]
		if fresh && (m.seed.dead || m.lane.id != "lk668" || !m.has("storm")) {
			break
		}
		list := m.places[v.here]
		k := slices.Index(list, t)
		var next *modelTimer
		if k+1 < len(list) {
			next = list[k+1]
		}
		switch {
		case t.rounds > 0:
			t.rounds--
			if fresh {
				m.emit(wheel.KindPlace, t, v.here, v.here, t.rounds)
				if next != nil {
					m.events[len(m.events)-1].Before = next.key
				}
			}
		case !m.seed.dead:
			m.places[v.here] = slices.Delete(list, k, k+1)
			v.fire(t, fresh)
		}
		t = next
	}
	if v.again != nil && !m.seed.dead {
		m.finding(wheel.CodeStorm, v.again, v.due, v.runs)
	}
}

func (v *modelVisit) fire(t *modelTimer, fresh bool) {
	m := v.m
	v.fresh[t] = true
	run, aim := t.run, t.due-t.early
	v.runs++
	m.expire(t, v.here)
	m.tellAfter(t)
	if t.asked > 0 && int64(run) > int64(t.asked) {
		m.finding(wheel.CodeTwice, t, int64(t.asked), int64(run))
	}
	switch {
	case fresh:
		if v.again == nil {
			v.again = t
		}
		if v.runs == v.due+999 && !m.seed.dead {
			m.finding(wheel.CodeStuck, t, v.due, v.runs)
		}
	case m.now <= aim-m.u:
		m.finding(wheel.CodeEarly, t, aim, m.now)
	case m.now > aim+m.u:
		m.finding(wheel.CodeLate, t, aim, m.now)
	}
}

// note is a finding that the model writes when the operation that causes it is over.
type note struct {
	Code   uint8
	Expect int64
	Got    int64
}
