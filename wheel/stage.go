package wheel

// Stager is a wheel that can schedule a timer in two steps: Stage admits it and returns its
// handle, Place puts it into its slot later. A driver that schedules several timers with one
// clock read, which is a little early, corrects their due ticks as it places them; and a
// timer that is cancelled before that is never put into a slot.
type Stager interface {
	Wheel

	// Stages reports whether the wheel has a slot for every timer that is due at most
	// StageMax after Now, even if Place puts it off by as much again.
	Stages() bool

	// Stage admits a timer that is due after Now, by at most StageMax. The timer can be
	// cancelled and counts as live, but is in no slot: Advance, Next and AppendState do not
	// see it. The only errors are ErrCapacity and, if the hook has returned false,
	// ErrAborted. Stage is for wheels without a log.
	Stage(s Spec) (Timer, error)

	// Place puts a staged timer into its slot, with its due tick put off by `by` ticks, from
	// 0 to StageMax. It must be called before the next Advance. It does nothing if the handle
	// is stale or the timer has its slot.
	Place(t Timer, by Tick)
}

// StageMax is how far after Now a staged timer may be due: two years of milliseconds.
const StageMax Tick = 1 << 36
