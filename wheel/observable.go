package wheel

import "errors"

// Observable is implemented by wheels that can be shown, measured, checked and copied, as the laboratory needs. All
// wheels of package algorithms implement it.
type Observable interface {
	Wheel

	// Layout returns the levels of the wheel and the shape in which they are drawn.
	Layout() Layout

	// AppendState appends the levels of the wheel and its occupied places to s, and sets s.Counts
	// and s.Live. It includes at most limit timers of each place, starting with the first, or all
	// of them if limit is AllEntries.
	AppendState(s *State, limit int)

	// Clone returns an independent copy, without a log or a hook.
	Clone() Observable

	// Check verifies every invariant of the structure. It may be called at any
	// time between other calls and costs O(slots + timers).
	Check() error

	// Cost returns the work done so far, counted by the algorithm's own rule as if the wheel had
	// been advanced tick by tick.
	Cost() Cost

	// IdlePeak returns the largest cost of a single tick in (Now, to], and the first tick with that
	// cost. It assumes that no timer is found at those ticks. It returns 0, 0 if every tick in the
	// interval costs nothing.
	IdlePeak(to Tick) (cost int64, at Tick)

	// Observe makes the wheel add its events to log. If log is nil, the wheel emits no events.
	Observe(log *Log)

	// SetHook sets the hook of the wheel. If h is nil, the wheel has no hook. Advance, Schedule
	// and every other method that changes the wheel call h at least once per HookInterval units
	// of work, counted over all calls. Next, AppendState, Check, IdlePeak and Clone do not call
	// h. A copy of the wheel has no hook.
	//
	// If h returns false, the current call returns immediately, and the wheel must be discarded:
	// from then on every Advance returns Aborted, every Schedule ErrAborted, Cancel and Armed
	// return false, and the results of the other methods are undefined.
	SetHook(h Hook)

	// Bytes returns the number of bytes allocated for timers and slots.
	Bytes() int64

	// PackCopies sets whether Clone returns packed copies, which may take less memory. Only the methods Clone, Bytes and
	// Cost of a packed copy may be called, and its Clone returns a copy that is not packed.
	PackCopies(yes bool)
}

// Cost is a count of work in the units used in the analysis by Varghese and Lauck (SOSP 1987).
type Cost struct {
	Slots    int64 // slots examined; in a list or heap, examinations of the head
	Touched  int64 // timers read or written
	Compared int64 // number of comparisons of due ticks, and of levels rejected because their range was too short
	Moved    int64 // timers moved between places
}

// Total returns the sum of the four counters.
func (c Cost) Total() int64 { return c.Slots + c.Touched + c.Compared + c.Moved }

// Sub returns the difference c - d of each counter.
func (c Cost) Sub(d Cost) Cost {
	return Cost{c.Slots - d.Slots, c.Touched - d.Touched, c.Compared - d.Compared, c.Moved - d.Moved}
}

// Level is one array of slots.
type Level struct {
	Level int  // number of the level: 0 is the finest; -1 is a side list or a pending queue
	Slots int  // number of slots; 0 if not fixed, as in a list or a heap
	Width Tick // number of base ticks per slot
}

// Shape selects how a structure is drawn.
type Shape string

const (
	ShapeRing Shape = "ring"
	ShapeList Shape = "list"
	ShapeHeap Shape = "heap"
	// ShapeSlices is the shape of a wheel on Redis, which is drawn as one sorted set per minute. A slot number
	// of level 0 is a Unix time in seconds.
	ShapeSlices Shape = "slices"
)

// Layout describes how to draw a wheel: its levels, finest first, then a side list if there is one.
type Layout struct {
	Shape  Shape
	Arity  int // maximum number of children of a heap node; 0 if the wheel is not a heap
	Levels []Level
	// FromStart reports whether slot 0 begins at the wheel's start tick, so that the hand starts at
	// slot 0. Otherwise slot 0 begins at tick 0.
	FromStart bool
}

// Hook is a function that a wheel calls while it works, so that a driver can interrupt it. A Hook
// may block, for example until the driver may use the CPU again. If it returns false, the wheel
// aborts the current call. A Hook must not call the wheel.
type Hook func() bool

// HookInterval is the maximum number of units of work between two calls to a wheel's Hook. A unit
// is one timer touched, compared or moved, one run that fires, one event that is logged, or one
// wheel tick with work.
const HookInterval = 1024

// ErrAborted is returned by Schedule if the wheel's Hook has returned false.
var ErrAborted = errors.New("wheel: aborted by its hook")
