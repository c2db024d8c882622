package wheel

// Stager is implemented by wheels that can schedule a timer in two steps: Stage admits the timer
// and returns its handle, and Place puts it into its slot later. A driver can thus read the clock
// once for several timers, and correct their due ticks when it calls Place. A timer that is
// cancelled between the two steps is never put into a slot.
type Stager interface {
	Wheel

	// Stages reports whether Stage may be called. It returns true only if the wheel can hold
	// every timer that is due up to 2·StageMax after Now: Stage accepts a timer due up to
	// StageMax after Now, and Place can delay the timer by another StageMax.
	Stages() bool

	// Stage admits the timer described by s, which must be due in (Now, Now+StageMax]. The
	// timer counts as live and can be cancelled, but it is in no slot, so Advance, Next and
	// AppendState ignore it. The wheel must have no log. Stage returns ErrCapacity if there are
	// too many live timers, ErrKey if s.Key is 0, and ErrAborted if the hook has returned false.
	Stage(s Spec) (Timer, error)

	// Place delays the due tick of staged timer t by the given number of ticks, 0 to StageMax,
	// and puts the timer into its slot. It must be called before the next Advance. If the timer
	// is no longer staged, because it was cancelled or is already in a slot, Place does nothing.
	Place(t Timer, by Tick)
}

// StageMax is the maximum number of ticks after Now at which a timer passed to Stage may be due, and the maximum
// delay that Place adds. With ticks of 1 ms it is about two years.
const StageMax Tick = 1 << 36
