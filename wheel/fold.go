package wheel

import (
	"cmp"
	"fmt"
	"slices"
)

// Fold applies events to a State. Applying all events that a wheel has emitted since a State was
// taken yields the current State of the wheel. An event that contradicts the State is rejected:
// Apply returns an error and changes nothing. A Fold is not safe for concurrent use.
type Fold struct {
	levels []Level
	places []*foldPlace // places that are not empty, ordered by level, then slot
	queue  []Bucket
	counts Counts
	live   int
	armed  map[uint32]*foldTimer // scheduled timers by ID, including marked ones
	arming *foldTimer            // timer that is scheduled but not placed yet; nil means none
}

type foldTimer struct {
	Entry
	place *foldPlace // place of the timer; nil if it is scheduled but not placed yet
}

// NewFold returns a Fold with a copy of s as its initial state. s must include all timers of each
// place; see AllEntries.
func NewFold(s *State) *Fold {
	f := &Fold{levels: slices.Clone(s.Levels), queue: slices.Clone(s.Queue), counts: s.Counts, live: s.Live}
	f.armed = make(map[uint32]*foldTimer, s.Live)
	for _, p := range s.Places {
		to := &foldPlace{level: p.Level, slot: p.Slot, timers: make([]*foldTimer, 0, len(p.Entries))}
		timers := make([]foldTimer, len(p.Entries))
		for i, e := range p.Entries {
			t := &timers[i]
			*t = foldTimer{e, to}
			to.timers = append(to.timers, t)
			f.armed[e.ID] = t
		}
		f.places = append(f.places, to)
	}
	if s.Arming != nil {
		f.arming = &foldTimer{Entry: *s.Arming}
		f.armed[s.Arming.ID] = f.arming
	}
	slices.SortFunc(f.places, func(a, b *foldPlace) int { return comparePlaces(a.level, a.slot, b.level, b.slot) })
	return f
}

// State returns the current state. It includes at most the first limit timers of each place, or all
// of them if limit is AllEntries. The Handle fields of the entries are undefined.
func (f *Fold) State(limit int) State {
	s := State{Levels: slices.Clone(f.levels), Queue: slices.Clone(f.queue), Counts: f.counts, Live: f.live}
	if f.arming != nil {
		e := f.arming.Entry
		s.Arming = &e
	}
	for _, p := range f.places {
		to := Place{Level: p.level, Slot: p.slot, Count: len(p.timers)}
		for k := 0; k < len(p.timers) && k != limit; k++ {
			to.Entries = append(to.Entries, p.timers[k].Entry)
		}
		s.Places = append(s.Places, to)
	}
	return s
}

// Live returns the number of live timers: those that have been scheduled and have neither ended nor
// been cancelled.
func (f *Fold) Live() int { return f.live }

// Apply applies event e to the state. at is the tick at which e was emitted. If e contradicts the
// state, Apply returns an error and changes nothing.
func (f *Fold) Apply(at Tick, e *Event) error {
	switch e.Kind {
	case KindSchedule:
		return f.schedule(e)
	case KindMiss:
		f.counts.Missed++
	case KindFinding:
		f.counts.Findings++
	case KindHand:
		return f.hand(e)
	case KindMove:
		return f.move(e)
	case KindGrow:
		return f.grow(e)
	case KindResize:
		return f.resize(e)
	case KindEnqueue:
		return f.enqueue(e)
	case KindDequeue:
		return f.dequeue(e)
	case KindReject, KindPend, KindPlace, KindCascade, KindCancel, KindMark, KindSweep, KindExpire, KindRekey:
		return f.timer(at, e)
	default:
		return fmt.Errorf("wheel: no event has kind %d", e.Kind)
	}
	return nil
}

// timer applies e, an event about a timer that must have been scheduled. at is the tick at which e
// was emitted. If e contradicts the state, timer returns an error and changes nothing.
func (f *Fold) timer(at Tick, e *Event) error {
	t := f.armed[e.ID]
	if t == nil {
		return fmt.Errorf("wheel: %s of timer %d, which is not armed", e.Kind, e.ID)
	}
	if err := f.checkFrom(t, e); err != nil {
		return err
	}
	switch e.Kind {
	case KindPlace, KindCascade, KindPend:
		return f.put(t, e)
	case KindRekey:
		if !t.Stale {
			return fmt.Errorf("wheel: rekey of timer %d, whose key is up to date", e.ID)
		}
		t.Stale, t.Key = false, 0
		return nil
	case KindMark:
		if t.Marked {
			return fmt.Errorf("wheel: timer %d is marked already", e.ID)
		}
		t.Marked = true
		f.counts.Cancelled++
		f.live--
		return nil
	case KindSweep:
		if !t.Marked {
			return fmt.Errorf("wheel: sweep of timer %d, which is not marked", e.ID)
		}
		f.live++ // the mark event has subtracted it
	case KindReject:
		f.counts.Rejected++
	case KindCancel:
		f.counts.Cancelled++
	case KindExpire:
		f.expire(at, t)
	}
	f.leave(t)
	delete(f.armed, e.ID)
	f.live--
	return nil
}

