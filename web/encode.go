package web

import (
	"math"
	"strconv"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/wheel"
)

// RowWidth is how many integers a row of `events` has.
const RowWidth = 15

// Modes in which a lane is told.
const (
	modeFull   = "full"   // every timer
	modeCounts = "counts" // how many timers stand in each place
)

// appendHeader begins a message with what every message carries. The object is
// left open.
func appendHeader(b []byte, kind, run string, seq int64) []byte {
	b = append(b, `{"v":`...)
	b = strconv.AppendInt(b, Version, 10)
	b = append(b, `,"kind":"`...)
	b = append(b, kind...)
	b = append(b, `","run":"`...)
	b = append(b, run...)
	b = append(b, `","seq":`...)
	return strconv.AppendInt(b, seq, 10)
}

func appendField(b []byte, name string, n int64) []byte {
	b = append(b, ',', '"')
	b = append(b, name...)
	b = append(b, '"', ':')
	return strconv.AppendInt(b, n, 10)
}

// appendList appends integers, comma after comma, without brackets.
func appendList(b []byte, list ...int64) []byte {
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, n, 10)
	}
	return b
}

// comma separates what follows from what stands before it in its list.
func comma(b []byte) []byte {
	if last := b[len(b)-1]; last != '[' && last != '{' && last != ':' {
		return append(b, ',')
	}
	return b
}

// appendRow appends a record as a row of integers, without brackets. spent is
// what its lane spent since its row before in this tick.
func appendRow(b []byte, r *sim.Record, seq, start, spent int64) []byte {
	due, x := int64(0), r.X
	if tellsDue(r.Kind) {
		due = r.Due - start
	}
	switch r.Kind {
	case wheel.KindPlace:
		x = max(x, -1) // NoRounds is −1 on the wire
	case wheel.KindGrow, wheel.KindResize:
	case wheel.KindFinding:
		due, x = r.Relative(start)
	default:
		x = 0
	}
	return appendList(b, seq, r.Tick, int64(r.Lane), int64(r.Kind), int64(r.ID),
		int64(r.FromLevel), int64(r.FromSlot), int64(r.ToLevel), int64(r.ToSlot), int64(r.Before),
		x, due, int64(r.Run), int64(r.Code), spent)
}

// tellsDue says whether an event of the kind tells a due tick.
func tellsDue(k wheel.Kind) bool {
	switch k {
	case wheel.KindSchedule, wheel.KindReject, wheel.KindPend, wheel.KindPlace, wheel.KindCascade,
		wheel.KindExpire, wheel.KindEnqueue, wheel.KindDequeue, wheel.KindFinding:
		return true
	}
	return false
}

// appendLevels appends [[level, slots, width] …].
func appendLevels(b []byte, levels []wheel.Level) []byte {
	b = append(b, '[')
	for _, l := range levels {
		b = append(comma(b), '[')
		b = appendList(b, int64(l.Level), int64(l.Slots), l.Width)
		b = append(b, ']')
	}
	return append(b, ']')
}

// appendEntries appends timers as [id, due, rounds, run, marked, …], at most
// `most` of them, and has their names told.
func appendEntries(b []byte, entries []wheel.Entry, most int, start int64, names *nameBook) []byte {
	b = append(b, '[')
	for i := range entries[:min(len(entries), most)] {
		e := &entries[i]
		names.mention(e.ID, e.Due-start, true)
		marked := int64(0)
		if e.Marked {
			marked = 1
		}
		b = appendList(comma(b), int64(e.ID), e.Due-start, max(e.Rounds, -1), int64(e.Run), marked)
	}
	return append(b, ']')
}

// appendCounts appends what happened to a lane's timers, and its cost.
func appendCounts(b []byte, live int64, c *wheel.Counts, cost sim.LaneCost) []byte {
	b = append(b, `,"counts":[`...)
	b = appendList(b, live, c.Scheduled, c.Rejected, c.Cancelled, c.Expired, c.Missed, c.Early, c.Late, c.Findings)
	b = append(b, `],"cost":[`...)
	b = appendList(b, cost.Tick, cost.Worst, cost.WorstAt, cost.Total)
	return append(b, ']')
}

// appendLane appends a lane of a state: all of its timers in mode full, the
// first `most` of each place in mode counts.
func appendLane(b []byte, s *sim.LaneSnapshot, mode string, most int, start int64, names *nameBook) []byte {
	if mode == modeFull {
		most = math.MaxInt
	}
	b = append(b, `{"mode":"`...)
	b = append(b, mode...)
	b = append(b, '"')
	b = appendField(b, "now", s.Cost.Clock)
	b = append(b, `,"levels":`...)
	b = appendLevels(b, s.Levels)
	b = append(b, `,"places":[`...)
	for i := range s.Places {
		p := &s.Places[i]
		b = append(comma(b), '[')
		b = appendList(b, int64(p.Level), int64(p.Slot), int64(p.Count))
		b = append(b, ',')
		b = appendEntries(b, p.Entries, most, start, names)
		b = append(b, ']')
	}
	b = append(b, `],"arming":`...)
	var arming []wheel.Entry
	if s.Arming != nil {
		arming = []wheel.Entry{*s.Arming}
	}
	b = appendEntries(b, arming, 1, start, names)
	b = appendQueue(b, s.Queue, start)
	b = appendCounts(b, int64(s.Live), &s.Counts, s.Cost)
	return append(b, '}')
}

// appendQueue appends the delay queue, [[level, slot, due] …].
func appendQueue(b []byte, queue []wheel.Bucket, start int64) []byte {
	b = append(b, `,"queue":[`...)
	for _, q := range queue {
		b = append(comma(b), '[')
		b = appendList(b, int64(q.Level), int64(q.Slot), q.Due-start)
		b = append(b, ']')
	}
	return append(b, ']')
}

// appendChange appends what a delta tells of a lane whatever its mode, and the
// slots whose count changed in mode counts.
func appendChange(b []byte, lane int, now int64, t *tally, cost sim.LaneCost, mode string) []byte {
	b = append(b, `{"lane":`...)
	b = strconv.AppendInt(b, int64(lane), 10)
	b = appendField(b, "now", now)
	b = appendCounts(b, t.live, &t.counts, cost)
	if mode == modeCounts {
		b = appendSlots(b, t)
		if t.grown {
			b = append(b, `,"levels":`...)
			b = appendLevels(b, t.levels)
		}
	}
	return append(b, '}')
}

// appendSlots appends [[level, [slot, count, …]] …] of the slots that changed.
func appendSlots(b []byte, t *tally) []byte {
	b = append(b, `,"slots":[`...)
	t.slots.Changed(func(level int8, slots []uint32) {
		b = append(comma(b), '[')
		b = strconv.AppendInt(b, int64(level), 10)
		b = append(b, ',', '[')
		for _, slot := range slots {
			b = appendList(comma(b), int64(slot), int64(t.slots.Count(level, slot)))
		}
		b = append(b, ']', ']')
	})
	return append(b, ']')
}
