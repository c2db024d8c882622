package core

import (
	"math"

	"github.com/wheelscope/wheelscope/wheel"
)

// TickProcessor is the part of a wheel that [Base.Drive] calls to move from one tick with work to
// the next. All ticks are wheel ticks.
type TickProcessor interface {
	NextWork() int64      // returns the next wheel tick with work after the clock, or 0 if there is none
	AdvanceClock(k int64) // moves the hand to wheel tick k and adds the cost of the slots passed
	// ProcessTick does the work of the current wheel tick, and appends the runs that fire to fired.
	// If the budget is used up before the work is done, ProcessTick stores the rest as [Visit]
	// values, and the next call continues with them. A wheel without visits finishes the tick in
	// one call.
	ProcessTick(fired []wheel.Expiry) []wheel.Expiry
}

// Drive implements Advance for wheel w, whose wheel tick is u base ticks long. It moves directly
// from one tick with work to the next, so that empty ticks take no time.
func (b *Base) Drive(w TickProcessor, u int64, to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	to = min(to, wheel.TickMax)
	if b.Stopped() {
		return fired, b.Status()
	}
	if to < b.Reached {
		return fired, wheel.Done
	}
	if b.left = int64(budget); budget <= 0 {
		b.left = math.MaxInt64
	}
	target := to / u
	for k := b.nextTick(w, u); k > 0 && k <= target; k = w.NextWork() {
		if !b.Arena.Spend(1) {
			break
		}
		if !b.Unfinished {
			w.AdvanceClock(k)
			b.left--
		}
		b.Unfinished = false
		left, touched := b.left, b.Costs.Touched
		fired = w.ProcessTick(fired)
		if b.left == left { // the structure does not stop within a tick
			b.left -= b.Costs.Touched - touched
		}
		if b.Stopped() {
			b.Reached = k * u
			return fired, b.Status()
		}
		if b.Unfinished || b.left <= 0 && k < target {
			b.Reached = k * u
			return fired, wheel.Budget
		}
	}
	if b.Arena.Aborted {
		return fired, wheel.Aborted
	}
	w.AdvanceClock(target)
	b.Reached = to
	return fired, wheel.Done
}

// nextTick returns the current wheel tick if it is unfinished, and otherwise the next one with
// work.
func (b *Base) nextTick(w TickProcessor, u int64) int64 {
	if b.Unfinished {
		return b.Reached / u
	}
	return w.NextWork()
}

// RingPeak implements IdlePeak for wheels that examine one slot or list head per wheel tick. clock
// is the current wheel tick, and a wheel tick is u base ticks long. RingPeak returns the cost 1 and
// the base tick at which the next wheel tick begins, or 0, 0 if that tick is later than to.
func RingPeak(clock, u int64, to wheel.Tick) (int64, wheel.Tick) {
	if to/u <= clock {
		return 0, 0
	}
	return 1, (clock + 1) * u
}

// TouchedMax is the limit of Cost.Touched in wheels that scan a list of timers again and again.
// Without it, scans of LinearMax timers in each of 2^62 ticks would overflow an int64.
const TouchedMax = 1 << 60
