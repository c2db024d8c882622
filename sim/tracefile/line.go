package tracefile

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// lineEncoder appends the lines of one trace, in version 1 of the format in docs/TRACE.md. It caches the
// parts that many lines have in common: the current tick, the lane and kind, and the ID and name of each
// timer.
type lineEncoder struct {
	start    int64                    // absolute start tick of the scenario; due ticks are written relative to it
	Seq      int64                    // sequence number of the last line that was appended
	tick     int64                    // tick of the last line that was appended; -1 before the first line
	tickText []byte                   // "tick" field of the last line that was appended, such as `,"tick":7`
	heads    [][wheel.NumKinds][]byte // results of lineHead, indexed by lane and kind of event
	labels   labels
}

func NewLineEncoder(p *program.Program) *lineEncoder {
	e := &lineEncoder{start: p.Start, tick: -1, labels: newLabels(p)}
	for i := range p.Scenario.Lanes {
		lane := appendString(nil, p.Scenario.Lanes[i].ID)
		var heads [wheel.NumKinds][]byte
		for k := range heads {
			heads[k] = lineHead(lane, wheel.Kind(k))
		}
		e.heads = append(e.heads, heads)
	}
	return e
}

// lineHead returns the part of a line of kind k that follows the tick: the "lane" and "kind" fields, the name of the
// next field and, if the value of that field is a word, the opening quote. lane is the quoted ID of the lane.
func lineHead(lane []byte, k wheel.Kind) []byte {
	head := append([]byte(`,"lane":`), lane...)
	head = append(head, `,"kind":"`+k.String()+`",`...)
	switch k {
	case wheel.KindMiss:
		return append(head, `"op":"`...)
	case wheel.KindHand, wheel.KindGrow, wheel.KindResize, wheel.KindEnqueue, wheel.KindDequeue:
		return append(head, `"level":`...)
	case wheel.KindFinding:
		return append(head, `"code":"`...)
	}
	return append(head, `"id":`...)
}

// Append appends to dst the line of r and a newline. r must be the next record of the run.
func (e *lineEncoder) Append(dst []byte, r *engine.Record) []byte {
	if r.Tick != e.tick {
		e.tick = r.Tick
		e.tickText = strconv.AppendInt(append(e.tickText[:0], `,"tick":`...), r.Tick, 10)
	}
	e.Seq++
	dst = append(dst, `{"seq":`...)
	dst = strconv.AppendInt(dst, e.Seq, 10)
	dst = append(dst, e.tickText...)
	dst = append(dst, e.heads[r.Lane][r.Kind]...)
	dst = e.fields(dst, r)
	return append(dst, '}', '\n')
}

// fields appends to dst the JSON fields of r that follow "lane" and "kind" in a line. The name of the first of these
// fields is already in dst, because lineHead includes it, so fields begins with the value of that field.
func (e *lineEncoder) fields(dst []byte, r *engine.Record) []byte {
	switch r.Kind {
	case wheel.KindSchedule:
		return appendRun(e.due(e.labels.append(dst, r.ID), r), r)
	case wheel.KindReject:
		return appendText(e.due(e.labels.append(dst, r.ID), r), `,"reason":`, wheel.CodeName(r.Code))
	case wheel.KindMiss:
		dst = append(dst, wheel.CodeName(r.Code)...)
		return e.labels.appendName(append(dst, `","timer":`...), r.ID)
	case wheel.KindPend:
		return e.due(e.labels.append(dst, r.ID), r)
	case wheel.KindPlace:
		return e.place(e.labels.append(dst, r.ID), r)
	case wheel.KindCascade:
		dst = appendTo(appendFrom(e.labels.append(dst, r.ID), r), r)
		return e.due(appendBefore(dst, r), r)
	case wheel.KindMove:
		return appendTo(appendFrom(e.labels.append(dst, r.ID), r), r)
	case wheel.KindHand:
		return appendInt(appendLevelSlot(dst, r.FromLevel, r.FromSlot), `,"count":`, int64(r.Before))
	case wheel.KindCancel, wheel.KindSweep:
		return appendFrom(e.labels.append(dst, r.ID), r)
	case wheel.KindRekey:
		return e.due(appendFrom(e.labels.append(dst, r.ID), r), r)
	case wheel.KindMark:
		return e.labels.append(dst, r.ID)
	case wheel.KindExpire:
		dst = e.due(appendFrom(e.labels.append(dst, r.ID), r), r)
		return appendRun(appendInt(dst, `,"late":`, r.Late(e.start)), r)
	case wheel.KindGrow:
		return appendInt(strconv.AppendInt(dst, int64(r.FromLevel), 10), `,"width":`, r.X)
	case wheel.KindResize:
		dst = appendInt(strconv.AppendInt(dst, int64(r.FromLevel), 10), `,"slots":`, int64(r.FromSlot))
		return appendInt(dst, `,"width":`, r.X)
	case wheel.KindEnqueue, wheel.KindDequeue:
		return e.due(appendLevelSlot(dst, r.FromLevel, r.FromSlot), r)
	case wheel.KindFinding:
		return e.finding(dst, r)
	}
	panic("sim: a record without a kind") // no wheel emits one
}

