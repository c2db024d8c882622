package wheel

import (
	"math"
	"math/bits"
)

// nanosASecond is how many nanoseconds a second has.
const nanosASecond = 1_000_000_000

// seconds is a length of base ticks in whole seconds, cut towards zero as
// int(time.Duration.Seconds()) cuts it. It is past time.Duration's reach (292
// years) where fits is false.
func seconds(ticks, nanosATick int64) (s int64, fits bool) {
	high, low := bits.Mul64(uint64(abs(ticks)), uint64(nanosATick))
	if high > 0 || low > math.MaxInt64 {
		return math.MaxInt64 / nanosASecond, false
	}
	s = int64(low / nanosASecond)
	if ticks < 0 {
		s = -s
	}
	return s, true
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

// of is a length of base ticks in the unit. What time.Duration can't hold is cut
// off there, as time.Since does.
func (u unit) of(ticks Tick) int64 {
	if !u.whole {
		return ticks
	}
	s, fits := seconds(ticks, u.nanosATick)
	if !fits && ticks < 0 {
		return -s
	}
	return s
}

// holds says whether a time.Duration can hold so many base ticks.
func (u unit) holds(ticks Tick) bool {
	high, low := bits.Mul64(uint64(abs(ticks)), uint64(u.nanosATick))
	return high == 0 && low <= math.MaxInt64
}
