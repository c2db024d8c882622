package timer

import (
	"math"
	"math/bits"
	"sync"
	"time"
	"unsafe"

	"github.com/wheelscope/wheelscope/wheel"
)

// Clock is a source of time for [WithClock]. Package timerclock adapts
// github.com/benbjohnson/clock.
type Clock interface {
	Now() time.Time
	// NewTimer returns a timer that sends on its channel after d.
	NewTimer(d time.Duration) ClockTimer
}

// ClockTimer is a timer of a [Clock], with the meaning of time.Timer. The wheel uses it from
// one goroutine.
type ClockTimer interface {
	C() <-chan time.Time
	Stop() bool
	Reset(d time.Duration) bool
}

// machineClock is package time as a Clock.
type machineClock struct{}

func (machineClock) Now() time.Time                      { return time.Now() }
func (machineClock) NewTimer(d time.Duration) ClockTimer { return machineTimer{time.NewTimer(d)} }

type machineTimer struct{ *time.Timer }

func (t machineTimer) C() <-chan time.Time { return t.Timer.C }

// startClock reads elapsed time from the monotonic clock if the clock is the machine's: that
// costs half of what a whole time.Time costs, and never goes back.
func (w *Wheel) startClock(c Clock) {
	w.origin = c.Now()
	w.inverse = inverse(w.tick)
	if _, w.machine = c.(machineClock); w.machine {
		w.now = func() time.Duration { return time.Since(w.origin) }
		return
	}
	g := &guarded{clock: c, last: w.origin, back: w.nudgeAll}
	w.now = g.elapsed
}

// inverse is 2^64 ÷ tick, rounded down.
func inverse(tick time.Duration) uint64 { return math.MaxUint64 / uint64(tick) }

// guarded reads a clock that may go back. Elapsed time then stands still since the
// reading before, and goes on from the next: what passed between the two readings
// can't be known. Whoever sleeps on the clock is told, since what he waits for has moved.
type guarded struct {
	mu     sync.Mutex
	clock  Clock
	last   time.Time
	passed time.Duration
	back   func()
}

func (g *guarded) elapsed() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.clock.Now()
	step := now.Sub(g.last)
	g.last = now
	switch {
	case step < 0:
		g.back()
	case g.passed > math.MaxInt64-step:
		g.passed = math.MaxInt64
	default:
		g.passed += step
	}
	return g.passed
}

// nudgeAll has every driver look again.
func (w *Wheel) nudgeAll() {
	for _, s := range w.shards {
		s.nudge()
	}
}

// due is the tick at whose beginning d has passed since `at`, never early, and how
// long the tick begins after that instant.
func (w *Wheel) due(at, d time.Duration) (tick wheel.Tick, slack time.Duration) {
	if d > 0 {
		if at += d; at < 0 { // the longest durations
			at = math.MaxInt64
		}
	}
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

// pick gives a shard for a timer without a key: the first, until goroutines meet at its
// lock, and then one by the goroutine's stack. So what one goroutine arms and stops stays in
// the caches of its processor, and takes the place that the last one it stopped has left
// there. (A stack moves when it grows, and when the collector shortens it: the goroutine's
// timers then move to another shard, one after the other.)
func (w *Wheel) pick() *shard {
	deal := w.deals.Load()
	if deal == 0 || len(w.shards) == 1 {
		return w.shards[0]
	}
	var here byte // its address is only a number here: nothing is read through it
	high, low := bits.Mul64(uint64(uintptr(unsafe.Pointer(&here)))>>stackBits+deal<<32, 0x9E3779B97F4A7C15)
	n, _ := bits.Mul64(high^low, uint64(len(w.shards)))
	return w.shards[n]
}

// lock locks a shard to arm a timer there. Goroutines that keep meeting at one are dealt
// anew; one that waits alone for the driver is not, since every shard has a driver.
func (s *shard) lock() {
	if s.mu.TryLock() {
		return
	}
	met := s.waiting.Add(1) > 1 || !s.driving.Load()
	s.mu.Lock()
	s.waiting.Add(-1)
	if !met {
		return
	}
	if s.met++; s.met%meetings == 0 {
		s.owner.deals.Add(1)
	}
}

const (
	stackBits = 13 // the size of a goroutine's stack, for most of its life, as a power of two
	meetings  = 64 // of goroutines at a shard's lock, after which they are dealt anew
)
