// Package timer runs a program's timers on the wheels of package wheel, in place of
// time.AfterFunc and its like. It owns the clock, the locks and the goroutines that
// those do without.
//
// A [Wheel] is a few shards, each a passive wheel behind a lock, with one goroutine
// that sleeps until the wheel has work. It never polls: with nothing to do it sleeps
// for good. A timer never fires early, and is late by at most a tick and what the
// scheduler takes (and, where timers are armed by the million a second, a quarter of
// a tick more: crowd.go). What a stall missed is made up in order, once.
//
// Start reading here, then shard.go and drive.go (the driver), timer.go (AfterFunc,
// Stop, Reset), id.go (the same by numbers), channel.go (NewTimer, NewTicker, After, Sleep),
// keyed.go (timers by key), shutdown.go (Shutdown, Drain) and handler.go (watching a wheel
// that runs).
package timer

import (
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"math/bits"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Errors of every method that arms a timer.
var (
	ErrShutdown = errors.New("timer: the wheel is shut down")
	ErrNil      = errors.New("timer: no function to call")
	ErrFull     = errors.New("timer: as many timers are pending as the wheel admits")
	ErrInterval = errors.New("timer: an interval must be longer than 0, and times -1 or at least 1")
	ErrKey      = errors.New("timer: a key must be a value that can be found again in a map")
)

// errCapacity is ErrFull where the algorithm's own bound was met.
var errCapacity = fmt.Errorf("%w (%w)", ErrFull, wheel.ErrCapacity)

// PendingMax bounds the timers of a wheel unless [MaxPending] says another number.
const PendingMax = 1 << 28

// ShardsMax bounds the shards of a wheel.
const ShardsMax = 256

// Wheel runs timers. Its methods may be called by any goroutine at any time, from
// callbacks too.
type Wheel struct {
	shards    []*shard
	shardBits uint8 // of an ID
	algorithm string
	params    catalog.Params
	tick      time.Duration
	inverse   uint64               // 2^64 ÷ tick: a division costs five times a product
	now       func() time.Duration // since the wheel was made; never goes back
	machine   bool                 // the clock is the machine's
	origin    time.Time
	seed      maphash.Seed
	execute   Executor
	common    func(key any) // for keyed timers without a function; may be nil
	panics    func(value any, stack []byte)
	late      func(d time.Duration)
	lateMin   time.Duration
	limit     int64 // pending timers; 0: as many as the shards hold

	shut     sync.Once     // closes gone
	gone     chan struct{} // closed by Shutdown
	deals    atomic.Uint64 // how often goroutines were dealt to shards anew
	pending  atomic.Int64  // counted where there is a limit
	panicked atomic.Int64

	watch sync.Once // makes page, which holds what all who watch share: see Handler
	page  http.Handler
}

// New makes a wheel. The error names the option that can't be used; one of the
// algorithm's parameters is a *wheel.ParamError.
func New(options ...Option) (*Wheel, error) {
	w := &Wheel{tick: time.Millisecond, seed: maphash.MakeSeed(), execute: Goroutines, panics: logPanic, gone: make(chan struct{})}
	c := newConfig(w)
	for _, set := range options {
		set(c)
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	w.shardBits = uint8(bits.Len(uint(c.shards - 1)))
	for number := range c.shards {
		passive, err := algorithms.New(c.algorithm, c.params, 0)
		if err != nil {
			return nil, fmt.Errorf("timer: %w", err)
		}
		w.shards = append(w.shards, newShard(w, number, passive))
	}
	w.startClock(c.clock)
	for _, s := range w.shards {
		go s.drive(c.clock)
	}
	return w, nil
}

func logPanic(value any, stack []byte) {
	slog.Error("a timer's callback panicked", "value", value, "stack", string(stack))
}

// admit counts one more pending timer, false where there is no room for it.
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

// release counts a timer that is no longer pending.
func (w *Wheel) release() {
	if w.limit != 0 {
		w.pending.Add(-1)
	}
}
