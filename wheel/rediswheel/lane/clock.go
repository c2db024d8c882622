package lane

import (
	"strconv"

	"github.com/wheelscope/wheelscope/wheel"
)

// Virtual time in the units of Redis. A tick is an absolute number of base ticks since
// 1970; a base tick is so many ns.

const (
	nsSecond int64 = 1e9
	nsMilli  int64 = 1e6
	minute   int64 = 60 // seconds
	// secondMax is the last second that can be a slot, in the year 2106.
	secondMax int64 = 1<<32 - 1
	nsMax           = secondMax * nsSecond
)

// ns is a tick as an instant. Past what the lane can reckon with it is the last.
func (c *config) ns(t wheel.Tick) int64 { return min(t, nsMax/c.nanos) * c.nanos }

// tickOf is the first tick that is not before an instant.
func (c *config) tickOf(ns int64) wheel.Tick { return (ns + c.nanos - 1) / c.nanos }

// period is a second in base ticks, rounded up.
func (c *config) period() wheel.Tick { return c.tickOf(nsSecond) }

// floorDiv is floor(x/u) for u > 0.
func floorDiv(x, u int64) int64 {
	q := x / u
	if x%u < 0 {
		q--
	}
	return q
}

// idlePeak is the greatest cost of a tick up to `to` of a worker that looks once every
// so many ns, for the next time at the instant `at`, and finds nothing.
func (c *config) idlePeak(at, every int64, to wheel.Tick, each int64) (int64, wheel.Tick) {
	if at > c.ns(to) {
		return 0, 0
	}
	first := c.tickOf(at)
	after := first*c.nanos - at // in its tick
	looks, t := after/every+1, first
	full, part := c.nanos/every, c.nanos%every
	if full > looks && first < to {
		looks, t = full, first+1
	}
	if part > 0 && full >= looks { // some ticks have one more: the first is where the parts make up a look
		if more := first + (every-after%every+part-1)/part; more <= to {
			looks, t = full+1, more
		}
	}
	return looks * each, t
}

// nameOf is the key in Redis of a timer that nobody named.
func nameOf(key uint32) string { return strconv.FormatUint(uint64(key), 10) }
