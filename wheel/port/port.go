// Package port defines the interfaces between a driver, such as package sim/engine, and wheels whose published code
// depends on how it is driven: on a ticker, on the caller's clock, on what other goroutines do. A driver checks for them
// with type assertions. The packages below reproduce small libraries with their faults; the wheels of package kafka and
// the wheel on Redis implement some of these interfaces, too.
package port

import "github.com/wheelscope/wheelscope/wheel"

// TickCounter is implemented by wheels that do not catch up tick by tick after a stall of the driver. Some count the
// ticks they receive, like a loop that receives from a time.Ticker; others read the clock once when they run again.
type TickCounter interface {
	wheel.Observable
	// Resume is called instead of Advance when the driver continues after a stall that began at Now
	// and ended at the given tick. If the published code loses ticks during a stall, Resume
	// processes only the one tick that a time.Ticker would have buffered. If it reads the clock, Resume
	// processes the given tick only. Otherwise, it processes all ticks of the stall. Like Advance, Resume appends an Expiry to fired for each run that
	// fires, and returns the extended slice.
	Resume(to wheel.Tick, fired []wheel.Expiry) ([]wheel.Expiry, wheel.Status)
}

// CallTimeSetter is implemented by wheels whose published code computes the time of a call in the
// caller's goroutine. That time is correct even while the goroutine that drives the wheel is
// stalled.
type CallTimeSetter interface {
	// SetCallTime sets the tick at which subsequent calls to the wheel's methods take place. While
	// the driver is stalled, this tick is later than Now.
	SetCallTime(at wheel.Tick)
}

// CreationSetter is implemented by wheels in which the time at which a timer was created affects its slot.
type CreationSetter interface {
	// SetCreated sets the tick, by the wall clock, at which the next timer to be scheduled was created. Without it,
	// that is the time of the call.
	SetCreated(at wheel.Tick)
}

// HandClock is implemented by wheels whose hand can lag behind Now.
type HandClock interface {
	// HandTime returns the tick at which the hand would have reached its current position
	// if it had never been stalled.
	HandTime() wheel.Tick
}

// WallClockSetter is implemented by wheels whose published code reads the wall clock.
type WallClockSetter interface {
	// MoveWallClock sets the wall clock forward by the given number of base ticks, or back if the
	// number is negative. The total adjustment must not exceed wheel.TickMax/2 in either direction.
	MoveWallClock(by wheel.Tick)
}

// Resetter is implemented by wheels whose published code resets a timer in one operation, which differs from a cancel and
// a schedule.
type Resetter interface {
	// Reset is like Schedule, but the new timer replaces t, which is cancelled first. It does so even if t was cancelled
	// before, as long as the structure still holds it.
	Reset(t wheel.Timer, s wheel.Spec) (wheel.Timer, int, error)
}

// Remover is implemented by wheels whose published code removes a timer without checking that it exists.
type Remover interface {
	// Remove is like Cancel, but follows the published code: if t is the handle of a timer that
	// has fired for the last time or was cancelled, it emits a finding with the given timer key.
	// It returns what Cancel would return.
	Remove(t wheel.Timer, key uint32) bool
}

// ReplayCoster is implemented by wheels that take longer to replay than their counted cost
// suggests.
type ReplayCoster interface {
	// ReplayCost returns how much longer a replay from the start to Now takes than the work counted
	// by Cost, in units of the time needed to touch one timer.
	ReplayCost() int64
}

// Keyed is implemented by wheels that identify timers by a name that the caller chooses, so that
// two timers with the same name affect each other.
type Keyed interface {
	wheel.Observable
	// ScheduleAs is like Schedule, for a timer with the given name.
	ScheduleAs(name string, s wheel.Spec) (wheel.Timer, int, error)
	// Replace announces that the next timer to be scheduled has the same name as t, which it
	// therefore replaces. Like Cancel, Replace returns false if t is not scheduled.
	Replace(t wheel.Timer) bool
}

// SelfWaking is implemented by wheels whose published code is driven by a delay queue instead
// of ticks: a timer scheduled for the past fires within the same tick. If Next returns Now after
// an operation, the driver must call Advance with Now as the target tick.
type SelfWaking interface {
	wheel.Observable
	// WakesItself is a no-op that marks a wheel as SelfWaking.
	WakesItself()
}

// Interleaver is implemented by wheels that process a slot in several steps. An operation can occur
// between two steps, as in published code that does not hold a lock.
type Interleaver interface {
	wheel.Observable
	// Hold allows Advance to continue after it has returned between two steps. If more is true,
	// Advance returns again after its next step, so that the driver can perform another operation.
	// If more is false, Advance performs all remaining steps.
	Hold(more bool)
}
