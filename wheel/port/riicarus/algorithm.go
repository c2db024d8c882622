// Package riicarus reproduces a sketch of a single wheel on a delay queue (seed 001): one ring of
// n buckets of u base ticks, with rounds. A timer that is due dfs base ticks after the start of
// the wheel is in bucket (dfs mod span) div u, with round dfs div span, where span is n·u. A
// bucket is a priority queue by round. It waits in the delay queue for its timestamp, the tick at
// which its lowest round begins. Rounds are numbered from the start of the wheel and not counted
// down.
//
//	at once        if due ≤ now + u: up to u base ticks early
//	fires          at the beginning of its slot: up to u−1 base ticks early, never late
//	start          O(log timers of the bucket)
//	stop           O(1): the sketch has none; here a timer is marked, and removed when its round is taken
//	tick           nothing, unless a bucket leaves the delay queue
//
// Only the head can be removed from a delay queue. A bucket that must wait for an earlier
// round therefore enters the queue again. When the older entry leaves the queue, it is
// ignored unless its tick is the bucket's timestamp at that time.
//
// Start reading at [New].
package riicarus

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the riicarus wheel.
var Algorithm = catalog.Algorithm{
	ID: "riicarus", Coarse: true,
	Source: "seed 001, a single wheel on a delay queue (a sketch)",
	Parameters: append([]catalog.Parameter{catalog.SlotsParameter(8, 1), catalog.WidthParameter(wheel.WidthMax)},
		catalog.FaultParameters(faultNames)...),
	Build:      build,
	TimerBytes: 96,
}
