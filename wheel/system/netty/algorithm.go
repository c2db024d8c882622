// Package netty implements the HashedWheelTimer of Netty (io.netty.util, the 4.2 line): one array of
// slots with rounds, and two queues between the callers and the worker thread. A timer
// that is scheduled is in the pending queue (level −1) until the next tick moves it to its
// slot. A timer that is cancelled is marked, and is removed at the end of the next tick.
// Tick k is processed when it ends, at start + (k+1)·width.
//
//	range          any delay
//	fires          after its due tick, by 1 base tick up to the width
//	start, stop    O(1)
//	tick           O(timers of the slot and of the queues)
//
// Start reading at [New] and, in netty.go, ProcessTick, which processes the pending queue, the
// slot and the cancelled timers.
package netty

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the Netty wheel.
var Algorithm = catalog.Algorithm{
	ID: "netty", Coarse: true,
	Source:     "Netty 4.2, io.netty.util.HashedWheelTimer",
	Parameters: []catalog.Parameter{{Name: "slots", Type: catalog.TypeInt, Default: int64(64), Min: 1, Max: wheel.SlotsMax}, catalog.WidthParameter(wheel.WidthMax)},
	Build:      build,
	TimerBytes: 40,
}
