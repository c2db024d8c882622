package wheel

// This file has the optional interfaces of a wheel whose published code depends on the driver.
// A driver checks for them with a type assertion.

// TickCounter is implemented by wheels that do not read a clock but count the ticks they receive,
// like a loop that receives from a time.Ticker.
type TickCounter interface {
	Wheel
	// Resume is called instead of Advance after the driver was stopped from Now to tick `to`. The
	// ticker buffered one tick in that time, which Resume processes at `to`. The other ticks are
	// lost.
	Resume(to Tick, fired []Expiry) ([]Expiry, Status)
}

// CallTimeSetter is implemented by wheels whose published code computes the time of a call in the
// caller's goroutine. The result of such a call does not depend on whether the goroutine that
// drives the wheel is stalled.
type CallTimeSetter interface {
	// SetCallTime sets the tick at which the following calls of the wheel's methods are made. It is
	// later than Now if the driver is stopped.
	SetCallTime(at Tick)
}

// HandClock is implemented by wheels whose hand can lag behind Now.
type HandClock interface {
	// HandTime returns the tick at which the hand would have reached its current position
	// if it had never been stopped.
	HandTime() Tick
}

// WallClockSetter is implemented by wheels whose published code reads the wall clock.
type WallClockSetter interface {
	// MoveWallClock sets the wall clock forward by `by` base ticks, or back if `by` is
	// negative. The sum of all calls must not exceed TickMax/2 in either direction.
	MoveWallClock(by Tick)
}

// Remover is implemented by wheels whose published code removes a timer without a check that it exists.
type Remover interface {
	// Remove is like Cancel, but follows the published code: if t has ended, it emits a
	// finding about the given key.
	Remove(t Timer, key uint32) bool
}

// ReplayCoster is implemented by wheels that take longer to replay than their counted cost
// suggests.
type ReplayCoster interface {
	// ReplayCost returns the extra time that a replay up to Now takes. The unit is the time that
	// touching one timer takes.
	ReplayCost() int64
}

// Keyed is implemented by wheels that identify timers by a name that the caller chooses, so that
// two timers with the same name affect each other.
type Keyed interface {
	Wheel
	// ScheduleAs is like Schedule, for a timer with the given name.
	ScheduleAs(name string, s Spec) (Timer, int, error)
	// Replace announces that the timer that is scheduled next has the name of t, and therefore
	// replaces t. Like Cancel, it returns false if t is not scheduled.
	Replace(t Timer) bool
}

// SelfWaking is implemented by wheels whose published code is driven by a delay queue instead
// of ticks: a timer scheduled for the past fires within the same tick. After each operation the
// driver must call Advance with Now as its target if Next returns Now.
type SelfWaking interface {
	Wheel
	// WakesItself does nothing. It only marks the wheel as SelfWaking.
	WakesItself()
}

// Interleaver is implemented by wheels that work in steps, between which operations can occur.
type Interleaver interface {
	Wheel
	// Hold sets whether the next call of Advance returns after one step, so that the driver can
	// call an operation before the wheel continues.
	Hold(more bool)
}
