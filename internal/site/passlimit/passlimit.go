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

// Rates of upper bounds at which a browser is expected to compute a first pass. BenchmarkSiteLongRun in internal/e2e
// reports both: 0.53 and 39 million per second on a machine so busy that the native pass of 3.4 million events took 3.5 s. It
// took 1.3 s when the first rate was 1.2 million.
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
