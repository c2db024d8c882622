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

// ClockTimer is a timer of a [Clock] that works as time.Timer does. The wheel uses it from one
// goroutine only.
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

// startClock sets w.now to a function that reads c. If c is the machine's clock, it reads the
// monotonic clock, which costs half as much as reading a whole time.Time and never goes back.
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

// inverse returns 2^64 ÷ tick, rounded down.
func inverse(tick time.Duration) uint64 { return math.MaxUint64 / uint64(tick) }

// guarded reads a clock that may go back. When it does, no time passes between the two readings,
// since the true duration is unknown, and elapsed time continues from the second one. It also
// wakes the drivers, since those that sleep on the clock may have to wake at another time.
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

// nudgeAll wakes every driver.
func (w *Wheel) nudgeAll() {
	for _, s := range w.shards {
		s.nudge()
	}
}

// due returns the first tick that begins d after at or later, and slack, the time from that instant to
// the beginning of the tick. at and d are durations, at since the origin. A negative d counts as 0.
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

// pick returns a shard for a timer without a key: the first, until goroutines contend for its
// lock, and then one determined by the goroutine's stack. The timers of one goroutine are then in
// the caches of its processor, and a new one takes the place of the last one stopped. (A stack
// moves when it grows, and when the garbage collector shrinks it. The goroutine's timers then
// move to another shard, one by one.)
func (w *Wheel) pick() *shard {
	deal := w.deals.Load()
	if deal == 0 || len(w.shards) == 1 {
		return w.shards[0]
	}
	var here byte // its address is only used as a number: nothing is read through it
	high, low := bits.Mul64(uint64(uintptr(unsafe.Pointer(&here)))>>stackBits+deal<<32, 0x9E3779B97F4A7C15)
	n, _ := bits.Mul64(high^low, uint64(len(w.shards)))
	return w.shards[n]
}

// lock locks the shard to schedule a timer. If goroutines repeatedly contend for the lock, all of them are
// distributed over the shards again. Waiting for the driver does not count, since every shard has one.
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
	meetings  = 64 // collisions at a shard's lock after which goroutines are distributed again
)
