package catalog

import (
	"math"

	"github.com/wheelscope/wheelscope/wheel"
)

// Revisit describes the work that a timer causes while it is still far from due. A
// wheel with rounds visits the slot of such a timer once per revolution, and writes a
// hand event each time. One timer due in 4·10^18 ticks therefore makes a run of as many
// ticks, or one Advance over them, almost endless.
//
//	rounds, hashed-sorted        every slots·width base ticks: 1 event for the slot
//	lk668, xiaoxu, godis         the same
//	netty, callout               the same, slots rounded up to a power of two
//	tokio (not tokio-util)       every 2^36: 1 event for the slot and 1 for each timer
//	linux-classic                every 63·2^26: 1 event for the slot and 1 for each timer
//	all others                   never, but for one cascade a level
//
// A visit also touches each timer of the slot; with hashed-sorted, the first.
type Revisit struct {
	Every    wheel.Tick // base ticks from one visit of such a slot to the next; 0: it is not visited
	PerSlot  int64      // events of a visit, for the slot
	PerTimer int64      // events of a visit, for each timer of the slot that is far from due
}

// Events returns the number of events that timers in the given number of slots cause in
// ticks base ticks, all of which are before the timers are near. It may count one visit too
// many, and returns at most math.MaxInt64.
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

// Revisit returns the work that far timers cause in a wheel with these parameters,
// defaults filled in as Fill does.
func (a *Algorithm) Revisit(p Params) Revisit {
	if a.RevisitRule == nil {
		return Revisit{}
	}
	return a.RevisitRule(p)
}

// EachRevolution is the Revisit of a ring with rounds.
func EachRevolution(p Params) Revisit {
	return Revisit{Every: p["slots"].(int64) * p["width"].(int64), PerSlot: 1}
}
