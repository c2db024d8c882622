// Package passlimit estimates how long a browser computes the first pass of a run, and decides whether the
// user is asked before. It does not show anything: internal/site/engine does.
package passlimit

import (
	"math"

	"github.com/wheelscope/wheelscope/sim/program"
)

// The user is asked before a first pass that may take more than secondsMax or bytesMax.
const (
	secondsMax = 10
	bytesMax   = 1_000_000_000
)

// Rates of upper bounds at which a browser is expected to compute a first pass. BenchmarkSiteLongRun in
// internal/e2e reports 1.9 million events and 114 million passed timers per second on an idle machine,
// and about a third of that on a busy one.
const (
	eventsPerSecond = 2_000_000
	passedPerSecond = 50_000_000
)

// Seconds returns the time that a browser takes at most for the first pass of a run with estimate e.
func Seconds(e program.Estimate) int64 {
	return int64(math.Ceil(float64(e.Events)/eventsPerSecond + float64(e.Passed)/passedPerSecond))
}

// Large reports whether the user is asked before the first pass of a run with estimate e.
func Large(e program.Estimate) bool { return Seconds(e) > secondsMax || e.Bytes > bytesMax }