// checkFrom returns an error if e disagrees with the place, the due tick or the run of t.
func (f *Fold) checkFrom(t *foldTimer, e *Event) error {
	switch {
	case e.Kind == KindMark:
		return nil
	case e.FromLevel == NoLevel && t.place != nil:
		return fmt.Errorf("wheel: %s of timer %d from nowhere, it is at level %d slot %d", e.Kind, e.ID, t.place.level, t.place.slot)
	case e.FromLevel != NoLevel && (t.place == nil || t.place.level != e.FromLevel || t.place.slot != e.FromSlot):
		return fmt.Errorf("wheel: %s of timer %d from level %d slot %d, where it is not", e.Kind, e.ID, e.FromLevel, e.FromSlot)
	case e.Kind.HasDue() && t.Due != e.Due:
		return fmt.Errorf("wheel: %s of timer %d due %d, it is due %d", e.Kind, e.ID, e.Due, t.Due)
	case e.Kind == KindExpire && t.Run != e.Run:
		return fmt.Errorf("wheel: run %d of timer %d expires, it waits for run %d", e.Run, e.ID, t.Run)
	case (e.Kind == KindReject || e.Kind == KindPend) && t.place != nil, e.Kind == KindCascade && t.place == nil:
		return fmt.Errorf("wheel: %s of timer %d, which is not in a place for that", e.Kind, e.ID)
	}
	return nil
}

// schedule applies e, a schedule event: it adds the timer. The timer has no place until a place or
// pend event follows.
func (f *Fold) schedule(e *Event) error {
	if f.armed[e.ID] != nil {
		return fmt.Errorf("wheel: schedule of timer %d, which is armed", e.ID)
	}
	if f.arming != nil {
		return fmt.Errorf("wheel: schedule of timer %d while timer %d is nowhere yet", e.ID, f.arming.ID)
	}
	f.arming = &foldTimer{Entry: Entry{ID: e.ID, Run: e.Run, Due: e.Due, Rounds: NoRounds}}
	f.armed[e.ID] = f.arming
	f.counts.Scheduled++
	f.live++
	return nil
}

// put applies e, a place, cascade or pend event: it moves t to its new place.
func (f *Fold) put(t *foldTimer, e *Event) error {
	level, slot := e.ToLevel, e.ToSlot
	if e.Kind == KindPend {
		level, slot = -1, 0
	}
	next := f.armed[e.Before]
	if e.Before != 0 && (next == nil || next == t || next.place == nil || next.place.level != level || next.place.slot != slot) {
		return fmt.Errorf("wheel: %s of timer %d before %d, which is not at level %d slot %d", e.Kind, e.ID, e.Before, level, slot)
	}
	f.leave(t)
	p := f.make(level, slot)
	at := len(p.timers)
	if next != nil {
		at = slices.Index(p.timers, next)
	}
	p.timers = slices.Insert(p.timers, at, t)
	t.place = p
	switch {
	case e.Kind == KindPlace && e.Code == CodeStale:
		t.Stale, t.Key = true, e.X
	case e.Kind == KindPlace:
		t.Rounds = e.X
	}
	return nil
}

// expire counts a run of t that fired at the given tick. If this is not the due tick of the run, expire
// also counts the run as early or late.
func (f *Fold) expire(at Tick, t *foldTimer) {
	f.counts.Expired++
	switch {
	case at < t.Due:
		f.counts.Early++
	case at > t.Due:
		f.counts.Late++
	}
}

// foldPlace is an occupied place and its timers, in order.
type foldPlace struct {
	level  int8
	slot   uint32
	timers []*foldTimer
}

// comparePlaces compares the places (l, s) and (l2, s2), first by level, then by slot. Like
// cmp.Compare, it returns -1, 0 or +1.
func comparePlaces(l int8, s uint32, l2 int8, s2 uint32) int {
	return cmp.Or(cmp.Compare(l, l2), cmp.Compare(s, s2))
}

// hand applies e, a hand event: it decrements the rounds of those timers in the slot that have
// rounds left and are not marked.
func (f *Fold) hand(e *Event) error {
	p := f.find(e.FromLevel, e.FromSlot)
	if p == nil {
		return fmt.Errorf("wheel: hand at level %d slot %d, which is empty", e.FromLevel, e.FromSlot)
	}
	waits := func(t *foldTimer) bool { return !t.Marked && t.Rounds > 0 }
	var count uint32
	for _, t := range p.timers {
		if waits(t) {
			count++
		}
	}
	if count != e.Before {
		return fmt.Errorf("wheel: hand at level %d slot %d counts %d, %d timers have rounds left", e.FromLevel, e.FromSlot, e.Before, count)
	}
	for _, t := range p.timers {
		if waits(t) {
			t.Rounds--
		}
	}
	return nil
}

