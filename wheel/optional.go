package wheel

// Rescheduler is implemented by wheels that can change the due tick of a pending timer at a lower cost than Cancel
// and Schedule.
type Rescheduler interface {
	Wheel

	// Reschedule changes the due tick of t to due, or to Now+1 if due is not later than Now, and returns the new due
	// tick. The handle stays valid. A timer that is postponed may stay in its slot, whose visit then moves it to the slot
	// of its due tick. Reschedule returns false, and changes nothing, if t is not scheduled or cannot be rescheduled: it
	// repeats, or the wheel has a log.
	Reschedule(t Timer, due Tick) (Tick, bool)

	// Due returns the due tick of t, and false if t is not scheduled.
	Due(t Timer) (Tick, bool)

	// Compact moves postponed timers to the slots of their due ticks and releases memory that live timers do not need.
	// Each call does part of the work, on several hundred timers or slots, and reports whether more remains.
	Compact() (more bool)
}

// NeverEarly is implemented by wheels that can guarantee that no timer fires before its due tick.
// Drivers assume that any other wheel may fire timers early.
type NeverEarly interface {
	Wheel
	// NeverEarly reports whether no timer fires before its due tick. The result depends only
	// on the parameters of the wheel.
	NeverEarly() bool
}
