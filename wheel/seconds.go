package wheel

import (
	"math"
	"math/bits"
)

// nanosASecond is how many nanoseconds a second has.
const nanosASecond = 1_000_000_000

// seconds is a length of base ticks in whole seconds, cut towards zero as
// int(time.Duration.Seconds()) cuts it. Where it is past what a time.Duration holds
// (292 years) fits is false, and it is cut off there, as time.Since does.
func seconds(ticks, nanosATick int64) (s int64, fits bool) {
	high, low := bits.Mul64(uint64(abs(ticks)), uint64(nanosATick))
	if fits = high == 0 && low <= math.MaxInt64; !fits {
		low = math.MaxInt64
	}
	s = int64(low / nanosASecond)
	if ticks < 0 {
		s = -s
	}
	return s, fits
}

// since is now − then, cut off where an int64 ends, as time.Since is.
func since(now, then Tick) Tick {
	d := now - then
	switch {
	case then < 0 && d < now:
		return math.MaxInt64
	case then > 0 && d > now:
		return math.MinInt64 + 1
	}
	return d
}

// rest is x % m for m > 0, without a division where there is nothing to divide.
func rest(x, m int64) int64 {
	if 0 <= x && x < m {
		return x
	}
	return x % m
}

func abs(x int64) int64 { return max(x, -x) }

// unit reckons in whole seconds where the published code does, else in base ticks.
type unit struct {
	nanosATick int64
	whole      bool // in whole seconds
}

// of is a length of base ticks in the unit.
func (u unit) of(ticks Tick) int64 {
	if !u.whole {
		return ticks
	}
	s, _ := seconds(ticks, u.nanosATick)
	return s
}

// holds says whether a time.Duration can hold so many base ticks.
func (u unit) holds(ticks Tick) bool {
	_, fits := seconds(ticks, u.nanosATick)
	return fits
}
