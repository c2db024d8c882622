package algorithms

import (
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// modelRiicarus is the state of the model for a riicarus wheel.
type modelRiicarus struct {
	stamp map[uint32]wheel.Tick // of a bucket: the timestamp it waits for
	now   map[*modelTimer]bool
	again int // runs of timers scheduled in the current step
}

// riicarusLanes returns lanes of the sketch by its rule, as published, and with each fault.
func riicarusLanes() (all []lane) {
	for _, p := range []catalog.Params{
		{"slots": int64(8), "as": "corrected"},
		{"slots": int64(1), "as": "corrected"},
		{"slots": int64(3), "width": int64(4), "as": "corrected"},
		{"slots": int64(8)},
		{"slots": int64(1)},
		{"slots": int64(3), "width": int64(4)},
		{"slots": int64(3), "faults": []string{"stale"}},
		{"slots": int64(4), "width": int64(3), "faults": []string{"delay-from-now"}},
	} {
		all = append(all, lane{name: laneName("riicarus", p), id: "riicarus", params: p})
	}
	return all
}

// enqueue puts a bucket into the delay queue, unless it has an entry there for that tick.
func (m *model) enqueue(b wheel.Bucket) {
	if slices.Contains(m.queue, b) {
		return
	}
	at := slices.IndexFunc(m.queue, func(o wheel.Bucket) bool { return o.Due > b.Due })
	if at < 0 {
		at = len(m.queue)
	}
	m.queue = slices.Insert(m.queue, at, b)
	m.events = append(m.events, wheel.Event{Kind: wheel.KindEnqueue, FromLevel: b.Level, FromSlot: b.Slot, Due: b.Due, ToLevel: wheel.NoLevel})
}

// placeRiicarus finds the slot and the round of a timer by going from slot to slot.
func (m *model) placeRiicarus(t *modelTimer) {
	wait := t.due - m.lane.start
	if m.has("delay-from-now") {
		wait = t.due - m.now
	}
	slots := (wait - wait%m.u) / m.u
	t.rounds, t.at = slots/m.n[0], place{0, uint32(slots % m.n[0])}
	list := m.places[t.at]
	m.emit(wheel.KindPlace, t, nowhere, t.at, t.rounds)
	k := slices.IndexFunc(list, func(o *modelTimer) bool { return o.rounds > t.rounds })
	if k < 0 {
		k = len(list)
	} else {
		m.events[len(m.events)-1].Before = list[k].key
	}
	m.places[t.at] = slices.Insert(list, k, t)
	m.rii.now[t] = true
	stamp := m.lane.start + slots*m.u
	if old, waits := m.rii.stamp[t.at.slot]; !waits || stamp < old {
		m.rii.stamp[t.at.slot] = stamp
		m.enqueue(wheel.Bucket{Level: 0, Slot: t.at.slot, Due: stamp})
	}
}

// stepRiicarus polls the buckets that have become due.
func (m *model) stepRiicarus() {
	m.rii.again = 0
	m.rii.now = map[*modelTimer]bool{}
	for !m.seed.dead && len(m.queue) > 0 && m.queue[0].Due <= m.now {
		b := m.queue[0]
		m.queue = m.queue[1:]
		m.events = append(m.events, wheel.Event{Kind: wheel.KindDequeue, FromLevel: b.Level, FromSlot: b.Slot, Due: b.Due, ToLevel: wheel.NoLevel})
		if m.rii.stamp[b.Slot] != b.Due {
			continue
		}
		m.pollRiicarus(place{0, b.Slot})
	}
	m.rii.now = map[*modelTimer]bool{}
}

// pollRiicarus removes the lowest round of a bucket.
func (m *model) pollRiicarus(at place) {
	list := m.places[at]
	first := list[0].rounds
	rest := slices.IndexFunc(list, func(t *modelTimer) bool { return t.rounds > first })
	switch {
	case rest < 0:
		delete(m.rii.stamp, at.slot)
	default:
		if !m.has("stale") {
			m.rii.stamp[at.slot] = m.lane.start + (list[rest].rounds*m.n[0]+int64(at.slot))*m.u
		}
		m.enqueue(wheel.Bucket{Level: 0, Slot: at.slot, Due: m.rii.stamp[at.slot]})
		list = list[:rest]
	}
	for _, t := range slices.Clone(list) {
		if !m.seed.dead {
			m.meetRiicarus(t, at)
		}
	}
}

// meetRiicarus fires a timer, or sweeps one that is marked.
func (m *model) meetRiicarus(t *modelTimer, at place) {
	k := slices.Index(m.places[at], t)
	m.places[at] = slices.Delete(m.places[at], k, k+1)
	if t.gone {
		m.events = append(m.events, wheel.Event{Kind: wheel.KindSweep, ID: t.key, Due: t.due, FromLevel: at.level, FromSlot: at.slot, ToLevel: wheel.NoLevel})
		return
	}
	again, aim := m.rii.now[t], t.due-(t.due-m.lane.start)%m.u
	delete(m.rii.now, t)
	m.expire(t, at)
	if m.now < aim {
		m.find(wheel.CodeEarly, t.key, aim, m.now)
	}
	if again {
		if m.rii.again++; m.rii.again > 999 {
			m.find(wheel.CodeStuck, t.key, 1, int64(m.rii.again))
			m.seed.dead = true
		}
	}
}

func (m *model) find(code uint8, key uint32, expect, got int64) {
	m.events = append(m.events, wheel.Event{Kind: wheel.KindFinding, Code: code, ID: key, Due: expect, X: got, FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel})
}
