// Package passlimit estimates how long a browser takes for the first pass of a run, which computes all its
// events, and decides whether to ask the user before it. It does not show anything; internal/site/engine
// does.
package passlimit

import (
	"math"

	"github.com/wheelscope/wheelscope/sim/program"
)

// Maximum estimated time, in seconds, and memory, in bytes, of a run that is computed without asking the
// user.
const (
	secondsMax = 10
	bytesMax   = 1_000_000_000
)

// Expected speed at which a browser computes a run: events per second, and timers per second that lanes
// pass over, as counted by program.Estimate. BenchmarkSiteLongRun in internal/e2e reports 1.9
// million events and 114 million passed timers per second on an idle machine, and about a third of that on
// a busy one.
const (
	eventsPerSecond = 2_000_000
	passedPerSecond = 50_000_000
)

// Seconds returns how many seconds a browser is expected to need to compute a run with estimate e. The run
// may need less time, because e contains upper bounds.
func Seconds(e program.Estimate) int64 {
	return int64(math.Ceil(float64(e.Events)/eventsPerSecond + float64(e.Passed)/passedPerSecond))
}

// Large reports whether the user must be asked before a run with estimate e is computed.
func Large(e program.Estimate) bool { return Seconds(e) > secondsMax || e.Bytes > bytesMax }
