package wheel

// Stager is implemented by wheels that can schedule a timer in two steps: Stage admits it and
// returns its handle, Place puts it into its slot later. A driver can then read the clock once for
// several timers, and correct their due ticks when it calls Place. A timer that is cancelled
// between the two steps is never put into a slot.
type Stager interface {
	Wheel

	// Stages reports whether the wheel supports Stage: it must have a slot for every timer
	// due at most StageMax after Now, even if Place delays it by another StageMax.
	Stages() bool

	// Stage admits the timer described by s, which must be due in (Now, Now+StageMax]. The
	// timer can be cancelled and counts as live, but is in no slot: Advance, Next and
	// AppendState do not include it. The wheel must have no log. Stage returns ErrCapacity or,
	// if the hook has returned false, ErrAborted.
	Stage(s Spec) (Timer, error)

	// Place delays the due tick of staged timer t by `by` ticks, 0 to StageMax, and puts the
	// timer into its slot. It must be called before the next Advance. It does nothing if t is
	// stale or the timer is already in a slot.
	Place(t Timer, by Tick)
}

// StageMax is the longest delay of a staged timer: about two years of ticks of 1 ms.
const StageMax Tick = 1 << 36
