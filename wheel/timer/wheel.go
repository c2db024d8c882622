// Package timer runs functions later, as time.AfterFunc does, for programs that have very many timers: timeouts of
// connections and requests, which are scheduled, reset and stopped by the million and seldom fire. The timers are
// kept in timing wheels (package wheel); this package adds the clock, the locks and the goroutines.
//
//	w, err := timer.New(timer.WithTick(5 * time.Millisecond))
//	…
//	t := w.AfterFunc(30*time.Second, conn.timeout)
//	t.Reset(30 * time.Second) // data was received
//	t.Stop()
//
// A timer never fires early. It fires at the first tick of the wheel at or after its due time, which is at most one tick
// later, plus scheduling latency. If timers are scheduled in quick succession, a quarter of a tick (50 µs if that is
// longer) may be added. Timers of one shard fire in order of due tick, except that timers of later ticks fire between
// those of a slot with thousands. Reset to a later time is the cheapest operation: it only writes the due time.
//
// While the machine is suspended, the monotonic clock of Linux and its timers stand still. With a clock that goes on,
// timers that became due meanwhile fire at the latest when the remaining time has passed after the suspend, or at once
// when another timer is scheduled in their shard.
//
// Any goroutine may call any function and method of this package at any time, callbacks included. A [Wheel] has
// goroutines: it must be closed with [Wheel.Close] or [Wheel.Shutdown].
//
// A wheel that is created in a bubble of testing/synctest uses the clock of the bubble and must be closed before the
// bubble ends. A wheel that was created outside the bubble does not work in it.
//
// Package timerhttp shows the wheel of a running program in a browser, package timerprom gives its statistics to
// Prometheus, package timerclock adapts github.com/benbjohnson/clock. This package imports none of them.
//
// Start reading here, then timer.go (AfterFunc, Stop, Reset), sharing.go (shared clock reads), pick.go (the choice of a
// shard), shard.go and drive.go (the driver), callbacks.go (their queue), repeat.go, keyed.go and close.go.
package timer

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// shardsMax is the maximum number of shards of a wheel.
const shardsMax = 256

// Wheel schedules and runs timers. It is created by [New]; methods of the zero Wheel that schedule timers panic. The
// methods of a Wheel may be called concurrently, also by callbacks.
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
	panics    func(value any, stack []byte) // nil means that a panic ends the program
	late      func(d time.Duration)
	lateMin   time.Duration

	distributions atomic.Uint64         // number of times that goroutines were distributed over the shards; see pick
	current       atomic.Pointer[shard] // shard for new timers without keys, while distributions is 0
	panicked      atomic.Int64
	keyed         keyedMaps

	taped atomic.Bool // whether Record records the wheel
	watch sync.Once   // ensures that shown is created once
	shown *watch.Watched
}

// New creates a wheel and starts its goroutines, one per shard. The caller must close the wheel. If
// an option is invalid, New returns an error that describes it; if a number of slots in [WithSlots] is
// invalid, the error wraps a *wheel.ParamError.
func New(options ...Option) (*Wheel, error) {
	w := &Wheel{tick: time.Millisecond, seed: maphash.MakeSeed(), execute: Goroutines}
	c := newConfig(w)
	for _, set := range options {
		set(c)
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	w.startClock(c.clock)
	for number := range c.shards {
		passive, err := c.passive()
		if err != nil {
			return nil, err
		}
		w.shards = append(w.shards, newShard(w, number, passive, c.make == nil))
	}
	w.current.Store(w.shards[0])
	for _, s := range w.shards {
		go s.drive(c.clock)
	}
	return w, nil
}

// made reports whether w was created by New.
func (w *Wheel) made() bool { return w != nil && len(w.shards) > 0 }

// all returns the shards, or none if w was not created by New.
func (w *Wheel) all() []*shard {
	if w == nil {
		return nil
	}
	return w.shards
}
