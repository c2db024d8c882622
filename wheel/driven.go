package wheel

// What a driver may find of a wheel beside Wheel itself: the ways in which the
// published code depends on what drives it.

// TickCounter is a wheel that counts the ticks it is given and never reads a
// clock, as a loop over a time.Ticker does.
type TickCounter interface {
	Wheel
	// Resume is Advance after the driver stood still since Now: of the ticks that
	// have gone by one waits in the ticker and is worked at `to`, the others are
	// lost for good.
	Resume(to Tick, fired []Expiry) ([]Expiry, Status)
}

// CallTimeSetter is a wheel whose published code is told delays, or reads the time when it
// is called, and so knows nothing of a driver that stands still.
type CallTimeSetter interface {
	// SetCallTime tells at which tick the calls that follow are made: later than Now where
	// the driver stands still.
	SetCallTime(at Tick)
}

// HandClock is a wheel whose hand need not stand where Now says.
type HandClock interface {
	// HandTime is the tick at which a hand that never stood still would stand where
	// this one does.
	HandTime() Tick
}

// WallClockSetter is a wheel whose published code reads the wall clock.
type WallClockSetter interface {
	// MoveWallClock tells that the wall clock was set: on by `by` base ticks, or back.
	// In all it is never off by more than TickMax/2.
	MoveWallClock(by Tick)
}

// Remover is a wheel whose published code removes a timer without looking
// whether it is there.
type Remover interface {
	// Remove is Cancel as published: of a timer that has ended, here known by its
	// key, it is a finding.
	Remove(t Timer, key uint32) bool
}

// ReplayCoster is a wheel whose replay takes far longer than its cost tells.
type ReplayCoster interface {
	// ReplayCost is how much longer, in timers touched, all that was done so far took.
	ReplayCost() int64
}

// Keyed is a wheel that knows timers by a name of the caller's, the key of a task,
// so that two timers of one name are not independent of each other.
type Keyed interface {
	Wheel
	// ScheduleAs is Schedule of a timer called name.
	ScheduleAs(name string, s Spec) (Timer, int, error)
	// Replace tells that the timer is to be replaced by the next one scheduled,
	// which has its name. It returns what Cancel returns.
	Replace(t Timer) bool
}

// SelfWaking is a wheel that its reference drives by a delay queue, not by ticks:
// what a Schedule has put into the past is due within the same tick. The driver
// calls Advance(Now()) after an operation where Next is not after Now.
type SelfWaking interface {
	Wheel
	WakesItself()
}

// Interleaver is a wheel in whose own work operations can get in between.
type Interleaver interface {
	Wheel
	// Hold tells, before an Advance, whether an operation comes at this tick
	// before the wheel's own goroutine has gone on.
	Hold(more bool)
}
