package wheel

import (
	"errors"
	"math"
)

// Tick is a point in virtual time or a duration, in base ticks. The caller chooses the length of a
// base tick.
type Tick = int64

// TickMax is the largest tick. It has 62 bits, so the sum of any two ticks fits in an int64.
const TickMax Tick = 1<<62 - 1

// Timer is a handle to a scheduled timer. It consists of an index into the wheel's table of timers
// and the generation of that table entry. The generation changes when the timer ends, so a stale
// handle can be detected. The zero Timer refers to no timer.
type Timer struct {
	index uint32
	gen   uint32
}

// IsZero reports whether t is the zero Timer, which refers to no timer.
func (t Timer) IsZero() bool { return t == Timer{} }

// PlaceKey is a special value of Spec.Key: the key of the timer is then the Index of its handle. A
// caller can keep data about timers in a table indexed by such keys. The table needs about as many
// entries as the largest number of timers that were live at the same time.
const PlaceKey uint32 = math.MaxUint32

// Spec describes a timer to be scheduled.
type Spec struct {
	Due     Tick   // absolute base tick; may be in the past
	Key     uint32 // number that identifies the timer in Expiry; must not be 0; the wheel chooses it if it is PlaceKey
	Every   Tick   // base ticks between the due ticks of two consecutive runs; if 0 or less, the timer fires once
	Times   int32  // number of runs if Every > 0; -1 means unlimited, and 0 means 1
	Created Tick   // tick at which the timer was created; used only by the lk668 algorithm
}

// Expiry is one run of a timer that has fired.
type Expiry struct {
	Due Tick   // due tick of this run, not rounded to a slot
	Key uint32 // key of the timer; see Spec.Key
	Run uint32 // number of the run, 1 for the first
}

// Errors returned by Schedule if a timer is rejected.
var (
	ErrRange    = errors.New("wheel: due beyond the range of the wheel")
	ErrCapacity = errors.New("wheel: the algorithm can hold no more live timers")
	ErrPast     = errors.New("wheel: due in the past")
	ErrFault    = errors.New("wheel: the published rule fails on this timer")
	ErrKey      = errors.New("wheel: the key of a timer is 0, or PlaceKey is not allowed here")
)

// Status is the reason why Advance returned.
type Status uint8

const (
	Done    Status = iota // the clock has reached the target tick
	Budget                // the budget was used up; call Advance again to continue
	Stuck                 // the wheel has stopped because of a fault of its published rule; its clock no longer moves
	Aborted               // the Hook returned false: the wheel must be discarded
)

// A Wheel implements a timer algorithm. Its methods must not be called concurrently.
type Wheel interface {
	// Schedule schedules a timer and returns its handle. runs is the number of runs of the timer
	// that are already due; their due ticks are Due, Due+Every, and so on. Advance does not
	// return these runs, so the caller must execute them immediately. If the timer
	// has no other runs, the handle is zero.
	//
	// The error is ErrRange, ErrCapacity, ErrPast or ErrFault if the timer or its next run is
	// rejected, ErrAborted if the Hook has aborted the call, and ErrKey if the key is 0. In the
	// last case no event is emitted.
	Schedule(Spec) (t Timer, runs int, err error)

	// Cancel cancels a timer. It returns false if the timer has fired for the last time,
	// was cancelled before, or never existed.
	Cancel(Timer) bool

	// Armed reports whether Cancel would return true.
	Armed(Timer) bool

	// Advance moves the clock forward to the given tick. It processes the ticks in order, skipping
	// empty slots, and appends an Expiry to fired for each run that fires. It calls no callbacks. A
	// repeating timer is scheduled again right after each expiry.
	//
	// Advance returns Budget if work remains when the number of slots visited and timers
	// touched in this call reaches budget. It then returns at the end of a tick or, in some
	// wheels, within one. A budget of 0 means no limit. If to is before Now, Advance does
	// nothing. If to is after TickMax, Advance moves the clock to TickMax.
	Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status)

	// Next returns the earliest tick at which Advance may have work to do. It returns false if the
	// wheel has no further work.
	Next() (Tick, bool)

	// Now returns the tick that Advance has reached.
	Now() Tick

	// Len returns the number of live timers: those that are scheduled and not cancelled.
	Len() int

	// Layout returns the levels of the wheel and the shape in which they are drawn.
	Layout() Layout

	// AppendState appends the levels of the wheel and its occupied places to s, and sets s.Counts
	// and s.Live. It includes at most limit timers of each place, starting with the first, or all
	// of them if limit is AllEntries.
	AppendState(s *State, limit int)

	// Clone returns an independent copy, without a log or a hook.
	Clone() Wheel

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
