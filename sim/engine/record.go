package engine

import "github.com/wheelscope/wheelscope/wheel"

// Record is one event of a run with its tick and lane. Its seq is not stored, since it follows from the
// position of the record.
type Record struct {
	wheel.Event       // Due is absolute
	Tick        int64 // tick relative to the scenario's start
	Lane        uint16
}

// Relative returns Due and X relative to start if they are ticks, otherwise unchanged. Due is a
// tick except in findings, where Due and X are the expected and the actual value, which are ticks
// only for the codes early and late.
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

// Late returns the lateness of an expire event in base ticks; a negative value means early. start is the scenario's
// start.
func (r *Record) Late(start int64) int64 { return start + r.Tick - r.Due }

// BeginsOperation reports whether a step that starts with r is an operation of the workload.
func (r *Record) BeginsOperation() bool {
	switch r.Kind {
	case wheel.KindSchedule, wheel.KindCancel, wheel.KindMark, wheel.KindMiss:
		return true
	}
	return false
}
