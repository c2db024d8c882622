package tracefile

import (
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/wheel"
)

// blankRecord returns the record to which the fields of an event line are added as they are read. It has the given kind
// and tick, and defaults for fields that the line may omit; for example, Run is 1. lane is the index of the lane, or
// negative if the line names an unknown lane. blankRecord then uses 0, because the line will be rejected anyway.
func blankRecord(k wheel.Kind, tick int64, lane int) engine.Record {
	r := engine.Record{Event: wheel.Event{Kind: k, FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel, Run: 1}, Tick: tick, Lane: uint16(max(lane, 0))}
	if k == wheel.KindPlace {
		r.X = wheel.NoRounds
	}
	return r
}

// note stores v, the value of the named numeric field, in s.rec. It does nothing if s.rec is nil. The values of "due",
// "key", "expect" and "got" remain relative to the start of the scenario.
func (s *lineScanner) note(name string, v int64) {
	if s.rec == nil {
		return
	}
	r := s.rec
	switch name {
	case "id":
		r.ID = uint32(v)
	case "due", "expect":
		r.Due = v
	case "run":
		r.Run = uint32(v)
	case "before", "count":
		r.Before = uint32(v)
	case "rounds", "width", "got":
		r.X = v
	case "key":
		r.X, r.Code = v, wheel.CodeStale
	case "slots":
		r.FromSlot = uint32(v)
	case "level":
		if r.Kind == wheel.KindPlace {
			r.ToLevel = int8(v)
		} else {
			r.FromLevel = int8(v)
		}
	case "slot":
		if r.Kind == wheel.KindPlace {
			r.ToSlot = uint32(v)
		} else {
			r.FromSlot = uint32(v)
		}
	}
}

// notePlace stores a level and slot in s.rec: as the origin if name is "from", otherwise as the destination.
func (s *lineScanner) notePlace(name string, level, slot int64) {
	switch {
	case s.rec == nil:
	case name == "from":
		s.rec.FromLevel, s.rec.FromSlot = int8(level), uint32(slot)
	default:
		s.rec.ToLevel, s.rec.ToSlot = int8(level), uint32(slot)
	}
}

// noteCode stores in s.rec the code with the name word, which is the value of a "reason", "op" or "code" field. It
// does nothing if s.rec is nil.
func (s *lineScanner) noteCode(word string) {
	if s.rec == nil {
		return
	}
	for code := uint8(0); code < wheel.NumCodes; code++ {
		if wheel.CodeName(code) == word {
			s.rec.Code = code
		}
	}
}
