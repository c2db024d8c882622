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
	Due   Tick   // absolute base tick; may be in the past
	Key   uint32 // number that identifies the timer in Expiry; must not be 0; the wheel chooses it if it is PlaceKey
	Every Tick   // base ticks between the due ticks of two consecutive runs; if 0 or less, the timer fires once
	Times int32  // number of runs if Every > 0; -1 means unlimited, and 0 means 1
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

// A Wheel implements a timer algorithm. Its methods must not be called concurrently. See [Observable], [Rescheduler] and
// [NeverEarly] for what some wheels offer in addition.
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
}

// NewTimer returns the handle of a timer. index is the index of the timer in the wheel's table of
// timers, 1 or more. gen is the generation of that table entry, a number that changes each time the
// entry is used for another timer.
func NewTimer(index, gen uint32) Timer { return Timer{index, gen} }

// Index returns the index of the timer in the wheel's table of timers, or 0 if t is the zero Timer.
func (t Timer) Index() uint32 { return t.index }

// Generation returns the generation that the timer's table entry had when t was created. The
// generation of the entry changes when the timer ends, so a stale handle can be detected.
func (t Timer) Generation() uint32 { return t.gen }
