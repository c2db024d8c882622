package catalog

import "github.com/wheelscope/wheelscope/wheel"

// Revisit returns the number of base ticks between two visits to an occupied slot in which no timer
// is due yet, for a wheel with parameters p. It returns 0 if the wheel never visits such slots. A
// wheel with rounds, for example, visits every occupied slot once per revolution and emits a hand
// event each time. If its only timer is due in 4·10^18 ticks, advancing to that tick would take
// years.
//
// The interval between two visits depends on the algorithm:
//
//	rounds, hashed-sorted        slots·width base ticks; 1 event per visit
//	lk668, xiaoxu, godis         slots·width base ticks; 1 event per visit
//	netty, callout               slots·width base ticks, with slots rounded up to a power of two;
//	                             1 event per visit
//	tokio (not tokio-util)       2^36 base ticks; 1 event per visit and 1 per timer of the slot
//	linux-classic                63·2^26 base ticks; 1 event per visit and 1 per timer of the slot
//	all others                   no such visits, except for one cascade per level
//
// A visit touches every timer in the slot, except in hashed-sorted, where it touches only the
// first. Missing parameters of p must have been filled in by Fill.
func (a *Algorithm) Revisit(p Params) wheel.Tick {
	if a.RevisitRule == nil {
		return 0
	}
	return a.RevisitRule(p)
}

// EachRevolution returns slots·width, the number of base ticks in a revolution. It is the
// RevisitRule of wheels with rounds, which visit each occupied slot once per revolution.
func EachRevolution(p Params) wheel.Tick { return p["slots"].(int64) * p["width"].(int64) }
