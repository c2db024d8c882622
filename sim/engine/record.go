package engine

import "github.com/wheelscope/wheelscope/wheel"

// Record is one event of a run, with its tick and lane. Its sequence number is not stored, because it is given
// by the position of the record in the run.
type Record struct {
	wheel.Event       // the event; its Due field is an absolute tick
	Tick        int64 // tick relative to the scenario's start
	Lane        uint16
}

// Relative returns the Due and X fields of the event, with absolute ticks converted to ticks relative to start,
// the absolute start tick of the scenario. The meaning of X depends on the kind of the event. In a finding, Due and X
// are both ticks if Code is wheel.CodeEarly or wheel.CodeLate, and otherwise neither of them is a tick. In a placement
// with wheel.CodeStale, both are ticks. In all other events, Due is a tick and X is not.
func (r *Record) Relative(start int64) (due, x int64) { return Relative(&r.Event, start) }

// Relative returns the Due and X fields of e, with absolute ticks converted to ticks relative to start, the
// absolute start tick of the scenario; see [Record.Relative].
func Relative(e *wheel.Event, start int64) (due, x int64) {
	switch {
	case e.Kind == wheel.KindPlace && e.Code == wheel.CodeStale:
		return e.Due - start, e.X - start
	case e.Kind != wheel.KindFinding:
		return e.Due - start, e.X
	case e.Code == wheel.CodeEarly || e.Code == wheel.CodeLate:
		return e.Due - start, e.X - start
	}
	return e.Due, e.X
}

// Late returns the lateness, in base ticks, of the timer that fires in r, which must be an expire event. The
// result is negative if the timer fires early. start is the absolute start tick of the scenario.
func (r *Record) Late(start int64) int64 { return start + r.Tick - r.Due }

// BeginsOperation reports whether a step that begins with r is an operation of the workload. Otherwise, the step
// is the work of a lane at one position of a hand.
func (r *Record) BeginsOperation() bool {
	switch r.Kind {
	case wheel.KindSchedule, wheel.KindCancel, wheel.KindMark, wheel.KindMiss:
		return true
	}
	return false
}
