// Package timer runs a program's timers on the wheels of package wheel, in place of
// time.AfterFunc and its like. It owns the clock, the locks and the goroutines that
// those do without.
//
// A [Wheel] is a few shards, each a passive wheel behind a lock, with one goroutine
// that sleeps until the wheel has work. It never polls: with nothing to do it sleeps
// for good. A timer never fires early, and is late by at most a tick and what the
// scheduler takes; what a stall missed is made up in order, once.
//
// Start reading here, then shard.go (the driver), timer.go (AfterFunc, Stop, Reset),
// channel.go (NewTimer, NewTicker, After, Sleep) and keyed.go (timers by key).
package timer

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/wheel"
)

// Errors of every method that arms a timer.
var (
	ErrShutdown = errors.New("timer: the wheel is shut down")
	ErrNil      = errors.New("timer: no function to call")
	ErrFull     = errors.New("timer: as many timers are pending as the wheel admits")
	ErrInterval = errors.New("timer: an interval must be longer than 0, and times -1 or at least 1")
)

// PendingMax bounds the timers of a wheel unless [MaxPending] says another number.
const PendingMax = 1 << 28

// ShardsMax bounds the shards of a wheel.
const ShardsMax = 256

// Wheel runs timers. Its methods may be called by any goroutine at any time, from
// callbacks too.
type Wheel struct {
	shards  []*shard
	tick    time.Duration
	now     func() time.Duration // since the wheel was made
	origin  time.Time
	seed    maphash.Seed
	execute Executor
	common  func(key any) // for keyed timers without a function; may be nil
	panics  func(value any, stack []byte)
	late    func(d time.Duration)
	lateMin time.Duration

	closed   atomic.Bool
	running  atomic.Int64
	panicked atomic.Int64
}

// An Option sets something of a wheel that is being made.
type Option func(*config)

type config struct {
	algorithm  string
	params     wheel.Params
	clock      clock.Clock
	shards     int
	pendingMax int
	w          *Wheel
}

// Tick sets how long a tick is, 1 ms without it: a timer is late by up to one.
func Tick(d time.Duration) Option { return func(c *config) { c.w.tick = d } }

// Algorithm sets which algorithm of package wheel holds the timers, "hierarchical"
// without it; parameters left out take their defaults. One that fires early by its
// own rule (kafka with a width, linux past its reach) fires early here too.
func Algorithm(id string, p wheel.Params) Option {
	return func(c *config) { c.algorithm, c.params = id, p }
}

// Clock sets the clock, the machine's monotonic one without it.
func Clock(c clock.Clock) Option { return func(cfg *config) { cfg.clock = c } }

// Shards sets into how many parts the wheel is split, GOMAXPROCS without it: as many
// goroutines can arm and stop timers at once.
func Shards(n int) Option { return func(c *config) { c.shards = n } }

// MaxPending bounds the timers that are pending; past it arming gives [ErrFull]. The
// bound is divided among the shards.
func MaxPending(n int) Option { return func(c *config) { c.pendingMax = n } }

// Execute sets where callbacks run, [Goroutines] without it.
func Execute(e Executor) Option { return func(c *config) { c.w.execute = e } }

// Func sets what is called for keyed timers that have no function of their own.
func Func(f func(key any)) Option { return func(c *config) { c.w.common = f } }

// OnPanic sets who is told of a panic in a callback, a log entry without it. The
// program goes on in either case.
func OnPanic(f func(value any, stack []byte)) Option { return func(c *config) { c.w.panics = f } }

// OnLate sets who is told when a batch of timers is worked more than `over` after it
// was due, with by how much. It is called by the driver and must not take long.
func OnLate(over time.Duration, f func(late time.Duration)) Option {
	return func(c *config) { c.w.lateMin, c.w.late = over, f }
}

