package wheel

// Stager is implemented by wheels that can schedule a timer in two steps: Stage admits it and
// returns its handle, Place puts it into its slot later. A driver that schedules several timers
// with one clock read, which is slightly early, corrects their due ticks in Place. A timer
// that is cancelled between the two steps is never put into a slot.
type Stager interface {
	Wheel

	// Stages reports whether the wheel has a slot for every timer that is due at most
	// StageMax after Now, even if Place delays it by another StageMax.
	Stages() bool

	// Stage admits a timer that is due after Now, by at most StageMax. The timer can be
	// cancelled and counts as live, but is in no slot: Advance, Next and AppendState do not
	// include it. The only errors are ErrCapacity and, if the hook has returned false,
	// ErrAborted. The wheel must have no log.
	Stage(s Spec) (Timer, error)

	// Place puts a staged timer into its slot, with its due tick delayed by `by` ticks, from
	// 0 to StageMax. It must be called before the next Advance. It does nothing if the handle
	// is stale or the timer is already in a slot.
	Place(t Timer, by Tick)
}

// StageMax bounds how far after Now a staged timer may be due: 2^36 ms are about two years.
const StageMax Tick = 1 << 36
