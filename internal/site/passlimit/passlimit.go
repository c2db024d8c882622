// Package passlimit estimates how long a browser takes for the first pass of a run, and decides whether to
// ask the user before it. It does not show anything; internal/site/engine does.
package passlimit

import (
	"math"

	"github.com/wheelscope/wheelscope/sim/program"
)

// Limits of a first pass. If the estimate exceeds one of them, the user is asked before the pass.
const (
	secondsMax = 10
	bytesMax   = 1_000_000_000
)

// Expected speed of a first pass in a browser: the events and the passed timers of an estimate that are
// computed per second. BenchmarkSiteLongRun in internal/e2e reports 1.9 million events and 114 million
// passed timers per second on an idle machine, and about a third of that on a busy one.
const (
	eventsPerSecond = 2_000_000
	passedPerSecond = 50_000_000
)

// Seconds returns an upper bound of the time that a browser needs for the first pass of a run with
// estimate e, in seconds.
func Seconds(e program.Estimate) int64 {
	return int64(math.Ceil(float64(e.Events)/eventsPerSecond + float64(e.Passed)/passedPerSecond))
}

// Large reports whether the user must be asked before the first pass of a run with estimate e.
func Large(e program.Estimate) bool { return Seconds(e) > secondsMax || e.Bytes > bytesMax }
