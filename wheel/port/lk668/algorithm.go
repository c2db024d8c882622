// Package lk668 reproduces github.com/lk668/timewheel (7f9962e): a ring with rounds (circle
// in the code), driven by a time.Ticker. It has recurring tasks, and creation times that
// spread timers with equal intervals over the slots. As published it has eight faults, each
// of which can be switched off.
//
//	pos    = (hand + (d − passed mod d) div u) mod n
//	circle = d div u div n, less 1 if pos is the hand's slot and circle is not 0
//
// Here d is the delay of the timer and passed the time since its creation. The ring has n slots,
// and its tick is u.
//
// The next run of a timer is placed by the same rule with passed = 0, before the tick moves
// the hand. Start reading at the list of faults in lk668.go.
package lk668

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the lk668 wheel.
var Algorithm = catalog.Algorithm{
	ID: "lk668", Coarse: true,
	Source:     "github.com/lk668/timewheel 7f9962e, timewheel.go",
	Parameters: append([]catalog.Parameter{catalog.SlotsParameter(60, 1), catalog.WidthParameter(wheel.WidthMax)}, catalog.FaultParameters(faultNames)...),
	Build:      build,
	TimerBytes: 40,
}
