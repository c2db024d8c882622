package protocol

import (
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/wheel"
)

// LaneCounts counts the timers of one lane by place, and the events of its timers. The counts are set from a snapshot
// and updated with the records that follow it, which avoids the need for complete states during fast playback.
type LaneCounts struct {
	levels []wheel.Level
	grown  bool // whether levels has changed since the last message
	slots  engine.SlotCounts
	counts wheel.Counts
	Live   int64 // number of pending timers
}

// Reset sets the counts to those of s, a state of the lane. It reuses the memory of t.
func (t *LaneCounts) Reset(s *wheel.State) {
	t.levels, t.grown = append(t.levels[:0], s.Levels...), false
	t.slots.Reset(s, true)
	t.counts, t.Live = s.Counts, int64(s.Live)
}

// Fold updates the counts with r, the next record of the lane. start is the start tick of the scenario.
func (t *LaneCounts) Fold(r *engine.Record, start int64) {
	t.slots.Fold(&r.Event)
	switch r.Kind {
	case wheel.KindSchedule:
		t.counts.Scheduled++
		t.Live++
	case wheel.KindReject:
		t.counts.Rejected++
		t.Live--
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
		t.Live--
	case wheel.KindExpire:
		t.expire(r, start)
	}
}

// resize sets the number of slots of the given level and their width, in base ticks, after the wheel has been resized.
func (t *LaneCounts) resize(level, slots int, width int64) {
	for k := range t.levels {
		if l := &t.levels[k]; l.Level == level {
			l.Slots, l.Width = slots, width
			t.grown = true
		}
	}
}

// expire updates the counts with r, the record of an expiry. start is the start tick of the scenario.
func (t *LaneCounts) expire(r *engine.Record, start int64) {
	t.counts.Expired++
	t.Live--
	switch late := r.Late(start); {
	case late < 0:
		t.counts.Early++
	case late > 0:
		t.counts.Late++
	}
}

// MarkSent marks the current counts as sent, so that the next message contains only later changes.
func (t *LaneCounts) MarkSent() {
	t.grown = false
	t.slots.ClearChanged()
}
