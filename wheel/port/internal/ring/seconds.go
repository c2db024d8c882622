package ring

import (
	"math"
	"math/bits"

	"github.com/wheelscope/wheelscope/wheel"
)

// nanosPerSecond is the number of nanoseconds in a second.
const nanosPerSecond = 1_000_000_000

// seconds converts a number of base ticks of nanosPerTick nanoseconds each to whole seconds,
// truncated toward zero like int(time.Duration.Seconds()). If the time does not fit in a
// time.Duration, which is limited to 292 years, fits is false, and s is the largest Duration in whole
// seconds, with the sign of ticks.
func seconds(ticks, nanosPerTick int64) (s int64, fits bool) {
	high, low := bits.Mul64(uint64(abs(ticks)), uint64(nanosPerTick))
	if fits = high == 0 && low <= math.MaxInt64; !fits {
		low = math.MaxInt64
	}
	s = int64(low / nanosPerSecond)
	if ticks < 0 {
		s = -s
	}
	return s, fits
}

// Since returns now − then. If the difference does not fit in an int64, Since returns math.MaxInt64 or
// −math.MaxInt64, according to the sign of the difference.
func Since(now, then wheel.Tick) wheel.Tick {
	d := now - then
	switch {
	case then < 0 && d < now:
		return math.MaxInt64
	case then > 0 && d > now:
		return math.MinInt64 + 1
	}
	return d
}

// Rest returns x % m for m > 0, without a division if 0 ≤ x < m.
func Rest(x, m int64) int64 {
	if 0 <= x && x < m {
		return x
	}
	return x % m
}

func abs(x int64) int64 { return max(x, -x) }

// Unit is the unit of time in which a library computes: whole seconds or base ticks.
type Unit struct {
	NanosPerTick int64 // nanoseconds per base tick
	Whole        bool  // whether the unit is whole seconds; false means base ticks
}

// Of converts ticks, a number of base ticks, to the unit u. The result is truncated toward zero.
func (u Unit) Of(ticks wheel.Tick) int64 {
	if !u.Whole {
		return ticks
	}
	s, _ := seconds(ticks, u.NanosPerTick)
	return s
}

// Holds reports whether a time.Duration can represent the given number of base ticks.
func (u Unit) Holds(ticks wheel.Tick) bool {
	_, fits := seconds(ticks, u.NanosPerTick)
	return fits
}
