package wheel

import (
	"errors"
	"math"
)

// Tick counts base ticks of virtual time. How long one is, the caller says.
type Tick = int64

// TickMax bounds every tick: times fit 62 bits, so that the sum of any two of
// them fits an int64.
const TickMax Tick = 1<<62 - 1

// Timer is a handle on a scheduled timer: an index into the wheel's arena and
// the generation of that place, so that a stale handle is recognised. The zero
// Timer is none.
type Timer struct {
	index uint32
	gen   uint32
}

// IsZero reports whether t is the handle of no timer.
func (t Timer) IsZero() bool { return t == Timer{} }

// PlaceKey as the Key of a Spec stands for the Index of the timer's handle. A caller that
// keeps data for every timer finds it by that number, in a table that is no longer than
// the largest number of timers that were live at once.
const PlaceKey uint32 = math.MaxUint32

// Spec is a timer to be scheduled.
type Spec struct {
	Due     Tick   // absolute base tick; may lie in the past
	Key     uint32 // the caller's name for the timer, returned when it fires; not 0. See PlaceKey
	Every   Tick   // distance between runs, counted from due to due; 0 or less: once
	Times   int32  // runs in all when Every > 0; -1: for ever, 0 as 1
	Created Tick   // for algorithms that spread by creation time
}

// Expiry is one run of a timer that fired.
type Expiry struct {
	Due Tick   // the tick it was due at, not rounded to a slot
	Key uint32 // of its Spec
	Run uint32 // 1 for the first run
}

// Reasons for which a wheel refuses a timer. Schedule returns one of them.
var (
	ErrRange    = errors.New("wheel: due past the wheel's reach")
	ErrCapacity = errors.New("wheel: more live timers than the algorithm admits")
	ErrPast     = errors.New("wheel: due in the past")
	ErrFault    = errors.New("wheel: the published rule fails on this timer")
	ErrKey      = errors.New("wheel: the key of a timer is 0, or has no place to be the number of")
)

// Status says why Advance returned.
type Status uint8

const (
	Done    Status = iota // the clock is at `to`
	Budget                // the budget ran out; call again to go on
	Stuck                 // the published rule can't go on: the wheel does not move any more
	Aborted               // the Hook returned false: the wheel is of no more use
)

// Wheel is one timer algorithm. Its methods are never called concurrently.
type Wheel interface {
	// Schedule arms a timer. runs counts the runs that were due already by the
	// wheel's own clock and are the caller's to carry out now; their dues are
	// Due, Due+Every, …. Advance does not return these runs, so a caller that ignores
	// the count loses a timer that is due already: see Deliverer. The handle is zero when nothing stays armed.
	// The error is ErrRange, ErrCapacity, ErrPast or ErrFault when the timer (or its next
	// run) was refused, ErrAborted when the wheel's Hook abandoned the call. It is ErrKey if
	// the key is 0; no event is emitted then.
	Schedule(Spec) (t Timer, runs int, err error)

	// Cancel disarms a timer. It returns false for a timer that has fired for
	// the last time, was cancelled before, or never was.
	Cancel(Timer) bool

	// Armed says whether Cancel would return true.
	Armed(Timer) bool

	// Advance moves the clock to `to` tick by tick, skipping what is empty, and
	// appends what fired, in order, to fired. It never calls back. A repeating
	// timer is armed again right after its expiry. It stops at the end of the
	// tick in which the number of slots visited and timers touched by this call
	// reaches budget (0: no bound), if there is more to do. A `to` before Now is
	// a no-op; one past TickMax means TickMax.
	Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status)

	// Next is the earliest tick at which Advance may have work to do; none, where
	// the wheel stands still for good.
	Next() (Tick, bool)

	// Now is the tick that Advance has reached.
	Now() Tick

	// Len is the number of timers armed.
	Len() int

	// Layout says what there is to draw.
	Layout() Layout

	// AppendState appends every place that is not empty with its first `most`
	// timers in order (AllEntries: all), and the counts.
	AppendState(s *State, most int)

	// Clone returns an independent copy, not observed by anyone.
	Clone() Wheel

	// Check verifies every invariant of the structure. It may be called at any
	// time between other calls and costs O(slots + timers).
	Check() error

	// Cost is the work done so far by the algorithm's own rule, as if it had
	// been driven tick by tick.
	Cost() Cost

	// IdlePeak is the greatest cost that a single tick in (Now, to] has if
	// nothing is met in any of them, and the first tick that has it.
	IdlePeak(to Tick) (cost int64, at Tick)

	// Observe makes the wheel tell log what it does; nil stops that.
	Observe(log *Log)

	// SetHook sets a function that Advance, Schedule and every other method that
	// changes the wheel calls at least once in HookInterval units of work, counted
	// over all calls; nil means none. If it returns false the call ends at once:
	// Advance returns Aborted and Schedule returns ErrAborted. From then on the wheel
	// must be discarded: every Advance returns Aborted, every Schedule ErrAborted,
	// Cancel and Armed return false, and what the other methods return is undefined.
	// Next, AppendState, Check, IdlePeak and Clone don't call it; a copy has no hook.
	SetHook(h Hook)

	// Bytes is the memory held for timers and slots.
	Bytes() int64
}

// Cost counts work in the units of the 1987 paper's analysis.
type Cost struct {
	Slots    int64 // slots examined (or the head of a list or heap)
	Touched  int64 // timer records read or written
	Compared int64 // dues compared, levels found too short
	Moved    int64 // moves between places
}

// Total is the sum of the four counters.
func (c Cost) Total() int64 { return c.Slots + c.Touched + c.Compared + c.Moved }

// Level is one array of slots.
type Level struct {
	Level int  // 0 is the finest; -1 a side list
	Slots int  // 0 where there is no fixed number (a list, a heap)
	Width Tick // base ticks a slot
}

// Shape says how a structure is drawn.
type Shape string

const (
	ShapeRing Shape = "ring"
	ShapeList Shape = "list"
	ShapeHeap Shape = "heap"
	// ShapeSlices is a sorted set a minute: slots of level 0 are seconds since 1970.
	ShapeSlices Shape = "slices"
)

// Layout is what to draw: the levels that exist, finest first, then a side list
// if there is one.
type Layout struct {
	Shape  Shape
	Arity  int // of a heap
	Levels []Level
	// FromStart says that slots are counted from the wheel's start, not from tick 0:
	// the hand is at slot 0 when it begins, whatever the tick.
	FromStart bool
}
