package program

// Limits of the work of a program. If a program exceeds a limit, the error names the limit.
const (
	RunsAtOnceMax = 100000  // maximum number of runs of one repeating timer that can be due in one tick of a lane
	ExpiriesMax   = 1 << 28 // maximum number of runs of all repeating timers up to the end of the scenario if none is cancelled
	TickEventsMax = 1 << 27 // maximum number of events of one lane in one tick, as estimated by Program.Estimate
	TickVisitsMax = 1 << 24 // maximum number of slots that one lane visits in one tick when it catches up after a stall
	TickWorkMax   = 1 << 32 // maximum number of slots visited and timers touched by one lane in one tick
)
