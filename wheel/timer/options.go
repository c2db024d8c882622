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

// shardsEach is the default number of shards per processor. With more than one, two goroutines
// seldom use the same shard at the same time (see pick).
const shardsEach = 4

// An Option configures a wheel that is created by [New].
type Option func(*config)

type config struct {
	slots      []int
	make       func() wheel.Wheel
	allowEarly bool
	clock      Clock
	shards     int
	w          *Wheel
}

// levelSlots is the number of slots of each level if WithSlots is not given. Levels are then added as needed.
const levelSlots = 64

func newConfig(w *Wheel) *config {
	shards := min(shardsEach*runtime.GOMAXPROCS(0), shardsMax)
	return &config{shards: shards, w: w}
}

// WithTick sets the length of a tick. The default is 1 ms. A timer may fire up to one tick late.
func WithTick(d time.Duration) Option { return func(c *config) { c.w.tick = d } }

// WithSlots sets the number of slots of each level of the wheel, finest level first. Without it, each level has 64 slots
// and levels are added as needed. With it, a timer due beyond the range of all levels is moved once per revolution of the
// coarsest level.
func WithSlots(slots ...int) Option {
	return func(c *config) { c.slots, c.make = append([]int{}, slots...), nil }
}

// WithWheel sets the function that creates the wheel of each shard, instead of a wheel of package
// hierarchical. Each call must return a new wheel at tick 0. If the wheel can fire a timer early,
// or does not implement wheel.NeverEarly, [WithAllowEarly] is also needed.
func WithWheel(make func() wheel.Wheel) Option {
	return func(c *config) { c.slots, c.make = nil, make }
}

// WithAllowEarly permits a wheel set by [WithWheel] to fire timers early. Without it, [New] rejects a wheel that may.
func WithAllowEarly() Option { return func(c *config) { c.allowEarly = true } }

// WithClock sets the clock that the wheel reads. The default is the machine's monotonic clock. If clock is set back,
// the time of the wheel stays the same, and then advances by the time that elapses on clock afterwards.
func WithClock(clock Clock) Option { return func(c *config) { c.clock = clock } }

// WithShards sets the number of shards (independent parts of the wheel) to n, from 1 to 256. The default is four per
// processor. Up to n goroutines can schedule and stop timers at the same time, and [Wheel.AfterFunc] does not wait
// while a shard fires many timers, unless all shards do so at the same time. Timers of one shard fire in order of due
// tick; those of different shards may fire out of order.
func WithShards(n int) Option { return func(c *config) { c.shards = n } }

// WithExecutor sets the executor that runs the callbacks. The default is [Goroutines].
func WithExecutor(e Executor) Option { return func(c *config) { c.w.execute = e } }

// WithCallbackHook sets a function that runs every callback. It is called in the goroutine of the
// callback and must call its argument exactly once. Before and after that it may set profiler
// labels, begin a trace region, or measure the duration.
func WithCallbackHook(hook func(call func())) Option { return func(c *config) { c.w.hook = hook } }

// WithOnPanic sets a function that is called, in the goroutine of the callback, when a callback panics. Its arguments
// are the panic value and the stack trace. The program then continues. Without this option a panic ends the program, as
// in package time.
func WithOnPanic(f func(value any, stack []byte)) Option {
	return func(c *config) { c.w.panics = f }
}

// WithOnLate sets a function that is called, in its own goroutine, when the callbacks of a batch of timers begin to run
// more than threshold after one of them was due. The argument late is the greatest delay.
func WithOnLate(threshold time.Duration, f func(late time.Duration)) Option {
	return func(c *config) { c.w.lateMin, c.w.late = threshold, f }
}

// check returns an error if an option is invalid, and sets the defaults of options that were not given.
func (c *config) check() error {
	switch {
	case c.w.tick <= 0:
		return fmt.Errorf("timer: the tick is %v, expected more than 0", c.w.tick)
	case c.shards < 1 || c.shards > shardsMax:
		return fmt.Errorf("timer: %d shards, expected 1 to %d", c.shards, shardsMax)
	case c.w.execute == nil:
		return errors.New("timer: no executor")
	case c.slots != nil && len(c.slots) == 0:
		return errors.New("timer: no levels of slots")
	}
	if c.clock == nil {
		c.clock = machineClock{}
	}
	return nil
}

// passive returns a new wheel for one shard, of the type that the options select.
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

// hierarchical returns a new wheel of package hierarchical for one shard.
func (c *config) hierarchical() (wheel.Wheel, error) {
	config := hierarchical.Config{Slots: c.slots, Width: 1, Program: true}
	c.w.algorithm, c.w.params = "hierarchical", catalog.Params{}
	if c.slots == nil {
		config.Slots, config.Grow, config.Endless = []int{levelSlots}, true, true
	} else {
		c.w.params["slots"] = c.slots
	}
	made, err := hierarchical.New(config)
	if err != nil {
		return nil, fmt.Errorf("timer: %w", err)
	}
	return made, nil
}
