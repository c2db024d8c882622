package timer

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/scheme/hierarchical"
)

// shardsEach is how many shards a wheel has for each processor: with more than one,
// two goroutines seldom meet in a shard (pick).
const shardsEach = 2

// An Option sets something of a wheel that is being made.
type Option func(*config)

type config struct {
	slots      []int
	make       func() wheel.Wheel
	allowEarly bool
	clock      Clock
	shards     int
	pendingMax int
	w          *Wheel
}

// levelSlots is the slots of each level without WithSlots: a level is added as timers need it.
const levelSlots = 64

func newConfig(w *Wheel) *config {
	shards := min(shardsEach*runtime.GOMAXPROCS(0), shardsMax)
	return &config{shards: shards, pendingMax: pendingMax, w: w}
}

// WithTick sets the length of a tick, which is 1 ms without it: a timer is late by up to one.
func WithTick(d time.Duration) Option { return func(c *config) { c.w.tick = d } }

// WithSlots sets the slots of each level of the wheels, finest first. Without it each level
// has 64, and levels are added as they are needed. A delay that is longer than all levels reach
// is refused with wheel.ErrRange.
func WithSlots(slots ...int) Option {
	return func(c *config) { c.slots, c.make = append([]int{}, slots...), nil }
}

// WithWheel has make provide the wheel of each shard, in place of package hierarchical. It
// must return a new one each time, at tick 0. A wheel that can fire a timer early, or does not
// say that it never does (wheel.NeverEarly), also needs [WithAllowEarly].
func WithWheel(make func() wheel.Wheel) Option {
	return func(c *config) { c.slots, c.make = nil, make }
}

// WithAllowEarly accepts a wheel from [WithWheel] that can fire timers early.
func WithAllowEarly() Option { return func(c *config) { c.allowEarly = true } }

// WithClock sets the clock, which is the machine's monotonic one without it. While a clock
// of another kind goes back, the wheel's time does not pass.
func WithClock(clock Clock) Option { return func(c *config) { c.clock = clock } }

// WithShards sets into how many parts the wheel is split, from 1 to 256; two for each
// processor without it. As many goroutines can schedule and stop timers at once. Timers of
// one shard fire in order of due tick; those of different shards may pass each other.
func WithShards(n int) Option { return func(c *config) { c.shards = n } }

// WithMaxPending bounds the timers that are pending, 2^28 without it. Beyond it scheduling
// returns [ErrFull].
func WithMaxPending(n int) Option { return func(c *config) { c.pendingMax = n } }

// WithExecutor sets where callbacks run, [Goroutines] without it.
func WithExecutor(e Executor) Option { return func(c *config) { c.w.execute = e } }

// WithCallbackHook has hook called in place of each callback, by the goroutine that would
// call it. The hook must call its argument once, and may do something before and after: set
// profiler labels, begin a trace region, measure.
func WithCallbackHook(hook func(call func())) Option { return func(c *config) { c.w.hook = hook } }

// WithOnPanic sets what is called after a callback has panicked, in its goroutine. Without it
// the panic is logged by package log. The program continues in either case.
func WithOnPanic(f func(value any, stack []byte)) Option {
	return func(c *config) { c.w.panics = f }
}

// WithOnLate sets what is called, in a goroutine of its own, if a batch of timers is handed
// to the executor more than over after it was due.
func WithOnLate(over time.Duration, f func(late time.Duration)) Option {
	return func(c *config) { c.w.lateMin, c.w.late = over, f }
}

// check finds what can't be, and fills in what was left open.
func (c *config) check() error {
	switch {
	case c.w.tick <= 0:
		return fmt.Errorf("timer: a tick of %v is not longer than 0", c.w.tick)
	case c.shards < 1 || c.shards > shardsMax:
		return fmt.Errorf("timer: %d shards are not between 1 and %d", c.shards, shardsMax)
	case c.pendingMax < 1 || c.pendingMax > pendingMax:
		return fmt.Errorf("timer: a bound of %d pending timers is not between 1 and %d", c.pendingMax, pendingMax)
	case c.w.execute == nil:
		return errors.New("timer: no executor")
	case c.slots != nil && len(c.slots) == 0:
		return errors.New("timer: no levels of slots")
	}
	if c.pendingMax < pendingMax {
		c.w.limit = int64(c.pendingMax)
	}
	if c.clock == nil {
		c.clock = machineClock{}
	}
	if c.w.panics == nil {
		c.w.panics = logPanic
	}
	return nil
}

// passive makes the wheel of a shard.
func (c *config) passive() (wheel.Wheel, error) {
	if c.make == nil {
		return c.hierarchical()
	}
	made := c.make()
	if made == nil {
		return nil, errors.New("timer: WithWheel's function returned nil")
	}
	if e, ok := made.(wheel.NeverEarly); !c.allowEarly && (!ok || !e.NeverEarly()) {
		return nil, fmt.Errorf("timer: the wheel of WithWheel (%T) can fire timers early, and WithAllowEarly is not given", made)
	}
	c.w.algorithm = strings.TrimPrefix(fmt.Sprintf("%T", made), "*")
	return made, nil
}

// hierarchical makes the wheel of a shard by package hierarchical.
func (c *config) hierarchical() (wheel.Wheel, error) {
	config := hierarchical.Config{Slots: c.slots, Width: 1}
	c.w.algorithm, c.w.params = "hierarchical", catalog.Params{}
	if c.slots == nil {
		config.Slots, config.Grow = []int{levelSlots}, true
	} else {
		c.w.params["slots"] = c.slots
	}
	made, err := hierarchical.New(config)
	if err != nil {
		return nil, fmt.Errorf("timer: %w", err)
	}
	return made, nil
}
