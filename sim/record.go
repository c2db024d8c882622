package sim

import "github.com/wheelscope/wheelscope/wheel"

// Record is one event of a run: what a lane told, when, and which lane. Its
// place in the run's sequence follows from where it is kept.
type Record struct {
	wheel.Event       // Due is absolute
	Tick        int64 // relative to the scenario's start
	Lane        uint16
}

// Late is fired − due of an expire, in base ticks; negative is early.
func (r *Record) Late(start int64) int64 { return start + r.Tick - r.Due }
