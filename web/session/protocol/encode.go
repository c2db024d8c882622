package protocol

import (
	"math"
	"strconv"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/wheel"
)

// Modes of a lane, which determine how its timers are sent.
const (
	ModeFull   = "full"   // every timer of the lane is sent
	ModeCounts = "counts" // for each place of the lane, the number of timers and at most the first PlaceTimersMax timers are sent
)

// AppendHeader appends the beginning of a message: an opening brace and the fields of Header. kind, run and seq are the
// values of the fields Kind, Run and Seq. The caller must append the closing brace.
func AppendHeader(b []byte, kind, run string, seq int64) []byte {
	b = append(b, `{"v":`...)
	b = strconv.AppendInt(b, Version, 10)
	b = append(b, `,"kind":"`...)
	b = append(b, kind...)
	b = append(b, `","run":"`...)
	b = append(b, run...)
	b = append(b, `","seq":`...)
	return strconv.AppendInt(b, seq, 10)
}

// AppendField appends a comma and the named field with the value n.
func AppendField(b []byte, name string, n int64) []byte {
	b = append(b, ',', '"')
	b = append(b, name...)
	b = append(b, '"', ':')
	return strconv.AppendInt(b, n, 10)
}

// AppendList appends the integers in list, separated by commas, without brackets.
func AppendList(b []byte, list ...int64) []byte {
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendInt(b, n)
	}
	return b
}

// appendInt is like strconv.AppendInt in base 10. In WebAssembly it takes half the time for small numbers, of
// which a state has many.
func appendInt(b []byte, n int64) []byte {
	switch v := uint32(n); {
	case n < 0 || n >= 1e5:
		return strconv.AppendInt(b, n, 10)
	case v < 10:
		return append(b, byte('0'+v))
	case v < 1e2:
		return append(b, byte('0'+v/10), byte('0'+v%10))
	case v < 1e3:
		return append(b, byte('0'+v/1e2), byte('0'+v/10%10), byte('0'+v%10))
	case v < 1e4:
		return append(b, byte('0'+v/1e3), byte('0'+v/1e2%10), byte('0'+v/10%10), byte('0'+v%10))
	default:
		return append(b, byte('0'+v/1e4), byte('0'+v/1e3%10), byte('0'+v/1e2%10), byte('0'+v/10%10), byte('0'+v%10))
	}
}

// Comma appends a comma unless the last byte of b is an opening bracket, an opening brace or a colon.
func Comma(b []byte) []byte {
	if last := b[len(b)-1]; last != '[' && last != '{' && last != ':' {
		return append(b, ',')
	}
	return b
}

// AppendRow appends record r, whose event number is seq, as a row of RowWidth integers, without brackets. start
// is the start tick of the scenario. spent, the last integer, is the cost of the lane since its previous record.
func AppendRow(b []byte, r *engine.Record, seq, start, spent int64) []byte {
	due, x := int64(0), r.X
	if r.Kind.HasDue() || r.Kind == wheel.KindEnqueue || r.Kind == wheel.KindDequeue {
		due = r.Due - start
	}
	switch r.Kind {
	case wheel.KindPlace:
		_, x = r.Relative(start)
		if r.Code != wheel.CodeStale {
			x = max(x, -1) // NoRounds is −1 on the wire
		}
	case wheel.KindGrow, wheel.KindResize:
	case wheel.KindFinding:
		due, x = r.Relative(start)
	default:
		x = 0
	}
	return AppendList(b, seq, r.Tick, int64(r.Lane), int64(r.Kind), int64(r.ID),
		int64(r.FromLevel), int64(r.FromSlot), int64(r.ToLevel), int64(r.ToSlot), int64(r.Before),
		x, due, int64(r.Run), int64(r.Code), spent)
}

// appendLevels appends levels as [[level, slots, width] …].
func appendLevels(b []byte, levels []wheel.Level) []byte {
	b = append(b, '[')
	for _, l := range levels {
		b = append(Comma(b), '[')
		b = AppendList(b, int64(l.Level), int64(l.Slots), l.Width)
		b = append(b, ']')
	}
	return append(b, ']')
}

