// Package timer runs functions later, as time.AfterFunc does, for programs that have very many timers: timeouts of
// connections and requests, which are scheduled, reset and stopped by the million and seldom fire. The timers are
// kept in timing wheels (package wheel); this package adds the clock, the locks and the goroutines.
//
//	w, err := timer.New(timer.WithTick(5 * time.Millisecond))
//	…
//	t, err := w.AfterFunc(30*time.Second, conn.timeout)
//	t.Reset(30 * time.Second) // data was received
//	t.Stop()
//
// A timer never fires early. It fires at the first tick of the wheel at or after its due time, which
// is at most one tick later, plus scheduling latency. If millions of timers are scheduled per second,
// a quarter of a tick (50 µs if that is longer) may be added. Timers that became due while the
// process was stopped fire as soon as it continues, in order of due tick within each shard.
//
// Any goroutine may call any function and method of this package at any time, callbacks included.
//
// A [Wheel] has goroutines. It must be closed with [Wheel.Close] or [Wheel.Shutdown]; otherwise
// neither the wheel nor its goroutines are ever garbage collected.
//
// A [Timer] must not be copied after its first use: Reset of a copy would schedule a second
// timer. Command go vet reports such copies. Pointers to a Timer may be copied.
//
// A wheel that is created in a bubble of testing/synctest uses the clock of the bubble and must be
// closed before the bubble ends. A wheel that was created outside the bubble does not work in it,
// because it uses another clock; [Default] panics in a bubble.
//
// This package has no channel timers. Package time lets the garbage collector reclaim a channel
// timer that is no longer referenced. A wheel could do so only at a higher cost than package time.
//
// On amd64 and arm64, identifying the goroutine of a callback takes one instruction. On other
// architectures its number is read from a stack trace, which takes longer.
//
// Start reading here, then timer.go (AfterFunc, Stop, Reset), pick.go (the choice of a shard),
// shard.go and drive.go (the driver), runs.go (calls that have not ended), repeat.go (TickFunc), keyed.go (timers by
// key) and shutdown.go (Close, Shutdown).
//
// Package timerhttp shows the wheel of a running program in a browser, package timerprom gives its statistics to
// Prometheus, package timerclock adapts github.com/benbjohnson/clock. This package imports none of them.
package timer

import (
	"errors"
	"fmt"
	"hash/maphash"
	"log"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// Errors returned by the methods that schedule timers.
var (
	ErrClosed   = errors.New("timer: the wheel is closed")
	ErrNil      = errors.New("timer: the function is nil")
	ErrFull     = errors.New("timer: the maximum number of timers is pending")
	ErrInterval = errors.New("timer: an interval must be longer than 0")
	ErrKey      = errors.New("timer: a key must be equal to itself")
	ErrZero     = errors.New("timer: not made by this package: use timer.New, Wheel.AfterFunc, Wheel.TickFunc and timer.NewKeyed")
)

// ErrInCallback is returned if the caller would wait for itself. [Wheel.Shutdown] and [Timer.StopWait] return it in a
// callback of the same wheel, and [Repeat.StopWait] in the repeated function itself. They do not wait in this case.
var ErrInCallback = errors.New("timer: a callback can't wait for itself")

// errCapacity is returned if the algorithm itself can hold no more timers. It wraps ErrFull and wheel.ErrCapacity.
var errCapacity = fmt.Errorf("%w (%w)", ErrFull, wheel.ErrCapacity)

// pendingMax is the default, and the largest permitted value, of the limit set by [WithMaxPending].
const pendingMax = 1 << 28

// shardsMax is the maximum number of shards of a wheel.
const shardsMax = 256

// Wheel schedules and runs timers. It is created by [New]. Methods of the zero Wheel that schedule timers return
// [ErrZero]. The methods of a Wheel may be called concurrently, also by callbacks.
type Wheel struct {
	shards    []*shard
	algorithm string
	params    catalog.Params
	tick      time.Duration
	inverse   uint64               // (2^64−1) ÷ tick, with tick in ns; used to divide by tick quickly
	now       func() time.Duration // returns the time since the wheel was created; the result never decreases
	machine   bool                 // whether the clock is the machine's and not one set by WithClock
	origin    time.Time
	seed      maphash.Seed
	execute   Executor
	hook      func(call func())
	panics    func(value any, stack []byte)
	late      func(d time.Duration)
	lateMin   time.Duration
	limit     int64 // maximum number of pending timers; 0 means no limit other than that of the algorithm

	distributions atomic.Uint64         // number of times that goroutines were distributed over the shards; see pick
	current       atomic.Pointer[shard] // shard for new timers without keys, while distributions is 0
	pending       atomic.Int64          // number of pending timers; only counted if limit is not 0
	panicked      atomic.Int64
	keyed         keyedMaps

	watch sync.Once // ensures that shown is created once
	shown *watch.Watched
}

// New creates a wheel and starts its goroutines, one per shard. The caller must close the wheel. If
// an option is invalid, New returns an error that describes it; if a number of slots in [WithSlots] is
// invalid, the error wraps a *wheel.ParamError.
func New(options ...Option) (*Wheel, error) {
	w := &Wheel{tick: time.Millisecond, seed: maphash.MakeSeed(), execute: Goroutines, panics: logPanic}
	c := newConfig(w)
	for _, set := range options {
		set(c)
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	for number := range c.shards {
		passive, err := c.passive()
		if err != nil {
			return nil, err
		}
		w.shards = append(w.shards, newShard(w, number, passive))
	}
	w.current.Store(w.shards[0])
	w.startClock(c.clock)
	for _, s := range w.shards {
		go s.drive(c.clock)
	}
	return w, nil
}

func logPanic(value any, stack []byte) {
	log.Printf("timer: a callback panicked: %v\n%s", value, stack)
}

// made reports whether w was created by New.
func (w *Wheel) made() bool { return w != nil && len(w.shards) > 0 }

// admit counts a new pending timer and returns true, or returns false if the limit of
// [WithMaxPending] is reached. If no limit was set, it always returns true and counts nothing.
func (w *Wheel) admit() bool {
	if w.limit == 0 {
		return true
	}
	for n := w.pending.Load(); n < w.limit; n = w.pending.Load() {
		if w.pending.CompareAndSwap(n, n+1) {
			return true
		}
	}
	return false
}

// release stops counting one pending timer that admit has counted.
func (w *Wheel) release() {
	if w.limit != 0 {
		w.pending.Add(-1)
	}
}
