package catalog

import "github.com/wheelscope/wheelscope/wheel"

// Revisit returns the number of base ticks between two visits to a slot whose timers are not due
// for a long time, in a wheel with parameters p. It returns 0 if the wheel does not visit such
// slots. A wheel with rounds visits them once per revolution, and emits a hand event each time. If
// its only timer is due in 4·10^18 ticks, an Advance to that tick therefore takes practically for
// ever.
//
//	rounds, hashed-sorted        every slots·width base ticks: 1 event for the slot
//	lk668, xiaoxu, godis         the same
//	netty, callout               the same, slots rounded up to a power of two
//	tokio (not tokio-util)       every 2^36: 1 event for the slot and 1 for each timer
//	linux-classic                every 63·2^26: 1 event for the slot and 1 for each timer
//	all others                   never, except for one cascade per level
//
// A visit also touches each timer of the slot, but in hashed-sorted only the first. Missing
// parameters of p must have been filled in by Fill.
func (a *Algorithm) Revisit(p Params) wheel.Tick {
	if a.RevisitRule == nil {
		return 0
	}
	return a.RevisitRule(p)
}

// EachRevolution returns the number of base ticks of a revolution, slots·width. It is the
// RevisitRule of a ring with rounds, which visits each occupied slot once per revolution.
func EachRevolution(p Params) wheel.Tick { return p["slots"].(int64) * p["width"].(int64) }
