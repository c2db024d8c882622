package wheel

// Rescheduler is implemented by wheels that can change the due tick of a pending timer at a lower cost than Cancel
// and Schedule.
type Rescheduler interface {
	Wheel

	// Reschedule changes the due tick of t to due, or to Now+1 if due is not later than Now, and returns the tick. The
	// handle stays valid. If the present slot of t is visited no later than that, the timer may stay in it: the visit
	// then moves it to another slot. Reschedule returns false, and changes nothing, if t is not scheduled or cannot
	// be rescheduled (it repeats, is being observed by a log, or due is beyond the range of the wheel).
	Reschedule(t Timer, due Tick) (Tick, bool)

	// Due returns the due tick of t, and false if t is not scheduled.
	Due(t Timer) (Tick, bool)

	// Compact releases some of the memory that the timers do not need, and reports whether another call may release
	// more.
	Compact() (more bool)
}

// ShareMax is the number of ticks after Now up to which a wheel that implements Rescheduler holds every timer.
const ShareMax Tick = 1 << 36

// NeverEarly is implemented by wheels that can guarantee that no timer fires before its due tick.
// Drivers assume that any other wheel may fire timers early.
type NeverEarly interface {
	Wheel
	// NeverEarly reports whether no timer fires before its due tick. The result depends only
	// on the parameters of the wheel.
	NeverEarly() bool
}
