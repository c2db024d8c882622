package engine

import "github.com/wheelscope/wheelscope/wheel"

// Record is one event of a run, with its tick and lane. Its seq is not stored, since it follows from the
// position of the record in the run.
type Record struct {
	wheel.Event       // the field Due is an absolute tick
	Tick        int64 // tick relative to the scenario's start
	Lane        uint16
}

// Relative returns the values Due and X of the event, relative to start if they are ticks and otherwise
// unchanged. In a finding, Due is the expected value and X the actual one; both are ticks only if the code
// is wheel.CodeEarly or wheel.CodeLate. In any other event, only Due is a tick.
func (r *Record) Relative(start int64) (due, x int64) { return Relative(&r.Event, start) }

// Relative returns what Record.Relative returns for a record of e.
func Relative(e *wheel.Event, start int64) (due, x int64) {
	switch {
	case e.Kind != wheel.KindFinding:
		return e.Due - start, e.X
	case e.Code == wheel.CodeEarly || e.Code == wheel.CodeLate:
		return e.Due - start, e.X - start
	}
	return e.Due, e.X
}

// Late returns by how many base ticks the timer that expires in r fires after its due tick; a negative
// number means early. start is the absolute start tick of the scenario.
func (r *Record) Late(start int64) int64 { return start + r.Tick - r.Due }

// BeginsOperation reports whether r, if it is the first record of a step, begins an operation of the workload.
func (r *Record) BeginsOperation() bool {
	switch r.Kind {
	case wheel.KindSchedule, wheel.KindCancel, wheel.KindMark, wheel.KindMiss:
		return true
	}
	return false
}