// move applies e, a move event: it swaps the contents of the places (e.FromLevel, e.FromSlot) and
// (e.ToLevel, e.ToSlot). The second place may be empty.
func (f *Fold) move(e *Event) error {
	t := f.armed[e.ID]
	if t == nil || t.place == nil || t.place.level != e.FromLevel || t.place.slot != e.FromSlot {
		return fmt.Errorf("wheel: move of timer %d from level %d slot %d, where it is not", e.ID, e.FromLevel, e.FromSlot)
	}
	from, to := t.place, f.make(e.ToLevel, e.ToSlot)
	from.timers, to.timers = to.timers, from.timers
	for _, p := range [...]*foldPlace{from, to} {
		for _, t := range p.timers {
			t.place = p
		}
	}
	if len(from.timers) == 0 {
		f.drop(from)
	}
	return nil
}

// grow applies e, a grow event: it adds a level with as many slots as level 0.
func (f *Fold) grow(e *Event) error {
	if int(e.FromLevel) != len(f.levels) || len(f.levels) == 0 {
		return fmt.Errorf("wheel: level %d grows, there are %d", e.FromLevel, len(f.levels))
	}
	f.levels = append(f.levels, Level{int(e.FromLevel), f.levels[0].Slots, e.X})
	return nil
}

// resize applies e, a resize event: it changes the number of slots and the width of a level. The
// timers of the level are moved by separate events.
func (f *Fold) resize(e *Event) error {
	k := slices.IndexFunc(f.levels, func(l Level) bool { return l.Level == int(e.FromLevel) })
	if k < 0 || f.levels[k].Slots == int(e.FromSlot) {
		return fmt.Errorf("wheel: level %d is resized to %d slots, which it has, or is not there", e.FromLevel, e.FromSlot)
	}
	f.levels[k].Slots, f.levels[k].Width = int(e.FromSlot), e.X
	return nil
}

// enqueue applies e, an enqueue event: it inserts a slot into the delay queue, after all slots with
// the same due tick.
func (f *Fold) enqueue(e *Event) error {
	at := slices.IndexFunc(f.queue, func(b Bucket) bool { return b.Due > e.Due })
	if at < 0 {
		at = len(f.queue)
	}
	f.queue = slices.Insert(f.queue, at, Bucket{e.FromLevel, e.FromSlot, e.Due})
	return nil
}

// dequeue applies e, a dequeue event: it removes the head of the delay queue.
func (f *Fold) dequeue(e *Event) error {
	if len(f.queue) == 0 || f.queue[0] != (Bucket{e.FromLevel, e.FromSlot, e.Due}) {
		return fmt.Errorf("wheel: level %d slot %d is not the head of the delay queue", e.FromLevel, e.FromSlot)
	}
	f.queue = f.queue[1:]
	return nil
}

// leave removes t from its place. If t has no place yet, leave clears f.arming, which is t.
func (f *Fold) leave(t *foldTimer) {
	p := t.place
	if p == nil {
		f.arming = nil
		return
	}
	if k := slices.Index(p.timers, t); k == 0 {
		p.timers = p.timers[1:] // timers fire from the front: do not shift the others for each
	} else {
		p.timers = slices.Delete(p.timers, k, k+1)
	}
	t.place = nil
	if len(p.timers) == 0 {
		f.drop(p)
	}
}

// search returns the index in f.places of the place at (level, slot), and true. If there is no such
// place, it returns the index at which to insert it, and false.
func (f *Fold) search(level int8, slot uint32) (int, bool) {
	return slices.BinarySearchFunc(f.places, foldPlace{level: level, slot: slot}, func(p *foldPlace, want foldPlace) int {
		return comparePlaces(p.level, p.slot, want.level, want.slot)
	})
}

// find returns the place at (level, slot), or nil if the place is empty.
func (f *Fold) find(level int8, slot uint32) *foldPlace {
	if k, ok := f.search(level, slot); ok {
		return f.places[k]
	}
	return nil
}

// make returns the place at (level, slot). If there is none, it adds an empty one.
func (f *Fold) make(level int8, slot uint32) *foldPlace {
	k, ok := f.search(level, slot)
	if !ok {
		f.places = slices.Insert(f.places, k, &foldPlace{level: level, slot: slot})
	}
	return f.places[k]
}

// drop removes p, which has become empty, from f.places.
func (f *Fold) drop(p *foldPlace) {
	if k, ok := f.search(p.level, p.slot); ok {
		f.places = slices.Delete(f.places, k, k+1)
	}
}
