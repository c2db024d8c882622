package core

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Rounding is how a due tick is converted to a wheel tick, u base ticks long: up to the
// end of the wheel tick that contains it, or (the early variant of the seeds, and Kafka's
// rule) down to its beginning.
type Rounding bool

const (
	roundUp   Rounding = false // never early, up to u−1 base ticks late
	roundDown Rounding = true  // never late, up to u−1 base ticks early
)

// RoundingOf returns the rounding that parameters choose.
func RoundingOf(p catalog.Params) Rounding { return p["rounding"] == "floor" }

// Tick returns the wheel tick at which a timer due at base tick x fires.
func (r Rounding) Tick(x wheel.Tick, u int64) int64 {
	if r == roundDown {
		return x / u
	}
	return CeilDiv(x, u)
}

// Reached returns the last base tick whose timers a clock at wheel tick k has reached.
func (r Rounding) Reached(k, u int64) wheel.Tick {
	if r == roundDown {
		return k*u + u - 1
	}
	return k * u
}
