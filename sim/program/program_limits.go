package program

// Limits of the work of a program. If a program exceeds a limit, the error names the limit.
const (
	RunsAtOnceMax = 100000  // runs of one repeating timer that can be due in one tick of a lane
	ExpiriesMax   = 1 << 28 // runs of all timers up to until, according to the plan
	TickEventsMax = 1 << 27 // events of one lane in one tick, by Program.Estimate
	TickVisitsMax = 1 << 24 // slot visits of one lane in one tick when it catches up after a stall
	TickWorkMax   = 1 << 32 // slot visits and touched timers of one lane in one tick
)
