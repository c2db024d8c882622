package program

// Limits of the work of a program. A program that exceeds one of the first two is refused when it is planned; a lane
// that exceeds one of the others stops.
const (
	RunsAtOnceMax = 100000    // maximum number of runs of one repeating timer that can be due in one tick of a lane
	ExpiriesMax   = 1 << 28   // maximum number of runs of all repeating timers up to the end of the scenario if none is cancelled
	TickEventsMax = 1 << 27   // maximum number of events of one lane in one tick, counted while the lane runs
	TickVisitsMax = 5_000_000 // maximum number of slots that one lane visits in one tick, as after a stall
	TickWorkMax   = 1 << 32   // maximum work of one lane in one tick, in the units of wheel.HookInterval
)
