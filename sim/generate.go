package sim

import (
	"hash/fnv"
	"math/rand/v2"
)

// Group is a generated part of the workload: Count timers named Prefix + index. Its draws depend
// only on its Seed and Prefix, not on other groups.
type Group struct {
	Prefix   string
	Seed     uint64
	Count    int
	Arrivals Dist // the tick at which each timer is scheduled
	Delay    Dist
	Repeat   Repeat       // every timer repeats like this
	Cancel   *GroupCancel // nil: no timer is cancelled
}

// Repeat describes how a timer repeats.
type Repeat struct {
	Every Span  // Ticks 0: the timer fires once
	Times int32 // with Every: number of runs in all; −1: endless
}

// GroupCancel describes which timers of a group are cancelled, and when.
type GroupCancel struct {
	Fraction Decimal // of the timers, 0 to 1
	After    Dist    // ticks from the schedule to the cancel
}

// source returns the random number generator of a group.
func (g *Group) source() *rand.PCG {
	h := fnv.New64a()
	h.Write([]byte(g.Prefix))
	return rand.NewPCG(g.Seed, h.Sum64())
}

// plan appends the operations of the group in order of index, the schedule of a timer before its
// cancel, without those after until (negative: no limit). A base tick has tick nanoseconds. key
// is the number of the name of timer 0; timer i has key+i. plan ends early if pause returns
// true.
func (g *Group) plan(ops []Planned, key uint32, tick, until int64, pause func() bool) []Planned {
	rng := g.source()
	arrivals, delay := newDrawer(g.Arrivals, rng), newDrawer(g.Delay, rng)
	var after *drawer
	if g.Cancel != nil {
		after = newDrawer(g.Cancel.After, rng)
	}
	happens := func(at int64) bool { return until < 0 || at <= until }
	for i := range g.Count {
		if pause() {
			break
		}
		name := key + uint32(i)
		at, wait := arrivals.arrival(tick), delay.ticks()
		if happens(at) {
			ops = append(ops, Planned{At: at, Delay: wait, Every: g.Repeat.Every.Ticks, Times: g.Repeat.Times, Target: name, Kind: OpSchedule})
		}
		if after == nil {
			continue
		}
		// Both are always drawn, so that another fraction keeps the times.
		coin, cancelAt := below(rng, decimalOne), addSat(at, after.ticks())
		if coin < int64(g.Cancel.Fraction) && happens(cancelAt) {
			ops = append(ops, Planned{At: cancelAt, Target: name, Kind: OpCancel})
		}
	}
	return ops
}
