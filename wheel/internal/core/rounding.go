package core

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Rounding is the rule that converts a due tick to a wheel tick of u base ticks: a due tick is
// rounded up to the end of the wheel tick that contains it, or down to the beginning. Kafka and
// early variants of other wheels round down.
type Rounding bool

const (
	roundUp   Rounding = false // never early, up to u−1 base ticks late
	roundDown Rounding = true  // never late, up to u−1 base ticks early
)

// RoundingOf returns the rounding selected by the parameter "rounding".
func RoundingOf(p catalog.Params) Rounding { return p["rounding"] == "floor" }

// Tick returns the wheel tick, of u base ticks, in which a timer due at base tick x fires.
func (r Rounding) Tick(x wheel.Tick, u int64) int64 {
	if r == roundDown {
		return x / u
	}
	return CeilDiv(x, u)
}

// Reached returns the latest base tick whose timers are due when the clock is at wheel tick k,
// which is u base ticks long.
func (r Rounding) Reached(k, u int64) wheel.Tick {
	if r == roundDown {
		return k*u + u - 1
	}
	return k * u
}
