// Package wheeltest examines timers: any implementation that can call a function later
// and be told not to. It is to timer libraries what testing/fstest is to file systems.
//
//	func TestMine(t *testing.T) {
//		wheeltest.Run(t, func() (wheeltest.Timers, error) { return newMine() })
//	}
//
// The properties (see [Properties]) come from faults that were found in timer libraries
// in use: timers that fire early, a Stop that reports success and is not heeded, a
// deadlock when a timer is reset into its own slot, ticks that are counted and never made
// up, and so on; and random operations are held against a model. Each property runs in
// a process of its own, the test binary started again, so that a hang, a panic in another
// goroutine or a race ends that property and no other.
//
// A property runs in the false time of testing/synctest where the implementation allows
// that (it does if it reads package time only and blocks on channels, timers and
// sync.Cond), and in real time where not. What is about real time (a process that was
// stopped, drift, contention) always runs in real time.
//
// A property that fails says so in a sentence, with the operations that show it, random
// ones cut down to the fewest that still fail; they are also written as a scenario
// that Wheelscope opens (`wheelscope run FILE`, or dropped on the page).
//
// Start reading here, then run.go (the parent), child.go (the process that is examined),
// exam.go (what a property has at hand) and the properties, by subject: arithmetic.go,
// cancel.go, keyed.go, repeats.go, callbacks.go, life.go, contention.go, random.go.
package wheeltest

import (
	"context"
	"time"
)

// Handle is what an implementation gives for a timer it has armed.
type Handle any

// Timers is what is examined. Its methods are called by many goroutines at once, and
// from callbacks.
type Timers interface {
	// AfterFunc has f called once, d from now: at once when d is 0 or less.
	AfterFunc(d time.Duration, f func()) (Handle, error)
	// Stop takes a timer out. True means that its function has not been and will not be
	// called; false that it has been, that it will be at any moment, or that the timer
	// was stopped before.
	Stop(h Handle) bool
	// Pending is how many timers are armed, Unknown where that can't be told.
	Pending() int
	// Tick is the resolution, longer than 0: a timer may be late by so much.
	Tick() time.Duration
	// Close ends all. No function is called from then on, AfterFunc gives an error or a
	// timer that never fires, and no method blocks.
	Close()
}

// Unknown is what Pending gives where that can't be told.
const Unknown = -1

// Resetter is implemented by timers whose due time can be changed.
type Resetter interface {
	// Reset has the function called d from now, whether or not it has been called or the
	// timer was stopped.
	Reset(h Handle, d time.Duration) error
}

// Keyed is implemented by timers that have names.
type Keyed interface {
	// Set arms a timer in the place of the one of that key, if there is one.
	Set(key string, d time.Duration, f func()) error
	// Remove takes a timer out, and says whether there was one, as Stop does.
	Remove(key string) bool
}

// Mover is implemented by keyed timers whose due time can be changed.
type Mover interface {
	// Move has the function of a key called d from now. A key that is not there is no
	// error.
	Move(key string, d time.Duration) error
}

// Repeater is implemented by timers that fire again and again.
type Repeater interface {
	// Every has f called each d, times times in all, for ever if that is -1.
	Every(d time.Duration, times int, f func()) (Handle, error)
}

// Drainer is implemented by timers that can be emptied and go on.
type Drainer interface {
	Drain()
}

// Shutdowner is implemented by timers whose end waits for the functions that are running.
type Shutdowner interface {
	// Shutdown is Close that waits for them, unless it is called by one of them, or until
	// ctx is done.
	Shutdown(ctx context.Context) error
}

// StopWaiter is implemented by timers that can be stopped so that the function is not
// running afterwards.
type StopWaiter interface {
	// StopWait is Stop that waits until the function has returned, unless it is called by it,
	// or until ctx is done.
	StopWait(ctx context.Context, h Handle) (bool, error)
}

// WallStepper is implemented by timers that are given a clock which the examination
// may set: StepWall moves the wall clock, and leaves the monotonic one alone.
type WallStepper interface {
	StepWall(by time.Duration)
}

// Factory makes what is examined, anew for each property.
type Factory func() (Timers, error)
