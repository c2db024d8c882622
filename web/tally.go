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
	slots  sim.SlotCounts
	counts wheel.Counts
	live   int64
}

func newTally(s *wheel.State) tally {
	return tally{levels: slices.Clone(s.Levels), slots: sim.NewSlotCounts(s, true), counts: s.Counts, live: int64(s.Live)}
}

// fold follows one record. start is the scenario's.
func (t *tally) fold(r *sim.Record, start int64) {
	t.slots.Fold(&r.Event)
	switch r.Kind {
	case wheel.KindSchedule:
		t.counts.Scheduled++
		t.live++
	case wheel.KindReject:
		t.counts.Rejected++
		t.live--
	case wheel.KindMiss:
		t.counts.Missed++
	case wheel.KindGrow:
		t.levels = append(t.levels, wheel.Level{Level: int(r.FromLevel), Slots: t.levels[0].Slots, Width: r.X})
		t.grown = true
	case wheel.KindResize:
		t.resize(int(r.FromLevel), int(r.FromSlot), r.X)
	case wheel.KindFinding:
		t.counts.Findings++
	case wheel.KindCancel, wheel.KindMark:
		t.counts.Cancelled++
		t.live--
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

// expire counts a run that fired.
func (t *tally) expire(r *sim.Record, start int64) {
	t.counts.Expired++
	t.live--
	switch late := r.Late(start); {
	case late < 0:
		t.counts.Early++
	case late > 0:
		t.counts.Late++
	}
}

// told says that everything has been told.
func (t *tally) told() {
	t.grown = false
	t.slots.Settle()
}
