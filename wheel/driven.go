package wheel

// Interfaces that a wheel may implement besides Wheel: the ways in which published code
// depends on what drives it. A driver asks for them with a type assertion.

// TickCounter is implemented by wheels that count the ticks they receive and never read a
// clock, like a loop over a time.Ticker.
type TickCounter interface {
	Wheel
	// Resume is Advance after a pause of the driver since Now. Of the ticks that have
	// passed, the one that waits in the ticker is processed at `to`; the others are
	// lost.
	Resume(to Tick, fired []Expiry) ([]Expiry, Status)
}

// CallTimeSetter is implemented by wheels whose published code takes delays, or reads the time
// when it is called. Such a call does not depend on whether the driver is stopped.
type CallTimeSetter interface {
	// SetCallTime sets the tick at which the following calls are made, which is later than
	// Now if the driver is stopped.
	SetCallTime(at Tick)
}

// HandClock is implemented by wheels whose hand need not be at Now.
type HandClock interface {
	// HandTime returns the tick at which a hand that had never been stopped would be at
	// the current position of this hand.
	HandTime() Tick
}

// WallClockSetter is implemented by wheels whose published code reads the wall clock.
type WallClockSetter interface {
	// MoveWallClock sets the wall clock forward by `by` base ticks, or back if `by` is
	// negative. The sum of all calls never exceeds TickMax/2 in either direction.
	MoveWallClock(by Tick)
}

// Remover is implemented by wheels whose published code removes a timer without checking it.
type Remover interface {
	// Remove is Cancel as published. If the timer, which is identified by its key, has
	// ended, Remove emits a finding.
	Remove(t Timer, key uint32) bool
}

// ReplayCoster is implemented by wheels that take longer to replay than their counted cost
// suggests.
type ReplayCoster interface {
	// ReplayCost returns the additional time of everything done so far, in timers touched.
	ReplayCost() int64
}

// Keyed is implemented by wheels that identify timers by a name given by the caller, so that
// two timers of one name depend on each other.
type Keyed interface {
	Wheel
	// ScheduleAs is Schedule for a timer with the given name.
	ScheduleAs(name string, s Spec) (Timer, int, error)
	// Replace announces that the next scheduled timer has the name of t and replaces it.
	// It returns what Cancel returns.
	Replace(t Timer) bool
}

// SelfWaking is implemented by wheels whose reference is driven by a delay queue instead of
// ticks: a timer that is scheduled for the past is due within the same tick. The driver calls
// Advance(Now()) after an operation if Next is not after Now.
type SelfWaking interface {
	Wheel
	// WakesItself does nothing; it marks the wheel.
	WakesItself()
}

// Interleaver is implemented by wheels that work in steps, between which operations can occur.
type Interleaver interface {
	Wheel
	// Hold sets, before an Advance, whether an operation occurs at this tick before the
	// wheel's own goroutine continues.
	Hold(more bool)
}
