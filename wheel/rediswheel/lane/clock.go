package lane

import (
	"strconv"

	"github.com/wheelscope/wheelscope/wheel"
)

// Functions that convert virtual time to the units of Redis. A tick is an absolute number of base ticks since
// the Unix epoch; config.nanos is the length of a base tick.

const (
	nsSecond int64 = 1e9
	nsMilli  int64 = 1e6
	minute   int64 = 60 // length of a minute, in seconds
	// secondMax is the latest Unix time, in seconds, that fits in a slot number. It is in the year 2106.
	secondMax int64 = 1<<32 - 1
	// nsMax is secondMax in nanoseconds. A lane cannot represent later times.
	nsMax = secondMax * nsSecond
)

// ns converts tick t to a Unix time in nanoseconds. If that time is later than nsMax, ns returns the time of the
// last tick that is not later than nsMax.
func (c *config) ns(t wheel.Tick) int64 { return min(t, nsMax/c.nanos) * c.nanos }

// tickOf converts ns, a Unix time in nanoseconds, to a tick. It returns the first tick at or after that time.
func (c *config) tickOf(ns int64) wheel.Tick { return (ns + c.nanos - 1) / c.nanos }

// period returns the number of base ticks in a second, rounded up: the width of a slot of level 0.
func (c *config) period() wheel.Tick { return c.tickOf(nsSecond) }

// floorDiv returns ⌊x/u⌋, for u > 0.
func floorDiv(x, u int64) int64 {
	q := x / u
	if x%u < 0 {
		q--
	}
	return q
}

// idlePeak returns the largest cost of a single tick for a worker whose polls find nothing, and the first tick
// with that cost. poll is the Unix time of the first poll, in nanoseconds, and interval is the time between two
// polls, in ns. Each poll has the given cost. Polls after tick last do not count; idlePeak returns 0, 0 if the
// first poll is already after last.
func (c *config) idlePeak(poll, interval int64, last wheel.Tick, cost int64) (int64, wheel.Tick) {
	if poll > c.ns(last) {
		return 0, 0
	}
	first := c.tickOf(poll)
	after := first*c.nanos - poll // ns from poll to the end of its tick
	polls, t := after/interval+1, first
	full, part := c.nanos/interval, c.nanos%interval
	if full > polls && first < last {
		polls, t = full, first+1
	}
	if part > 0 && full >= polls { // some ticks have one more: first the one in which the remainders add up to a poll
		if more := first + (interval-after%interval+part-1)/part; more <= last {
			polls, t = full+1, more
		}
	}
	return polls * cost, t
}

// nameOf returns the name of a timer that was scheduled without a name: the given key of the timer, in decimal.
// In Redis, the name is the key of the timer's task.
func nameOf(key uint32) string { return strconv.FormatUint(uint64(key), 10) }
