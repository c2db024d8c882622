package sim

import "github.com/wheelscope/wheelscope/wheel"

// Record is one event of a run: what a lane told, when, and which lane. Its
// place in the run's sequence follows from where it is kept.
type Record struct {
	wheel.Event       // Due is absolute
	Tick        int64 // relative to the scenario's start
	Lane        uint16
}

// Relative gives Due and X, those that are ticks relative to the scenario's start. Due
// is one, except of a finding: there both are what was expected and what was got, and
// ticks only of `early` and `late`.
func (r *Record) Relative(start int64) (due, x int64) { return relative(&r.Event, start) }

func relative(e *wheel.Event, start int64) (due, x int64) {
	switch {
	case e.Kind != wheel.KindFinding:
		return e.Due - start, e.X
	case e.Code == wheel.CodeEarly || e.Code == wheel.CodeLate:
		return e.Due - start, e.X - start
	}
	return e.Due, e.X
}

// Late is fired − due of an expire, in base ticks; negative is early.
func (r *Record) Late(start int64) int64 { return start + r.Tick - r.Due }
