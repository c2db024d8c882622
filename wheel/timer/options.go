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
const shardsEach = 2

// An Option sets a property of a wheel that is being created.
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

// levelSlots is the number of slots per level without WithSlots. Levels are added as needed.
const levelSlots = 64

func newConfig(w *Wheel) *config {
	shards := min(shardsEach*runtime.GOMAXPROCS(0), shardsMax)
	return &config{shards: shards, pendingMax: pendingMax, w: w}
}

// WithTick sets the length of a tick. The default is 1 ms. A timer is late by up to one tick.
func WithTick(d time.Duration) Option { return func(c *config) { c.w.tick = d } }

// WithSlots sets the slots of each level of the wheels, finest first. By default each level has
// 64, and levels are added as they are needed. A delay beyond the range of all levels is
// rejected with wheel.ErrRange.
func WithSlots(slots ...int) Option {
	return func(c *config) { c.slots, c.make = append([]int{}, slots...), nil }
}

// WithWheel sets a function that creates the wheel of each shard, in place of one of package
// hierarchical. It must return a new wheel each time, at tick 0. A wheel that can fire a timer
// early, or does not implement wheel.NeverEarly, also needs [WithAllowEarly].
func WithWheel(make func() wheel.Wheel) Option {
	return func(c *config) { c.slots, c.make = nil, make }
}

// WithAllowEarly accepts a wheel from [WithWheel] that can fire timers early.
func WithAllowEarly() Option { return func(c *config) { c.allowEarly = true } }

// WithClock sets the clock. The default is the machine's monotonic clock. If another clock goes
// back, the wheel's time does not advance meanwhile.
func WithClock(clock Clock) Option { return func(c *config) { c.clock = clock } }

// WithShards sets the number of parts into which the wheel is split, from 1 to 256, by default two
// per processor. That many goroutines can schedule and stop timers at the same time, and a new timer
// waits for no lock while many others fire, unless they do so in all shards at once. Timers of one
// shard fire in order of due tick; those of different shards may overtake each other.
func WithShards(n int) Option { return func(c *config) { c.shards = n } }

// WithMaxPending limits the number of pending timers. The default is 2^28. Beyond the limit,
// scheduling returns [ErrFull].
func WithMaxPending(n int) Option { return func(c *config) { c.pendingMax = n } }

// WithExecutor sets where callbacks run. The default is [Goroutines].
func WithExecutor(e Executor) Option { return func(c *config) { c.w.execute = e } }

// WithCallbackHook sets a function that is called in place of each callback, by the goroutine that
// would call it. The hook must call its argument once. Before and after that it may set profiler
// labels, begin a trace region, or measure the duration.
func WithCallbackHook(hook func(call func())) Option { return func(c *config) { c.w.hook = hook } }

// WithOnPanic sets a function that is called after a callback has panicked, in its goroutine. By
// default package log logs the panic. The program continues in either case.
func WithOnPanic(f func(value any, stack []byte)) Option {
	return func(c *config) { c.w.panics = f }
}

// WithOnLate sets a function that is called, in its own goroutine, if a batch of timers is passed
// to the executor more than `over` after its first timer was due. late is that lateness.
func WithOnLate(over time.Duration, f func(late time.Duration)) Option {
	return func(c *config) { c.w.lateMin, c.w.late = over, f }
}

// check returns an error if an option is invalid, and sets the defaults of options not given.
func (c *config) check() error {
	switch {
	case c.w.tick <= 0:
		return fmt.Errorf("timer: the tick is %v, expected more than 0", c.w.tick)
	case c.shards < 1 || c.shards > shardsMax:
		return fmt.Errorf("timer: %d shards, expected 1 to %d", c.shards, shardsMax)
	case c.pendingMax < 1 || c.pendingMax > pendingMax:
		return fmt.Errorf("timer: %d pending timers at most, expected 1 to %d", c.pendingMax, pendingMax)
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

// passive returns a new wheel for a shard, of the type that the options select.
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

// hierarchical returns a new wheel of package hierarchical for a shard.
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
