package core

import (
	"math"

	"github.com/wheelscope/wheelscope/wheel"
)

// TickProcessor is implemented by wheels. [Base.Drive] calls its methods to advance a wheel, skipping
// the wheel ticks at which there is nothing to do. A wheel tick is the interval at which the hand of
// level 0 moves; it can be several base ticks long.
type TickProcessor interface {
	NextWork() int64      // returns the first wheel tick after the current one at which there is work to do, or 0 if there is none
	AdvanceClock(k int64) // moves the hand to wheel tick k and adds the cost of the slots passed
	// ProcessTick does the work of the current wheel tick, and appends an Expiry to fired for each
	// run that fires. If the budget of Advance runs out in the middle of the tick, a wheel can
	// store the remaining work as [Visit] values and continue in the next call. Other wheels always
	// finish the tick.
	ProcessTick(fired []wheel.Expiry) []wheel.Expiry
}

// Drive implements Advance for wheel w; see [wheel.Wheel] for to, fired and budget. u is the length
// of a wheel tick of w, the interval at which the hand of level 0 moves, in base ticks. Drive moves
// directly from one tick with work to the next, so empty ticks take no time.
func (b *Base) Drive(w TickProcessor, u int64, to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	to = min(to, wheel.TickMax)
	if b.Stopped() {
		return fired, b.Status()
	}
	if to < b.Reached {
		return fired, wheel.Done
	}
	b.SetBudget(budget)
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

// SetBudget sets the number of slots and timers that the wheel may process before it stops, or no limit if budget is 0.
func (b *Base) SetBudget(budget int) {
	if b.left = int64(budget); budget <= 0 {
		b.left = math.MaxInt64
	}
}

// nextTick returns the wheel tick, a period of u base ticks, that must be processed next: the current one if it is not
// completely processed, and otherwise the next one at which w has work. It returns 0 if there is none.
func (b *Base) nextTick(w TickProcessor, u int64) int64 {
	if b.Unfinished {
		return b.Reached / u
	}
	return w.NextWork()
}

// RingPeak implements [wheel.Observable.IdlePeak] for wheels that examine one slot or the head of a list
// at each wheel tick. clock is the current wheel tick, and u is the length of a wheel tick in base
// ticks. RingPeak returns 1, the cost of the next wheel tick, and the base tick at which it begins.
// It returns 0, 0 if that tick is after to.
func RingPeak(clock, u int64, to wheel.Tick) (int64, wheel.Tick) {
	if to/u <= clock {
		return 0, 0
	}
	return 1, (clock + 1) * u
}

// TouchedMax limits Cost.Touched. In wheels that scan a list at each tick or in each revolution,
// AdvanceClock stops increasing Cost.Touched when it has reached this value. Without a limit, scans
// of LinearMax timers in each of 2^62 ticks would overflow an int64.
const TouchedMax = 1 << 60
