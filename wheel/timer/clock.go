package timer

import (
	"math"
	"math/bits"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// Clock is a source of time for [WithClock]. Package timerclock adapts github.com/benbjohnson/clock.
type Clock interface {
	Now() time.Time
	// NewTimer returns a timer that sends on its channel C after the duration d.
	NewTimer(d time.Duration) ClockTimer
}

// ClockTimer is a timer of a [Clock]. Its methods work like those of time.Timer; C returns its
// channel. The wheel uses each ClockTimer in only one goroutine.
type ClockTimer interface {
	C() <-chan time.Time
	Stop() bool
	Reset(d time.Duration) bool
}

// machineClock implements Clock with package time.
type machineClock struct{}

func (machineClock) Now() time.Time                      { return time.Now() }
func (machineClock) NewTimer(d time.Duration) ClockTimer { return machineTimer{time.NewTimer(d)} }

type machineTimer struct{ *time.Timer }

func (t machineTimer) C() <-chan time.Time { return t.Timer.C }

// startClock sets w.origin to the current time of c, and w.now to a function that returns the time since then. With the
// machine's clock, w.now reads only the monotonic clock, which never goes back and costs half as much as time.Now.
func (w *Wheel) startClock(c Clock) {
	w.origin = c.Now()
	w.inverse = inverse(w.tick)
	if _, w.machine = c.(machineClock); w.machine {
		w.now = func() time.Duration { return time.Since(w.origin) }
		return
	}
	w.now = elapsedSince(w.origin, c.Now, w.wakeAll)
}

// inverse returns (2^64−1) ÷ tick, rounded down, with tick in ns. Multiplying by it is faster than dividing by tick.
func inverse(tick time.Duration) uint64 { return math.MaxUint64 / uint64(tick) }

// wakeAll wakes the driver goroutine of every shard.
func (w *Wheel) wakeAll() {
	for _, s := range w.shards {
		s.wake()
	}
}

// after returns the time d after at, or the latest one that a time.Duration can represent if that is earlier. at must not
// be negative. A negative d counts as 0.
func after(at, d time.Duration) time.Duration {
	if at += max(0, d); at < 0 {
		return math.MaxInt64
	}
	return at
}

// due returns the first tick that begins no earlier than at, the time since w.origin, and slack, the time from at until
// that tick begins.
func (w *Wheel) due(at time.Duration) (tick wheel.Tick, slack time.Duration) {
	unit := uint64(w.tick)
	whole, _ := bits.Mul64(uint64(at), w.inverse) // at ÷ unit, or one less
	rest := uint64(at) - whole*unit
	if rest >= unit {
		whole, rest = whole+1, rest-unit
	}
	if rest > 0 {
		whole++
		slack = time.Duration(unit - rest)
	}
	return min(wheel.Tick(whole), wheel.TickMax), slack
}

// timeOf returns the time since w.origin at which tick t begins, or the latest one that a time.Duration can represent if
// that is earlier.
func (w *Wheel) timeOf(t wheel.Tick) time.Duration {
	if t > math.MaxInt64/wheel.Tick(w.tick) {
		return math.MaxInt64
	}
	return time.Duration(t) * w.tick
}

// instant returns the time at which tick t begins.
func (w *Wheel) instant(t wheel.Tick) time.Time { return w.origin.Add(w.timeOf(t)) }
