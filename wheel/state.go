package wheel

import "slices"

// Entry is one timer in a place.
type Entry struct {
	ID     uint32
	Run    uint32 // the run it waits for, 1 for the first
	Due    Tick
	Rounds int64 // NoRounds where the lane does not count them
	Marked bool  // cancelled but still in place
	Handle Timer // not known to a fold; left out of Equal
}

// Place is one slot (or list, or heap index) with its timers in order. Empty
// places are left out of a State.
type Place struct {
	Level   int8
	Slot    uint32
	Count   int     // timers standing here
	Entries []Entry // all of them, or the first ones
}

// Bucket is a slot waiting in a delay queue.
type Bucket struct {
	Level int8
	Slot  uint32
	Due   Tick
}

// Counts of what happened to timers since the beginning.
type Counts struct {
	Scheduled, Rejected, Cancelled, Expired int64 // by the wheel
	Findings                                int64 // by the wheel: faults of its own rule
	Missed, Early, Late                     int64 // by its driver
}

// State is everything that can be seen of a wheel. Two wheels in the same State
// go on in the same way.
type State struct {
	Levels []Level  // those that exist, finest first
	Places []Place  // by level, then slot; a side list or pending queue is level -1, first
	Queue  []Bucket // the delay queue, by due, then order of entry
	Arming *Entry   // scheduled and nowhere yet: only between two events of one arming
	Counts Counts
	Live   int // timers armed and neither fired, cancelled nor rejected

	block []Entry // where room is taken from
}

// entryBlock is how many entries are allocated at once.
const entryBlock = 256

// Room returns an empty list with room for n entries. Wheels use it in AppendState: the
// lists of a State share a few arrays.
func (s *State) Room(n int) []Entry {
	from := len(s.block)
	if cap(s.block)-from < n {
		s.block, from = make([]Entry, 0, max(n, entryBlock)), 0
	}
	s.block = s.block[:from+n]
	return s.block[from : from : from+n]
}

// Equal says whether two states are the same in all that a fold knows: all but
// the handles.
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

// AllEntries asks AppendState for every timer of every place.
const AllEntries = -1
