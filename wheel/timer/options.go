package timer

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// shardsEach is how many shards a wheel has for each processor: with more than one,
// two goroutines seldom meet in a shard (pick).
const shardsEach = 2

// An Option sets something of a wheel that is being made.
type Option func(*config)

type config struct {
	algorithm  string
	params     catalog.Params
	clock      clock.Clock
	shards     int
	pendingMax int
	w          *Wheel
}

func newConfig(w *Wheel) *config {
	shards := min(shardsEach*runtime.GOMAXPROCS(0), ShardsMax)
	return &config{algorithm: "hierarchical", shards: shards, pendingMax: PendingMax, w: w}
}

// Tick sets how long a tick is, 1 ms without it: a timer is late by up to one.
func Tick(d time.Duration) Option { return func(c *config) { c.w.tick = d } }

// Algorithm sets which algorithm of package algorithms holds the timers, "hierarchical"
// without it; parameters left out take their defaults. One that fires early by its
// own rule (kafka with a width, linux past its reach, hierarchical with migration one or
// none unless round is ceil) fires early here too.
func Algorithm(id string, p catalog.Params) Option {
	return func(c *config) { c.algorithm, c.params = id, p }
}

// Clock sets the clock, the machine's monotonic one without it. Time stands still
// while a clock of another kind goes back.
func Clock(c clock.Clock) Option { return func(cfg *config) { cfg.clock = c } }

// Shards sets into how many parts the wheel is split, two for each processor without
// it: as many goroutines can arm and stop timers at once. The timers of one shard fire
// in order of due tick; those of different shards may pass each other within a tick.
// Timers without a key stand in the first shard until goroutines that arm timers meet there.
func Shards(n int) Option { return func(c *config) { c.shards = n } }

// MaxPending bounds the timers that are pending; past it arming gives [ErrFull].
func MaxPending(n int) Option { return func(c *config) { c.pendingMax = n } }

// Execute sets where callbacks run, [Goroutines] without it.
func Execute(e Executor) Option { return func(c *config) { c.w.execute = e } }

// Func sets what is called for keyed timers that have no function of their own.
func Func(f func(key any)) Option { return func(c *config) { c.w.common = f } }

// OnPanic sets who is told of a panic in a callback, a log entry without it. The
// program goes on in either case.
func OnPanic(f func(value any, stack []byte)) Option { return func(c *config) { c.w.panics = f } }

// OnLate sets who is told when a batch of timers is taken up more than `over` after it
// was due, with by how much. It runs in a goroutine of its own.
func OnLate(over time.Duration, f func(late time.Duration)) Option {
	return func(c *config) { c.w.lateMin, c.w.late = over, f }
}

// check finds what can't be, and fills in what was left open.
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
	if c.pendingMax < PendingMax {
		c.w.limit = int64(c.pendingMax)
	}
	if c.clock == nil {
		c.clock = clock.New()
	}
	if c.w.panics == nil {
		c.w.panics = logPanic
	}
	c.w.algorithm, c.w.params = c.algorithm, c.params
	return nil
}
