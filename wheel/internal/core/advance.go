package core

import "github.com/wheelscope/wheelscope/wheel"

// TickProcessor is a structure whose hand or clock moves from one tick with work to the
// next. Its ticks are wheel ticks, u base ticks each.
type TickProcessor interface {
	NextWork() int64                                 // the next wheel tick with work after the clock; 0: none
	AdvanceClock(k int64)                            // moves the hand to wheel tick k, and counts the slots that it passes
	ProcessTick(fired []wheel.Expiry) []wheel.Expiry // does the work of the wheel tick that the hand is at
}

// Drive is the Advance method of every wheel. It moves from one tick with work to the next,
// so that empty ticks cost nothing.
func (b *Base) Drive(w TickProcessor, u int64, to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	to = min(to, wheel.TickMax)
	if b.Stopped() {
		return fired, b.Status()
	}
	if to < b.Reached {
		return fired, wheel.Done
	}
	target, work := to/u, int64(0)
	for k := w.NextWork(); k > 0 && k <= target; k = w.NextWork() {
		if !b.Arena.Spend(1) {
			break
		}
		before := b.Costs.Touched
		w.AdvanceClock(k)
		fired = w.ProcessTick(fired)
		if b.Stopped() {
			b.Reached = k * u
			return fired, b.Status()
		}
		work += 1 + b.Costs.Touched - before
		if budget > 0 && work >= int64(budget) && k < target {
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

// RingPeak is the IdlePeak method of a structure that examines one slot or head per wheel
// tick.
func RingPeak(clock, u int64, to wheel.Tick) (int64, wheel.Tick) {
	if to/u <= clock {
		return 0, 0
	}
	return 1, (clock + 1) * u
}

// TouchedMax bounds the count of timers touched, since LinearMax timers at each of 2^62
// ticks would overflow an int64. The count stays at that value.
const TouchedMax = 1 << 60
