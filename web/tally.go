package web

import (
	"slices"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/wheel"
)

// tally follows the counts of one lane: how many timers stand in each place,
// and what happened to timers so far. It is made from a snapshot and kept by
// the records that follow, so a fast cursor need not compute whole states.
type tally struct {
	levels []wheel.Level
	grown  bool // levels changed since they were told
	places []placeTally
	counts wheel.Counts
	live   int64
}

// placeTally counts the timers of one level's places, by slot.
type placeTally struct {
	level   int8
	count   []int32
	changed []uint32 // slots whose count may differ from what was told, once each
	marked  []bool   // by slot: is in changed
	far     map[uint32]*farSlot
}

// denseSlots is how many slots of a level are counted by index. A lane whose places
// are points of time (a sorted set's scores) has far larger ones, and few of them.
const denseSlots = sim.SlotsMax

// farSlot counts one slot from denseSlots on.
type farSlot struct {
	count  int32
	marked bool // is in changed
}

// of is the count of a slot.
func (p *placeTally) of(slot uint32) int32 {
	if f := p.far[slot]; f != nil {
		return f.count
	}
	if int(slot) < len(p.count) {
		return p.count[slot]
	}
	return 0
}

// farAt gives the count of a far slot that is about to change.
func (p *placeTally) farAt(slot uint32) *int32 {
	if p.far == nil {
		p.far = map[uint32]*farSlot{}
	}
	f := p.far[slot]
	if f == nil {
		f = &farSlot{}
		p.far[slot] = f
	}
	if !f.marked {
		f.marked = true
		p.changed = append(p.changed, slot)
	}
	return &f.count
}

func newTally(s *wheel.State) tally {
	t := tally{levels: slices.Clone(s.Levels), counts: s.Counts, live: int64(s.Live)}
	for i := range s.Places {
		p := &s.Places[i]
		*t.at(p.Level, p.Slot) = int32(p.Count)
	}
	t.told()
	return t
}

// fold follows one record. start is the scenario's.
func (t *tally) fold(r *sim.Record, start int64) {
	switch r.Kind {
	case wheel.KindSchedule:
		t.counts.Scheduled++
		t.live++
	case wheel.KindReject:
		t.counts.Rejected++
		t.live--
	case wheel.KindMiss:
		t.counts.Missed++
	case wheel.KindPend:
		*t.at(-1, 0)++
	case wheel.KindPlace, wheel.KindCascade:
		t.leave(r)
		*t.at(r.ToLevel, r.ToSlot)++
	case wheel.KindMove:
		from := *t.at(r.FromLevel, r.FromSlot)
		to := t.at(r.ToLevel, r.ToSlot)
		from, *to = *to, from
		*t.at(r.FromLevel, r.FromSlot) = from
	case wheel.KindGrow:
		t.levels = append(t.levels, wheel.Level{Level: int(r.FromLevel), Slots: t.levels[0].Slots, Width: r.X})
		t.grown = true
	case wheel.KindResize:
		t.resize(int(r.FromLevel), int(r.FromSlot), r.X)
	case wheel.KindFinding:
		t.counts.Findings++
	case wheel.KindCancel, wheel.KindMark:
		t.cancel(r)
	case wheel.KindSweep:
		t.leave(r)
	case wheel.KindExpire:
		t.expire(r, start)
	}
}

// resize gives a level another number of slots.
func (t *tally) resize(level, slots int, width int64) {
	for k := range t.levels {
		if l := &t.levels[k]; l.Level == level {
			l.Slots, l.Width = slots, width
			t.grown = true
		}
	}
}

// cancel counts a timer out; one that is only marked keeps its place.
func (t *tally) cancel(r *sim.Record) {
	t.counts.Cancelled++
	t.live--
	if r.Kind == wheel.KindCancel {
		t.leave(r)
	}
}

// expire counts a run that fired.
func (t *tally) expire(r *sim.Record, start int64) {
	t.leave(r)
	t.counts.Expired++
	t.live--
	switch late := r.Late(start); {
	case late < 0:
		t.counts.Early++
	case late > 0:
		t.counts.Late++
	}
}

func (t *tally) leave(r *sim.Record) {
	if r.FromLevel != wheel.NoLevel {
		*t.at(r.FromLevel, r.FromSlot)--
	}
}

// at gives the count of a place that is about to change.
func (t *tally) at(level int8, slot uint32) *int32 {
	p := t.level(level)
	if slot >= denseSlots {
		return p.farAt(slot)
	}
	if need := int(slot) + 1 - len(p.count); need > 0 {
		p.count = append(p.count, make([]int32, need)...)
		p.marked = append(p.marked, make([]bool, need)...)
	}
	if !p.marked[slot] {
		p.marked[slot] = true
		p.changed = append(p.changed, slot)
	}
	return &p.count[slot]
}

func (t *tally) level(level int8) *placeTally {
	for i := range t.places {
		if t.places[i].level == level {
			return &t.places[i]
		}
	}
	t.places = append(t.places, placeTally{level: level})
	return &t.places[len(t.places)-1]
}

// told says that everything has been told.
func (t *tally) told() {
	t.grown = false
	for i := range t.places {
		p := &t.places[i]
		for _, slot := range p.changed {
			switch f := p.far[slot]; {
			case f == nil:
				p.marked[slot] = false
			case f.count == 0:
				delete(p.far, slot) // so that there are no more than timers
			default:
				f.marked = false
			}
		}
		p.changed = p.changed[:0]
	}
}
