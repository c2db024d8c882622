package catalog

import "github.com/wheelscope/wheelscope/wheel"

// Revisit returns the number of base ticks between two visits to a slot whose timers are far from
// due, in a wheel with parameters p, or 0 if it does not visit such slots. A wheel with rounds
// visits the slot of such a timer once per revolution, and emits a hand event each time. With a
// single timer that is due in 4·10^18 ticks, an Advance to its due tick would therefore
// practically never return.
//
//	rounds, hashed-sorted        every slots·width base ticks: 1 event for the slot
//	lk668, xiaoxu, godis         the same
//	netty, callout               the same, slots rounded up to a power of two
//	tokio (not tokio-util)       every 2^36: 1 event for the slot and 1 for each timer
//	linux-classic                every 63·2^26: 1 event for the slot and 1 for each timer
//	all others                   never, except for one cascade per level
//
// A visit also touches each timer of the slot, but in hashed-sorted only the first. Missing parameters
// must have been filled in by Fill.
func (a *Algorithm) Revisit(p Params) wheel.Tick {
	if a.RevisitRule == nil {
		return 0
	}
	return a.RevisitRule(p)
}

// EachRevolution returns the base ticks of a revolution, slots·width. It is the RevisitRule of a
// ring with rounds, which visits each slot once per revolution.
func EachRevolution(p Params) wheel.Tick { return p["slots"].(int64) * p["width"].(int64) }
