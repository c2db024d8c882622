package lane

import (
	"strconv"

	"github.com/wheelscope/wheelscope/wheel"
)

// Functions that convert virtual time to the units of Redis. A tick is an absolute number of base
// ticks since 1970; config.nanos is the length of a base tick.

const (
	nsSecond int64 = 1e9
	nsMilli  int64 = 1e6
	minute   int64 = 60 // length of a minute, in seconds
	// secondMax is the last second, in the year 2106, that can be a slot number.
	secondMax int64 = 1<<32 - 1
	nsMax           = secondMax * nsSecond
)

// ns converts the tick t to ns since 1970. For a tick later than nsMax it returns the last multiple up to nsMax.
func (c *config) ns(t wheel.Tick) int64 { return min(t, nsMax/c.nanos) * c.nanos }

// tickOf returns the first tick at or after an instant in ns since 1970.
func (c *config) tickOf(ns int64) wheel.Tick { return (ns + c.nanos - 1) / c.nanos }

// period returns the length of a second in base ticks, rounded up.
func (c *config) period() wheel.Tick { return c.tickOf(nsSecond) }

// floorDiv returns floor(x/u) for u > 0.
func floorDiv(x, u int64) int64 {
	q := x / u
	if x%u < 0 {
		q--
	}
	return q
}

// idlePeak returns the largest cost of a tick up to `to`, and that tick, for a worker that finds
// nothing. The worker polls at the instant `at` and then at intervals of `every` ns. A poll costs
// `each`.
func (c *config) idlePeak(at, every int64, to wheel.Tick, each int64) (int64, wheel.Tick) {
	if at > c.ns(to) {
		return 0, 0
	}
	first := c.tickOf(at)
	after := first*c.nanos - at // ns from at to the end of its tick
	looks, t := after/every+1, first
	full, part := c.nanos/every, c.nanos%every
	if full > looks && first < to {
		looks, t = full, first+1
	}
	if part > 0 && full >= looks { // some ticks have one more: first the one in which the remainders add up to a poll
		if more := first + (every-after%every+part-1)/part; more <= to {
			looks, t = full+1, more
		}
	}
	return looks * each, t
}

// nameOf returns the name of a timer that was scheduled without a name. The name is also its key
// in Redis.
func nameOf(key uint32) string { return strconv.FormatUint(uint64(key), 10) }
