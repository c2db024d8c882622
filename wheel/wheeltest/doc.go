// Package wheeltest tests timers: any implementation that can call a function later and cancel
// the call. It is to timer libraries what testing/fstest is to file systems.
//
//	func TestMine(t *testing.T) {
//		wheeltest.Run(t, func() (wheeltest.Timers, error) { return newMine() })
//	}
//
// The properties (see [Properties]) come from faults that were found in timer libraries in use:
// timers that fire early, a Stop that reports success although the function is called, a deadlock
// when a timer is reset into its own slot, missed ticks that are never made up, and so on. In
// addition, random operations are checked against a model.
//
// A property runs in the fake time of testing/synctest, so that minutes take no time. To work in
// fake time, an implementation must only read package time and block on channels, timers and
// sync.Cond; others need the option [RealTime]. Properties that depend on real time (a stopped process,
// drift, contention) always run in real time. They need an idle machine: a test that calls Run should
// not be parallel.
//
// A failure is reported in a sentence, with the operations that cause it. The operations are also
// written to a scenario file. To open it in Wheelscope, run "wheelscope run FILE" or drop the file on
// the page. A call that hangs fails its property. A panic in another goroutine or a data race ends the test, as in
// any test; the module peers below this package has processes that isolate such libraries.
//
// Start reading here, then run.go (how a property is checked), checker.go (the helpers of a property)
// and the properties, by subject: arithmetic.go, cancel.go, keyed.go, repeats.go, callbacks.go,
// life.go, contention.go, pause.go, random.go.
package wheeltest

import (
	"context"
	"time"
)

// Handle identifies a timer in calls to Stop and Reset. The implementation determines its type.
type Handle any

// Timers is the implementation under test. Its methods may be called concurrently, also by
// callbacks.
type Timers interface {
	// AfterFunc schedules a timer that calls f once, after d has elapsed, or immediately if d is 0
	// or less. It returns the handle of the timer.
	AfterFunc(d time.Duration, f func()) (Handle, error)
	// Stop cancels a timer. It returns true if the function has not been and will not be called. It
	// returns false if the function has been called or may be called at any moment, or if the timer
	// was stopped before.
	Stop(h Handle) bool
	// Pending returns the number of pending timers, or Unknown.
	Pending() int
	// Tick returns the resolution of the timers, a positive duration. A timer may be late by up to a
	// tick.
	Tick() time.Duration
	// Close ends all timers. Afterwards no function is called and no method blocks. AfterFunc
	// returns an error, or a timer that never fires.
	Close()
}

// Unknown is the result of Timers.Pending if the implementation does not know the number.
const Unknown = -1

// Resetter is implemented by a [Timers] that can change the due time of a timer.
type Resetter interface {
	// Reset reschedules a timer: it fires after d has elapsed, even if it has already fired or was
	// stopped.
	Reset(h Handle, d time.Duration) error
}

// Keyed is implemented by a [Timers] that can identify timers by keys.
type Keyed interface {
	// Set schedules a timer for key that calls f after d has elapsed. It replaces the timer that
	// key already has, if any.
	Set(key string, d time.Duration, f func()) error
	// Remove cancels the timer of key. It returns the same as [Timers.Stop] for that timer, or false if there is none.
	Remove(key string) bool
}

// Mover is implemented by a [Keyed] that can change the due time of the timer of a key.
type Mover interface {
	// Move reschedules the timer of key: it fires after d has elapsed. It is not an error if key
	// has no timer.
	Move(key string, d time.Duration) error
}

// Repeater is implemented by a [Timers] that has repeating timers.
type Repeater interface {
	// Every schedules a timer that calls f at intervals of d, the given number of times, or
	// forever if times is -1.
	Every(d time.Duration, times int, f func()) (Handle, error)
}

// Drainer is implemented by a [Keyed] that can remove all timers that have keys in one call.
type Drainer interface {
	// Drain removes all timers that have a key.
	Drain()
}

// Shutdowner is implemented by a [Timers] that can wait for running functions when it is closed.
type Shutdowner interface {
	// Shutdown is like Close, but also waits until running functions have returned or ctx is done.
	// If one of these functions calls Shutdown, Shutdown may wait for that function until ctx is done.
	Shutdown(ctx context.Context) error
}

// WallStepper is implemented by a [Timers] with a clock that a test can set.
type WallStepper interface {
	// StepWall moves the wall clock by the given duration, but not the monotonic clock.
	StepWall(by time.Duration)
}

// Factory returns a new instance of the implementation under test.
type Factory func() (Timers, error)
