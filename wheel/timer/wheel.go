// Package timer runs functions later, as time.AfterFunc does, for programs that have very
// many timers: timeouts of connections and requests, which are scheduled, moved and stopped
// by the million and seldom fire. The timers are in timing wheels (package wheel); this
// package adds the clock, the locks and the goroutines.
//
//	w, err := timer.New(timer.WithTick(5 * time.Millisecond))
//	…
//	t, err := w.AfterFunc(30*time.Second, conn.timeout)
//	t.Reset(30 * time.Second) // data was received
//	t.Stop()
//
// A timer never fires early. It fires at the first tick of the wheel at or after its due time: it
// is late by at most a tick plus scheduling latency, and plus a quarter of a tick if millions of
// timers are scheduled per second. Timers that became due while the process was stopped fire as
// soon as it continues, in order.
//
// Any goroutine may call any function and method of this package at any time, callbacks
// included.
//
// A [Wheel] has goroutines. It must be closed with [Wheel.Close] or [Wheel.Shutdown]; otherwise
// neither the wheel nor its goroutines are ever garbage collected.
//
// A Timer must not be copied after its first use, which go vet reports: Reset of a copy
// would schedule a second timer. Pointers to it may be copied.
//
// In a bubble of testing/synctest a wheel that is created there by New uses the time of the
// bubble; it must be closed before the bubble ends. A wheel that was created outside of a bubble
// does not work in it, because it uses another clock; [Default] panics in a bubble.
//
// This package has no channel timers. Those of package time are garbage collected when they are
// dropped, which a wheel could only do at a higher cost than package time.
//
// On amd64 and arm64 a callback's goroutine is identified in one instruction, elsewhere by its
// stack trace, which takes longer.
//
// Start reading here, then timer.go (AfterFunc, Stop, Reset), pick.go (the choice of a shard),
// shard.go and drive.go (the driver), runs.go (calls that have not ended), repeat.go (TickFunc), keyed.go (timers by
// key) and shutdown.go (Close, Shutdown).
//
// Package timerhttp shows the wheel of a running program in a browser, package timerprom gives
// its figures to Prometheus, package timerclock adapts github.com/benbjohnson/clock. This
// package links none of them.
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

// Errors of the methods that schedule timers.
var (
	ErrClosed   = errors.New("timer: the wheel is closed")
	ErrNil      = errors.New("timer: the function is nil")
	ErrFull     = errors.New("timer: the maximum number of timers is pending")
	ErrInterval = errors.New("timer: an interval must be longer than 0")
	ErrKey      = errors.New("timer: a key must be equal to itself")
	ErrZero     = errors.New("timer: not made by this package: use timer.New, Wheel.AfterFunc, Wheel.TickFunc and timer.NewKeyed")
)

// ErrInCallback is returned by Shutdown and StopWait if a callback of the same wheel calls them and
// they would have to wait for a callback.
var ErrInCallback = errors.New("timer: a callback can't wait for itself")

// errCapacity is returned if the number of timers has reached the limit of the algorithm itself.
var errCapacity = fmt.Errorf("%w (%w)", ErrFull, wheel.ErrCapacity)

// pendingMax is the maximum and the default of the limit set by [WithMaxPending].
const pendingMax = 1 << 28

// shardsMax is the maximum number of shards of a wheel.
const shardsMax = 256

// Wheel runs timers. It is created by [New]. The zero Wheel schedules no timers and returns
// ErrZero. Its methods may be called by several goroutines at once, and by callbacks.
type Wheel struct {
	shards    []*shard
	algorithm string
	params    catalog.Params
	tick      time.Duration
	inverse   uint64               // (2^64−1) ÷ tick in ns; multiplying by it costs a fifth of dividing by tick
	now       func() time.Duration // function that returns the time since the wheel was created, which never goes back
	machine   bool                 // whether the clock is the machine's
	origin    time.Time
	seed      maphash.Seed
	execute   Executor
	hook      func(call func())
	panics    func(value any, stack []byte)
	late      func(d time.Duration)
	lateMin   time.Duration
	limit     int64 // maximum number of pending timers; 0 means as many as the shards hold

	distributions atomic.Uint64         // number of times that goroutines were distributed over the shards (see pick)
	current       atomic.Pointer[shard] // shard for new timers while distributions is 0
	pending       atomic.Int64          // number of pending timers; only counted if limit is not 0
	panicked      atomic.Int64
	keyed         keyedMaps

	watch sync.Once // ensures that shown is created once
	shown *watch.Watched
}

// New creates a wheel and starts its goroutines, one per shard. The caller must close the wheel.
// The error names the invalid option; an error about the sizes of [WithSlots] is a
// *wheel.ParamError.
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

// admit counts a new pending timer, if WithMaxPending requires that they are counted. It returns
// false, and counts nothing, if the limit of WithMaxPending is reached.
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

// release undoes admit: it decrements the number of pending timers, if they are counted.
func (w *Wheel) release() {
	if w.limit != 0 {
		w.pending.Add(-1)
	}
}
