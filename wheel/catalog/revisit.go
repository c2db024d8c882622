package catalog

import (
	"math"

	"github.com/wheelscope/wheelscope/wheel"
)

// Revisit describes the work that a timer causes while it is far from due. A wheel with
// rounds visits the slot of such a timer once per revolution, and emits a hand event each
// time. A single timer due in 4·10^18 ticks can therefore make an Advance to its due tick
// take practically forever.
//
//	rounds, hashed-sorted        every slots·width base ticks: 1 event for the slot
//	lk668, xiaoxu, godis         the same
//	netty, callout               the same, slots rounded up to a power of two
//	tokio (not tokio-util)       every 2^36: 1 event for the slot and 1 for each timer
//	linux-classic                every 63·2^26: 1 event for the slot and 1 for each timer
//	all others                   never, except for one cascade per level
//
// A visit also touches each timer of the slot, but in hashed-sorted only the first.
type Revisit struct {
	Every    wheel.Tick // base ticks between two visits of such a slot; 0: no visits
	PerSlot  int64      // events per visit, for the slot
	PerTimer int64      // events per visit, for each timer of the slot that is far from due
}

// Events returns the number of events that a number of far timers, spread over a number of slots,
// cause during ticks base ticks. The result may include one visit too many. It is at most
// math.MaxInt64.
func (r Revisit) Events(ticks wheel.Tick, slots, timers int64) int64 {
	if r.Every == 0 || ticks <= 0 {
		return 0
	}
	visits, each := ticks/r.Every+1, r.PerSlot*slots+r.PerTimer*timers
	if each > 0 && visits > math.MaxInt64/each {
		return math.MaxInt64
	}
	return visits * each
}

// Revisit returns the work that far timers cause in a wheel with parameters p. Missing parameters
// must have been filled in by Fill.
func (a *Algorithm) Revisit(p Params) Revisit {
	if a.RevisitRule == nil {
		return Revisit{}
	}
	return a.RevisitRule(p)
}

// EachRevolution is the RevisitRule of a ring with rounds: one event per slot and revolution.
func EachRevolution(p Params) Revisit {
	return Revisit{Every: p["slots"].(int64) * p["width"].(int64), PerSlot: 1}
}
