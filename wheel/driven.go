package wheel

// Interfaces that a wheel may implement besides Wheel: the ways in which published code
// depends on what drives it. A driver asks for them with a type assertion.

// TickCounter is a wheel that counts the ticks it is given and never reads a
// clock, as a loop over a time.Ticker does.
type TickCounter interface {
	Wheel
	// Resume is Advance after the driver was stopped since Now: of the ticks that
	// have passed, one waits in the ticker and is processed at `to`; the others are
	// lost.
	Resume(to Tick, fired []Expiry) ([]Expiry, Status)
}

// CallTimeSetter is a wheel whose published code takes delays, or reads the time when it is
// called, and so does not depend on whether its driver is stopped.
type CallTimeSetter interface {
	// SetCallTime sets the tick at which the following calls are made, which is later than
	// Now if the driver is stopped.
	SetCallTime(at Tick)
}

// HandClock is a wheel whose hand need not be at Now.
type HandClock interface {
	// HandTime returns the tick at which a hand that was never stopped would be where
	// this one is.
	HandTime() Tick
}

// WallClockSetter is a wheel whose published code reads the wall clock.
type WallClockSetter interface {
	// MoveWallClock says that the wall clock was set: forward by `by` base ticks, or back
	// if that is negative. The sum is never more than TickMax/2 in either direction.
	MoveWallClock(by Tick)
}

// Remover is a wheel whose published code removes a timer without a check that it is there.
type Remover interface {
	// Remove is Cancel as published. For a timer that has ended, which is known by its
	// key, it emits a finding.
	Remove(t Timer, key uint32) bool
}

// ReplayCoster is implemented by wheels that take longer to replay than their counted cost
// suggests.
type ReplayCoster interface {
	// ReplayCost returns the additional time of everything done so far, in timers touched.
	ReplayCost() int64
}

// Keyed is a wheel that knows timers by a name given by the caller, the key of a task, so
// that two timers of one name depend on each other.
type Keyed interface {
	Wheel
	// ScheduleAs is Schedule for a timer called name.
	ScheduleAs(name string, s Spec) (Timer, int, error)
	// Replace says that the next timer scheduled has the name of t and replaces it. It
	// returns what Cancel returns.
	Replace(t Timer) bool
}

// SelfWaking is a wheel whose reference is driven by a delay queue, not by ticks: a timer
// that is scheduled for the past is due within the same tick. The driver calls
// Advance(Now()) after an operation if Next is not after Now.
type SelfWaking interface {
	Wheel
	// WakesItself does nothing; it marks the wheel.
	WakesItself()
}

// Interleaver is a wheel whose work is done in steps, between which operations can come.
type Interleaver interface {
	Wheel
	// Hold says, before an Advance, whether an operation comes at this tick before the
	// wheel's own goroutine continues.
	Hold(more bool)
}
