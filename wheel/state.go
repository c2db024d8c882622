package wheel

import "slices"

// Entry is a timer in a place.
type Entry struct {
	ID     uint32
	Run    uint32 // the run it waits for, 1 for the first
	Due    Tick
	Rounds int64 // NoRounds if the lane does not count them
	Marked bool  // cancelled but left in place
	Handle Timer // not known to a fold; ignored by Equal
}

// Place is one slot (or list, or heap index) with its timers in order. Empty
// places are left out of a State.
type Place struct {
	Level   int8
	Slot    uint32
	Count   int     // timers in this place
	Entries []Entry // all timers, or only the first ones
}

// Bucket is a slot in a delay queue.
type Bucket struct {
	Level int8
	Slot  uint32
	Due   Tick
}

// Counts are the totals of a wheel since it was created.
type Counts struct {
	Scheduled, Rejected, Cancelled, Expired int64 // by the wheel
	Findings                                int64 // by the wheel: faults of its published rule
	Missed, Early, Late                     int64 // by its driver
}

// State is the whole observable state of a wheel. Two wheels in the same State behave
// alike from then on.
type State struct {
	Levels []Level  // the existing levels, finest first
	Places []Place  // by level, then slot; a side list or pending queue is level -1 and comes first
	Queue  []Bucket // the delay queue, by due, then order of entry
	Arming *Entry   // scheduled but not placed: only between the events of one Schedule
	Counts Counts
	Live   int // timers scheduled and not fired, cancelled or rejected

	block []Entry // entries that Room hands out
}

// entryBlock is how many entries are allocated at once.
const entryBlock = 256

// Room returns an empty list with capacity for n entries. AppendState uses it so that the
// lists of a State share a few arrays.
func (s *State) Room(n int) []Entry {
	from := len(s.block)
	if cap(s.block)-from < n {
		s.block, from = make([]Entry, 0, max(n, entryBlock)), 0
	}
	s.block = s.block[:from+n]
	return s.block[from : from : from+n]
}

// Equal reports whether two states are the same in everything that a fold knows, which is
// all but the handles.
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

// AllEntries makes AppendState append every timer of every place.
const AllEntries = -1
