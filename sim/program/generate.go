package program

import (
	"hash/fnv"
	"math/rand/v2"

	"github.com/wheelscope/wheelscope/sim/scenario"
)

// groupSource returns the random number generator of group g, an entry of workload.generate. The numbers
// depend only on g.Seed and g.Prefix.
func groupSource(g *scenario.Group) *rand.PCG {
	h := fnv.New64a()
	h.Write([]byte(g.Prefix))
	return rand.NewPCG(g.Seed, h.Sum64())
}

// planGroup generates the operations of group g, an entry of workload.generate, appends them to ops and returns the
// extended slice. For each timer, it appends the operation that schedules the timer and, if there is one, the operation
// that cancels it. If until is not negative, operations after tick until are omitted. tick is the length of a base tick
// in nanoseconds. planGroup sets the Target of each operation to the number of the timer's name: key for the first
// timer of the group, key+1 for the second, and so on. It returns early if pause, which it calls for each timer,
// returns true.
func planGroup(g *scenario.Group, ops []Planned, key uint32, tick, until int64, pause func() bool) []Planned {
	rng := groupSource(g)
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
			ops = append(ops, Planned{At: at, Delay: wait, Every: g.Repeat.Every.Ticks, Times: g.Repeat.Times, Target: name, Kind: scenario.OpSchedule})
		}
		if after == nil {
			continue
		}
		// Both numbers are always drawn, so that changing the fraction does not change the times.
		coin, cancelAt := below(rng, scenario.DecimalOne), addSat(at, after.ticks())
		if coin < int64(g.Cancel.Fraction) && happens(cancelAt) {
			ops = append(ops, Planned{At: cancelAt, Target: name, Kind: scenario.OpCancel})
		}
	}
	return ops
}
