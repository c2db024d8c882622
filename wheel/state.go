package wheel

import "slices"

// Entry describes a timer in a [Place].
type Entry struct {
	ID     uint32 // Spec.Key of the timer
	Run    uint32 // number of the next run, counting from 1
	Due    Tick   // due tick of the next run
	Rounds int64  // rounds left; NoRounds if the algorithm does not count them
	Marked bool   // whether the timer was cancelled but left in place
	Stale  bool   // whether a heap orders the timer by Key instead of by its due tick, because it was reset; see package goruntime
	Key    Tick   // tick by which the heap orders the timer if it is stale; otherwise 0
	Handle Timer  // handle of the timer; undefined in the result of Fold.State, and ignored by State.Equal
}

// Place is a slot, a list or one element of a heap, with its timers in order. A State does not
// include empty places.
type Place struct {
	Level   int8
	Slot    uint32
	Count   int     // number of timers in this place
	Entries []Entry // all timers, or only the first ones; see Observable.AppendState
}

// Bucket is an entry of a delay queue: a slot, identified by Level and Slot, and the tick Due at which the
// slot leaves the queue.
type Bucket struct {
	Level int8
	Slot  uint32
	Due   Tick
}

// Counts holds the totals of a wheel since its creation.
type Counts struct {
	// Scheduled, Rejected and Cancelled count timers, and Expired counts runs that fired. Each run
	// of a repeating timer counts as another scheduled timer. The wheel maintains these counts.
	Scheduled, Rejected, Cancelled, Expired int64
	Findings                                int64 // number of findings, the effects of faults of the published rule; counted by the wheel
	Missed, Early, Late                     int64 // operations that found no timer, and runs that fired early or late; counted by the driver
}

// State is the observable state of a wheel. Two wheels of the same algorithm that are in the same State
// behave identically from then on.
type State struct {
	Levels []Level  // levels of the wheel, finest first
	Places []Place  // occupied places, ordered by Level, then Slot; a side list or pending queue has level -1 and comes first
	Queue  []Bucket // entries of the delay queue, ordered by Due, then by the order in which they were added
	Arming *Entry   // timer that is scheduled but not placed yet; nil except between the schedule event of a run and the next event of its timer
	Counts Counts
	Live   int // number of live timers: those that have been scheduled and have neither ended nor been cancelled

	block []Entry // array from which Room allocates; the first len(block) entries are parts of slices that Room has returned
}

// entryBlock is the minimum length, in entries, of an array that Room allocates.
const entryBlock = 256

// Room returns an empty slice with capacity for n entries. Implementations of [Observable.AppendState] use
// it so that the entries of many places share one array.
func (s *State) Room(n int) []Entry {
	from := len(s.block)
	if cap(s.block)-from < n {
		s.block, from = make([]Entry, 0, max(n, entryBlock)), 0
	}
	s.block = s.block[:from+n]
	return s.block[from : from : from+n]
}

// Equal reports whether s and o are equal. It ignores handles, which a Fold does not maintain.
func (s *State) Equal(o *State) bool {
	if (s.Arming == nil) != (o.Arming == nil) || s.Arming != nil && !s.Arming.equal(*o.Arming) {
		return false
	}
	return s.Counts == o.Counts && s.Live == o.Live && slices.Equal(s.Levels, o.Levels) &&
		slices.Equal(s.Queue, o.Queue) && slices.EqualFunc(s.Places, o.Places, Place.equal)
}

func (p Place) equal(o Place) bool {
	return p.Level == o.Level && p.Slot == o.Slot && p.Count == o.Count && slices.EqualFunc(p.Entries, o.Entries, Entry.equal)
}

func (e Entry) equal(o Entry) bool {
	e.Handle, o.Handle = Timer{}, Timer{}
	return e == o
}

// AllEntries, as the limit passed to Observable.AppendState or Fold.State, selects all timers of each
// place.
const AllEntries = -1
