package wheel

// Stager is a wheel that can arm a timer in two steps: it is admitted, and has its handle,
// at once, and is given its place later. A driver that arms timers by a reading of the
// clock that is shared, and so a little early, corrects them as it places them; and one that
// is cancelled before that never costs a place.
type Stager interface {
	Wheel

	// Stages says whether the wheel's geometry has a place for every timer that is due no
	// further than StageMax past Now, though it is put off by as much again.
	Stages() bool

	// Stage admits a timer that is due after Now, and by StageMax past it at most. It can be
	// cancelled, counts as live, and stands in no slot: Advance, Next and AppendState know
	// nothing of it. The only errors are ErrCapacity and, when the hook has returned false,
	// ErrAborted. It is for wheels without a log.
	Stage(s Spec) (Timer, error)

	// Place gives a staged timer its place, its due tick put off by `by` ticks, 0 or more, of
	// which StageMax count. It is called before the next Advance. A handle that is stale by
	// now, or has its place, is left alone.
	Place(t Timer, by Tick)
}

// StageMax is how far past Now a staged timer may be due: two years of milliseconds.
const StageMax Tick = 1 << 36
