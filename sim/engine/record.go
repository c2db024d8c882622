package engine

import "github.com/wheelscope/wheelscope/wheel"

// Record is one event of a run: what a lane emitted, its tick, and the lane. Its seq is not
// stored; it follows from the record's position.
type Record struct {
	wheel.Event       // Due is absolute
	Tick        int64 // Relative to the scenario's start
	Lane        uint16
}

// Relative returns Due and X, with absolute ticks converted to ticks relative to the
// scenario's start. Due is a tick, except in findings: there Due and X are the expected and
// the actual value, which are ticks only in `early` and `late`.
func (r *Record) Relative(start int64) (due, x int64) { return Relative(&r.Event, start) }

func Relative(e *wheel.Event, start int64) (due, x int64) {
	switch {
	case e.Kind != wheel.KindFinding:
		return e.Due - start, e.X
	case e.Code == wheel.CodeEarly || e.Code == wheel.CodeLate:
		return e.Due - start, e.X - start
	}
	return e.Due, e.X
}

// Late returns the lateness of an expire event in base ticks; negative is early.
func (r *Record) Late(start int64) int64 { return start + r.Tick - r.Due }

// BeginsOperation reports whether r is the first event of an operation if it is the first
// of its step.
func (r *Record) BeginsOperation() bool {
	switch r.Kind {
	case wheel.KindSchedule, wheel.KindCancel, wheel.KindMark, wheel.KindMiss:
		return true
	}
	return false
}
