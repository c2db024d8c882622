package sim

import (
	"math"
	"time"
)

// Rates at which a session may play, in base ticks a second. Rate 0 means as
// fast as it goes.
const (
	RateMin = 0.1
	RateMax = 1e9
)

// CheckRate refuses a rate at which nothing can be played.
func CheckRate(rate float64) error {
	if rate == 0 || rate >= RateMin && rate <= RateMax {
		return nil
	}
	return fault("rate", "%v is not 0 or between %v and %.0f ticks a second", rate, RateMin, RateMax)
}

// pace says which tick is due at which moment. It is computed from the time that
// has gone by since the anchor and never by counting frames, so a late frame
// shows what is due then, and none is made up for.
type pace struct {
	rate  float64   // ticks a second, 0: as fast as it goes
	since time.Time // the anchor: at this moment
	base  int64     // this tick was due
}

// anchor starts counting anew: base is due at now.
func (p *pace) anchor(now time.Time, base int64) { p.since, p.base = now, base }

// due is the tick that should be shown at now.
func (p *pace) due(now time.Time) int64 {
	if p.rate == 0 {
		return math.MaxInt64
	}
	ticks := now.Sub(p.since).Seconds() * p.rate
	if ticks < 0 { // the clock was set back
		return p.base
	}
	// A frame that comes at the very moment of a tick must find it due though
	// the product falls short of it by a rounding.
	whole := math.Floor(ticks * (1 + 1e-12))
	if whole >= float64(math.MaxInt64-p.base) {
		return math.MaxInt64
	}
	return p.base + int64(whole)
}

// next is how long after now the tick after shown becomes due.
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
