// Package godis reproduces lib/timewheel of github.com/HDT3213/godis (f13d9cb), a Redis server in
// Go, which uses the wheel to expire keys. The wheel is a ring with rounds (circle in the code)
// that is driven by a time.Ticker and computes in whole seconds.
//
//	pos    = (hand + s div us) mod n    s, us: delay and tick in whole seconds; n: number of slots
//	circle = s div us div n
//
// As published, the wheel divides by zero if its tick is less than one second, and it ignores
// timers with a negative delay.
package godis

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the godis wheel.
var Algorithm = catalog.Algorithm{
	ID: "godis", Coarse: true,
	Source:     "github.com/HDT3213/godis f13d9cb, lib/timewheel/timewheel.go",
	Parameters: append([]catalog.Parameter{catalog.SlotsParameter(3600, 1), catalog.WidthParameter(wheel.WidthMax)}, catalog.FaultParameters(faultNames)...),
	Build:      build,
	TimerBytes: 40,
}
