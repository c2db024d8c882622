package cursor

import (
	"math"
	"time"

	"github.com/wheelscope/wheelscope/sim/scenario"
)

// Range of the rates at which a session may play, in base ticks per second. Rate 0 means as fast as
// possible.
const (
	RateMin = 0.1
	RateMax = 1e9
)

// checkRate returns a *scenario.InputError if rate is neither 0 nor between RateMin and RateMax.
func checkRate(rate float64) error {
	if rate == 0 || rate >= RateMin && rate <= RateMax {
		return nil
	}
	return scenario.Fault("rate", "%v is not 0 or between %v and %.0f ticks a second", rate, RateMin, RateMax)
}

// pace computes which tick is due at which time. It uses the time since the last call to anchor and does
// not count frames: a late frame shows the tick that is due when it is sent, and missed frames are skipped.
type pace struct {
	rate  float64   // rate in base ticks per second; 0 means as fast as possible
	since time.Time // argument now of the last call to anchor
	base  int64     // argument base of the last call to anchor
}

// anchor sets the pace so that tick base is due at time now, followed by p.rate ticks per second.
func (p *pace) anchor(now time.Time, base int64) { p.since, p.base = now, base }

// due returns the tick that is due at time now.
func (p *pace) due(now time.Time) int64 {
	if p.rate == 0 {
		return math.MaxInt64
	}
	ticks := now.Sub(p.since).Seconds() * p.rate
	if ticks < 0 { // the clock was set back
		return p.base
	}
	// A frame at exactly the time of a tick must find the tick due even if rounding makes the
	// product slightly too small.
	whole := math.Floor(ticks * (1 + 1e-12))
	if whole >= float64(math.MaxInt64-p.base) {
		return math.MaxInt64
	}
	return p.base + int64(whole)
}

// next returns the time from now until tick shown+1 is due, or 0 if that tick is overdue or the rate is 0.
func (p *pace) next(now time.Time, shown int64) time.Duration {
	if p.rate == 0 {
		return 0
	}
	at := math.Ceil(float64(shown+1-p.base) / p.rate * float64(time.Second))
	if at > float64(math.MaxInt64/2) {
		at = float64(math.MaxInt64 / 2)
	}
	return max(0, time.Duration(at)-now.Sub(p.since))
}
