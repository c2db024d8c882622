// Package xiaoxu reproduces the local wheel of github.com/xiaoxuxiansheng/timewheel
// (8f0e64b): a ring with rounds (cycle in the code), driven by a time.Ticker. Scheduling a
// key again replaces its timer.
//
//	pos   = (hand + delay div u) mod n
//	cycle = delay div (n·u)
//
// Here n is the number of slots and u the tick of the ring.
//
// As published, the wheel does not check for negative delays: pos can be negative, and the panic
// ends the wheel's goroutine. Also, the caller's goroutine computes pos, and the wheel's goroutine
// uses it. If a tick moves the hand in between, a timer with a delay of less than a tick is put
// behind the hand. Since this is a race, the fault "outside" is off by default. If it is on, a
// timer that is scheduled exactly at a tick is always added after that tick.
package xiaoxu

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the xiaoxu wheel.
var Algorithm = catalog.Algorithm{
	ID: "xiaoxu", Coarse: true,
	Source:     "github.com/xiaoxuxiansheng/timewheel 8f0e64b, time_wheel.go",
	Parameters: append([]catalog.Parameter{catalog.SlotsParameter(10, 1), catalog.WidthParameter(wheel.WidthMax)}, catalog.FaultParameters(faultNames)...),
	Build:      build,
	TimerBytes: 40,
}