func (e *lineEncoder) place(dst []byte, r *engine.Record) []byte {
	dst = appendFrom(dst, r)
	dst = append(dst, `,"level":`...)
	dst = appendBefore(appendLevelSlot(dst, r.ToLevel, r.ToSlot), r)
	if r.Code == wheel.CodeStale {
		return appendInt(e.due(dst, r), `,"key":`, r.X-e.start)
	}
	if r.X != wheel.NoRounds {
		dst = appendInt(dst, `,"rounds":`, r.X)
	}
	return e.due(dst, r)
}

// finding appends to dst the fields of r, which must be a finding, without `"code":"` at their beginning: the name of
// its code, its timer if it has one, and the expected and actual values.
func (e *lineEncoder) finding(dst []byte, r *engine.Record) []byte {
	dst = append(append(dst, wheel.CodeName(r.Code)...), '"')
	if r.ID != 0 {
		dst = e.labels.append(append(dst, `,"id":`...), r.ID)
	}
	expect, got := r.Relative(e.start)
	return appendInt(appendInt(dst, `,"expect":`, expect), `,"got":`, got)
}

func (e *lineEncoder) due(dst []byte, r *engine.Record) []byte {
	return appendInt(dst, `,"due":`, r.Due-e.start)
}

// appendText appends to dst a field whose value is the string v, which must not require escaping. name is the text
// before v, such as `,"code":`.
func appendText(dst []byte, name, v string) []byte {
	dst = append(append(dst, name...), '"')
	return append(append(dst, v...), '"')
}

// appendLevelSlot appends the value of a "level" field, whose name is already in dst, and then a "slot"
// field.
func appendLevelSlot(dst []byte, level int8, slot uint32) []byte {
	dst = strconv.AppendInt(dst, int64(level), 10)
	return appendInt(dst, `,"slot":`, int64(slot))
}

func appendFrom(dst []byte, r *engine.Record) []byte {
	if r.FromLevel == wheel.NoLevel {
		return dst
	}
	dst = append(dst, `,"from":{"level":`...)
	return append(appendLevelSlot(dst, r.FromLevel, r.FromSlot), '}')
}

func appendTo(dst []byte, r *engine.Record) []byte {
	dst = append(dst, `,"to":{"level":`...)
	return append(appendLevelSlot(dst, r.ToLevel, r.ToSlot), '}')
}

func appendBefore(dst []byte, r *engine.Record) []byte {
	if r.Before == 0 {
		return dst
	}
	return appendInt(dst, `,"before":`, int64(r.Before))
}

func appendRun(dst []byte, r *engine.Record) []byte {
	if r.Run <= 1 {
		return dst
	}
	return appendInt(dst, `,"run":`, int64(r.Run))
}

// appendString appends s as a JSON string with only the escapes that JSON requires. s must be valid UTF-8.
func appendString(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

// appendInt appends name, JSON text that precedes a number, and then n.
func appendInt(dst []byte, name string, n int64) []byte {
	return strconv.AppendInt(append(dst, name...), n, 10)
}
