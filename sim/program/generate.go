package program

import (
	"hash/fnv"
	"iter"
	"math/rand/v2"

	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// groupDrawer draws the timers of a group, an entry of workload.generate, one after another.
type groupDrawer struct {
	*scenario.Group
	tick                   int64     // length of a base tick, in ns
	rng, resetRNG          *rand.PCG // of the timers and their cancels, and of their resets
	jitterRNG              *rand.PCG
	arrivals, delay, after *drawer // after is nil if no timer is cancelled
	gap, span              *drawer // of Reset.Every and Reset.Until; nil if there is none
}

// generatedTimer is a timer of a group. Ticks are relative to the scenario's start.
type generatedTimer struct {
	at, delay int64 // tick at which it is scheduled, and its delay
	cancelAt  int64 // tick at which it is cancelled; −1 means that it is not
}

func newGroupDrawer(g *scenario.Group, tick int64) *groupDrawer {
	d := &groupDrawer{Group: g, tick: tick, rng: groupSource(g, "")}
	d.arrivals, d.delay = newDrawer(g.Arrivals, d.rng), newDrawer(g.Delay, d.rng)
	if g.Cancel != nil {
		d.after = newDrawer(g.Cancel.After, d.rng)
	}
	if g.Jitter != nil {
		d.jitterRNG = groupSource(g, "/jitter")
	}
	if g.Reset != nil {
		d.resetRNG = groupSource(g, "/reset")
		d.gap = newDrawer(g.Reset.Every, d.resetRNG)
		if g.Reset.Until != nil {
			d.span = newDrawer(*g.Reset.Until, d.resetRNG)
		}
	}
	return d
}

// groupSource returns a random number generator of group g. The numbers depend only on g.Seed, g.Prefix and suffix,
// which is different for each of the generators of a group.
func groupSource(g *scenario.Group, suffix string) *rand.PCG {
	h := fnv.New64a()
	h.Write([]byte(g.Prefix + suffix))
	return rand.NewPCG(g.Seed, h.Sum64())
}

// next draws the next timer.
func (d *groupDrawer) next() generatedTimer {
	t := generatedTimer{at: d.arrivals.arrival(d.tick), delay: d.delay.ticks(), cancelAt: -1}
	if d.jitterRNG != nil {
		t.delay = addSat(t.delay, below(d.jitterRNG, max(d.Jitter.Ticks(d.Repeat.Every.Ticks), 1)))
	}
	if d.after != nil {
		// Both numbers are always drawn, so that changing the fraction does not change the times.
		coin, cancelAt := below(d.rng, scenario.DecimalOne), addSat(t.at, d.after.ticks())
		if coin < int64(d.Cancel.Fraction) {
			t.cancelAt = cancelAt
		}
	}
	return t
}

// resets draws the ticks, in ascending order and up to tick until, at which t is reset; a negative until means no limit.
// It must be called once for each timer of a group that has resets, in the order of the timers.
func (d *groupDrawer) resets(t generatedTimer, until int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		coin, last := below(d.resetRNG, scenario.DecimalOne), int64(wheel.TickMax)
		if d.span != nil {
			last = addSat(t.at, d.span.ticks())
		}
		if until >= 0 {
			last = min(last, until)
		}
		if t.cancelAt >= 0 {
			last = min(last, t.cancelAt)
		}
		if coin >= int64(d.Reset.Fraction) {
			return
		}
		op := d.arm(t, t.at)
		for scenario.DuesFit(0, op.At, op.Delay, op.Every, op.Times) {
			at := addSat(op.At, max(d.gap.ticks(), 1))
			if at > last || at >= op.liveUntil() || !yield(at) {
				return
			}
			op.At = at
		}
	}
}

// arm returns the operation that schedules or resets t at the given tick.
func (d *groupDrawer) arm(t generatedTimer, at int64) Planned {
	return Planned{At: at, Delay: t.delay, Every: d.Repeat.Every.Ticks, Times: d.Repeat.Times, Kind: scenario.OpSchedule}
}

// countResets returns the number of resets of group g, which must have some, or most+1 if there are more than most. The
// arguments have the same meaning as those of planGroup.
func countResets(g *scenario.Group, tick, until int64, most int, pause func() bool) int {
	d := newGroupDrawer(g, tick)
	n := 0
	for range g.Count {
		for range d.resets(d.next(), until) {
			if n++; n > most || pause() {
				return n
			}
		}
		if pause() {
			break
		}
	}
	return n
}

// planGroup generates the operations of group g, an entry of workload.generate, appends them to ops and returns the
// extended slice. For each timer, it appends the operation that schedules the timer, those that reset it, and the one
// that cancels it, if there are any. If until is not negative, operations after tick until are omitted. tick is the
// length of a base tick in nanoseconds. planGroup sets the Target of each operation to the number of the timer's name:
// key for the first timer of the group, key+1 for the second, and so on. It returns early if pause, which it calls for
// each timer and each reset, returns true.
func planGroup(g *scenario.Group, ops []Planned, key uint32, tick, until int64, pause func() bool) []Planned {
	d := newGroupDrawer(g, tick)
	happens := func(at int64) bool { return until < 0 || at <= until }
	for i := range g.Count {
		if pause() {
			break
		}
		t, name := d.next(), key+uint32(i)
		if happens(t.at) {
			op := d.arm(t, t.at)
			op.Target = name
			ops = append(ops, op)
		}
		if g.Reset != nil {
			for at := range d.resets(t, until) {
				if pause() {
					return ops
				}
				op := d.arm(t, at)
				op.Target, op.Kind = name, scenario.OpReset
				ops = append(ops, op)
			}
		}
		if t.cancelAt >= 0 && happens(t.cancelAt) {
			ops = append(ops, Planned{At: t.cancelAt, Target: name, Kind: scenario.OpCancel})
		}
	}
	return ops
}