// appendEntries appends the first n entries, or all if there are fewer, as [id, due, rounds, run, marked, …].
// The due ticks are relative to start. The names of the timers are added to names.
func appendEntries(b []byte, entries []wheel.Entry, n int, start int64, names *NameTable) []byte {
	b = append(b, '[')
	for i := range entries[:min(len(entries), n)] {
		e := &entries[i]
		names.Mention(e.ID, e.Due-start, true)
		rounds, marked := engine.Marks(e, start)
		b = AppendList(Comma(b), int64(e.ID), e.Due-start, rounds, int64(e.Run), marked)
	}
	return append(b, ']')
}

// appendCounts appends a comma and the fields "counts" and "cost" of a lane. live is the number of pending timers. The
// elements of the fields are in the order of CountNames and CostNames.
func appendCounts(b []byte, live int64, c *wheel.Counts, cost engine.LaneCost) []byte {
	b = append(b, `,"counts":[`...)
	b = AppendList(b, live, c.Scheduled, c.Rejected, c.Cancelled, c.Expired, c.Missed, c.Early, c.Late, c.Findings)
	b = append(b, `],"cost":[`...)
	w := &cost.Work
	b = AppendList(b, cost.Tick, cost.Worst, cost.WorstAt, cost.Total, w.Slots, w.Touched, w.Compared, w.Moved)
	return append(b, ']')
}

// AppendLane appends s, the state of a lane, as an element of the "lanes" field of a state message. mode is the mode
// of the lane. In ModeFull, AppendLane includes all timers of the lane; in ModeCounts, at most the first n timers of
// each place. start is the start tick of the scenario. The names of the included timers are added to names.
func AppendLane(b []byte, s *engine.LaneSnapshot, mode string, n int, start int64, names *NameTable) []byte {
	if mode == ModeFull {
		n = math.MaxInt
	}
	b = append(b, `{"mode":"`...)
	b = append(b, mode...)
	b = append(b, '"')
	b = AppendField(b, "now", s.Cost.Clock)
	b = append(b, `,"levels":`...)
	b = appendLevels(b, s.Levels)
	b = append(b, `,"places":[`...)
	for i := range s.Places {
		p := &s.Places[i]
		b = append(Comma(b), '[')
		b = AppendList(b, int64(p.Level), int64(p.Slot), int64(p.Count))
		b = append(b, ',')
		b = appendEntries(b, p.Entries, n, start, names)
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

// appendQueue appends a comma and the "queue" field of a lane, the delay queue as [[level, slot, due] …], with due
// ticks relative to start.
func appendQueue(b []byte, queue []wheel.Bucket, start int64) []byte {
	b = append(b, `,"queue":[`...)
	for _, q := range queue {
		b = append(Comma(b), '[')
		b = AppendList(b, int64(q.Level), int64(q.Slot), q.Due-start)
		b = append(b, ']')
	}
	return append(b, ']')
}

// AppendChange appends the changes to one lane for a delta message. lane is the index of the lane, and now is the time
// of its clock; see engine.LaneCost. t, cost and mode are the counts, the cost and the mode of the lane. In ModeCounts,
// AppendChange also appends the slots whose numbers of timers have changed, and the levels if they have changed.
func AppendChange(b []byte, lane int, now int64, t *LaneCounts, cost engine.LaneCost, mode string) []byte {
	b = append(b, `{"lane":`...)
	b = strconv.AppendInt(b, int64(lane), 10)
	b = AppendField(b, "now", now)
	b = appendCounts(b, t.Live, &t.counts, cost)
	if mode == ModeCounts {
		b = appendSlots(b, t)
		if t.grown {
			b = append(b, `,"levels":`...)
			b = appendLevels(b, t.levels)
		}
	}
	return append(b, '}')
}

// appendSlots appends a comma and the "slots" field of a lane: the slots whose numbers of timers have changed, as
// [[level, [slot, count, …]] …].
func appendSlots(b []byte, t *LaneCounts) []byte {
	b = append(b, `,"slots":[`...)
	t.slots.Changed(func(level int8, slots []uint32) {
		b = append(Comma(b), '[')
		b = strconv.AppendInt(b, int64(level), 10)
		b = append(b, ',', '[')
		for _, slot := range slots {
			b = AppendList(Comma(b), int64(slot), int64(t.slots.Count(level, slot)))
		}
		b = append(b, ']', ']')
	})
	return append(b, ']')
}
