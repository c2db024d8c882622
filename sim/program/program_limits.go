package program

// Limits of the work of a program. If a program exceeds a limit, the error names the limit.
const (
	RunsAtOnceMax = 100000  // maximum number of runs of one repeating timer that are due in one tick of a lane
	ExpiriesMax   = 1 << 28 // maximum number of runs of all timers up to until, according to the plan
	TickEventsMax = 1 << 27 // maximum number of events of one lane in one tick, by Program.Estimate
	TickVisitsMax = 1 << 24 // maximum number of slot visits of one lane in one tick when it catches up after a stall
	TickWorkMax   = 1 << 32 // maximum number of slot visits and touched timers of one lane in one tick
)