// New makes a wheel. The error names the option that can't be used; one of the
// algorithm's parameters is a *wheel.ParamError.
func New(options ...Option) (*Wheel, error) {
	w := &Wheel{tick: time.Millisecond, seed: maphash.MakeSeed(), execute: Goroutines, panics: logPanic}
	c := config{algorithm: "hierarchical", shards: min(runtime.GOMAXPROCS(0), ShardsMax), pendingMax: PendingMax, w: w}
	for _, set := range options {
		set(&c)
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	w.startClock(c.clock)
	for range c.shards {
		passive, err := wheel.New(c.algorithm, c.params, 0)
		if err != nil {
			return nil, fmt.Errorf("timer: %w", err)
		}
		w.shards = append(w.shards, newShard(w, passive, (c.pendingMax+c.shards-1)/c.shards))
	}
	for _, s := range w.shards {
		go s.drive(c.clock)
	}
	return w, nil
}

func (c *config) check() error {
	switch {
	case c.w.tick <= 0:
		return fmt.Errorf("timer: a tick of %v is not longer than 0", c.w.tick)
	case c.shards < 1 || c.shards > ShardsMax:
		return fmt.Errorf("timer: %d shards are not between 1 and %d", c.shards, ShardsMax)
	case c.pendingMax < 1 || c.pendingMax > PendingMax:
		return fmt.Errorf("timer: a bound of %d pending timers is not between 1 and %d", c.pendingMax, PendingMax)
	case c.w.execute == nil:
		return errors.New("timer: no executor")
	}
	if c.clock == nil {
		c.clock = clock.New()
	}
	return nil
}

// startClock reads elapsed time from the monotonic clock where the clock is the
// machine's: that costs half of what a whole time.Time costs.
func (w *Wheel) startClock(c clock.Clock) {
	w.origin = c.Now()
	if _, fake := c.(*clock.Mock); fake {
		w.now = func() time.Duration { return c.Now().Sub(w.origin) }
	} else {
		w.now = func() time.Duration { return time.Since(w.origin) }
	}
}

func logPanic(value any, stack []byte) {
	slog.Error("a timer's callback panicked", "value", value, "stack", string(stack))
}

// pick gives a shard for a timer without a key.
func (w *Wheel) pick() *shard {
	if len(w.shards) == 1 {
		return w.shards[0]
	}
	return w.shards[rand.Uint32N(uint32(len(w.shards)))]
}

// of gives the shard of a key.
func (w *Wheel) of(key any) *shard {
	return w.shards[maphash.Comparable(w.seed, key)%uint64(len(w.shards))]
}

// due is the tick at whose beginning d has passed: never early.
func (w *Wheel) due(d time.Duration) wheel.Tick {
	at := w.now()
	if d > 0 {
		if at += d; at < 0 { // the longest durations: past any wheel's tick, but in order
			at = 1<<63 - 1
		}
	}
	due := wheel.Tick(at / w.tick)
	if at%w.tick != 0 {
		due++
	}
	return due
}

// Pending tells of a timer that had not fired when the wheel was shut down.
type Pending struct {
	Key any       // nil of one without a key
	Due time.Time // when it would have fired
}

// Shutdown stops the wheel and returns what was still pending, none of which will
// run. It waits until the callbacks that run have returned, or until ctx is done,
// whose error it then gives. From the first call on every method that arms a timer
// returns [ErrShutdown]. A callback that calls it with a ctx that never ends waits for
// itself.
func (w *Wheel) Shutdown(ctx context.Context) ([]Pending, error) {
	w.closed.Store(true)
	var left []Pending
	for _, s := range w.shards {
		left = append(left, s.close()...)
	}
	for _, s := range w.shards {
		select {
		case <-s.done:
		case <-ctx.Done():
			return left, ctx.Err()
		}
	}
	return left, w.idle(ctx)
}

// idleCheck is how often Shutdown looks whether callbacks still run.
const idleCheck = time.Millisecond

// idle waits until no callback runs.
func (w *Wheel) idle(ctx context.Context) error {
	for w.running.Load() > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(idleCheck):
		}
	}
	return nil
}
