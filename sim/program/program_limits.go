package program

// Limits of the work that a program needs. Exceeding one is an error that names it.
const (
	RunsAtOnceMax = 100000  // runs of a repeating timer that can fall due in one tick of a lane
	ExpiriesMax   = 1 << 28 // runs of all timers up to until, according to the plan
	TickEventsMax = 1 << 27 // events of one lane in one tick, by Program.Estimate
	TickVisitsMax = 1 << 24 // visits by one lane in one tick of slots that come round again, after a stall
	TickWorkMax   = 1 << 32 // slots visited and timers touched by one lane in one tick
)
