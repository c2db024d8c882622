package wheel

import (
	"fmt"
	"slices"
)

// Fold is a State that events are folded onto. What a wheel told since a State
// gives, folded onto it, exactly the State it is in; an event that does not fit
// is refused, with nothing changed.
type Fold struct {
	levels []Level
	places []*foldPlace // not empty, by level, then slot
	queue  []Bucket
	counts Counts
	live   int
	armed  map[uint32]*foldTimer
}

type foldPlace struct {
	level  int8
	slot   uint32
	timers []*foldTimer
}

type foldTimer struct {
	Entry
	place *foldPlace // nil: armed and nowhere yet
}

// NewFold starts from a state.
func NewFold(s *State) *Fold {
	f := &Fold{levels: slices.Clone(s.Levels), queue: slices.Clone(s.Queue), counts: s.Counts, live: s.Live}
	f.armed = make(map[uint32]*foldTimer, s.Live)
	for _, p := range s.Places {
		to := &foldPlace{level: p.Level, slot: p.Slot}
		for _, e := range p.Entries {
			t := &foldTimer{e, to}
			to.timers = append(to.timers, t)
			f.armed[e.ID] = t
		}
		f.places = append(f.places, to)
	}
	slices.SortFunc(f.places, func(a, b *foldPlace) int { return comparePlaces(a.level, a.slot, b.level, b.slot) })
	return f
}

func comparePlaces(l int8, s uint32, l2 int8, s2 uint32) int {
	if l != l2 {
		return int(l) - int(l2)
	}
	return int(int64(s) - int64(s2))
}

// State gives what has been folded so far. Handles are not known.
func (f *Fold) State() State {
	s := State{Levels: slices.Clone(f.levels), Queue: slices.Clone(f.queue), Counts: f.counts, Live: f.live}
	for _, p := range f.places {
		to := Place{Level: p.level, Slot: p.slot, Count: len(p.timers), Entries: make([]Entry, 0, len(p.timers))}
		for _, t := range p.timers {
			to.Entries = append(to.Entries, t.Entry)
		}
		s.Places = append(s.Places, to)
	}
	return s
}

// Apply folds one event, told at an absolute tick.
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
	case KindEnqueue:
		return f.enqueue(e)
	case KindDequeue:
		return f.dequeue(e)
	case KindReject, KindPend, KindPlace, KindCascade, KindCancel, KindMark, KindSweep, KindExpire:
		return f.timer(at, e)
	default:
		return fmt.Errorf("wheel: no event has kind %d", e.Kind)
	}
	return nil
}

// timer folds an event about a timer that is armed.
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
		f.live++ // it was counted out when it was marked
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

// checkFrom refuses an event whose timer is not where it says.
func (f *Fold) checkFrom(t *foldTimer, e *Event) error {
	switch {
	case e.Kind == KindMark:
		return nil
	case e.FromLevel == NoLevel && t.place != nil:
		return fmt.Errorf("wheel: %s of timer %d from nowhere, it stands at level %d slot %d", e.Kind, e.ID, t.place.level, t.place.slot)
	case e.FromLevel != NoLevel && (t.place == nil || t.place.level != e.FromLevel || t.place.slot != e.FromSlot):
		return fmt.Errorf("wheel: %s of timer %d from level %d slot %d, where it is not", e.Kind, e.ID, e.FromLevel, e.FromSlot)
	case e.Kind == KindExpire && t.Due != e.Due, (e.Kind == KindPlace || e.Kind == KindCascade || e.Kind == KindPend) && t.Due != e.Due:
		return fmt.Errorf("wheel: %s of timer %d due %d, it is due %d", e.Kind, e.ID, e.Due, t.Due)
	case (e.Kind == KindReject || e.Kind == KindPend) && t.place != nil, e.Kind == KindCascade && t.place == nil:
		return fmt.Errorf("wheel: %s of timer %d, which is not in a place for that", e.Kind, e.ID)
	}
	return nil
}

func (f *Fold) schedule(e *Event) error {
	if f.armed[e.ID] != nil {
		return fmt.Errorf("wheel: schedule of timer %d, which is armed", e.ID)
	}
	f.armed[e.ID] = &foldTimer{Entry: Entry{ID: e.ID, Run: e.Run, Due: e.Due, Rounds: NoRounds}}
	f.counts.Scheduled++
	f.live++
	return nil
}

// put moves a timer to the place of a place, cascade or pend.
func (f *Fold) put(t *foldTimer, e *Event) error {
	level, slot := e.ToLevel, e.ToSlot
	if e.Kind == KindPend {
		level, slot = -1, 0
	}
	at := -1
	if e.Before != 0 {
		p := f.find(level, slot)
		if p != nil {
			at = slices.IndexFunc(p.timers, func(o *foldTimer) bool { return o.ID == e.Before })
		}
		if at < 0 {
			return fmt.Errorf("wheel: %s of timer %d before %d, which is not at level %d slot %d", e.Kind, e.ID, e.Before, level, slot)
		}
	}
	f.leave(t)
	p := f.make(level, slot)
	if at < 0 {
		at = len(p.timers)
	}
	p.timers = slices.Insert(p.timers, at, t)
	t.place = p
	if e.Kind == KindPlace {
		t.Rounds = e.X
	}
	return nil
}

func (f *Fold) expire(at Tick, t *foldTimer) {
	f.counts.Expired++
	switch {
	case at < t.Due:
		f.counts.Early++
	case at > t.Due:
		f.counts.Late++
	}
}

// hand takes a round from every unmarked timer of a slot that has one left.
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

// move swaps what two places hold; the second may be empty.
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

func (f *Fold) grow(e *Event) error {
	if int(e.FromLevel) != len(f.levels) || len(f.levels) == 0 {
		return fmt.Errorf("wheel: level %d grows, there are %d", e.FromLevel, len(f.levels))
	}
	f.levels = append(f.levels, Level{int(e.FromLevel), f.levels[0].Slots, e.X})
	return nil
}

func (f *Fold) enqueue(e *Event) error {
	at := slices.IndexFunc(f.queue, func(b Bucket) bool { return b.Due > e.Due })
	if at < 0 {
		at = len(f.queue)
	}
	f.queue = slices.Insert(f.queue, at, Bucket{e.FromLevel, e.FromSlot, e.Due})
	return nil
}

func (f *Fold) dequeue(e *Event) error {
	if len(f.queue) == 0 || f.queue[0] != (Bucket{e.FromLevel, e.FromSlot, e.Due}) {
		return fmt.Errorf("wheel: level %d slot %d is not the head of the delay queue", e.FromLevel, e.FromSlot)
	}
	f.queue = f.queue[1:]
	return nil
}

// leave takes a timer out of its place, if it has one.
func (f *Fold) leave(t *foldTimer) {
	p := t.place
	if p == nil {
		return
	}
	if k := slices.Index(p.timers, t); k == 0 {
		p.timers = p.timers[1:] // what fires leaves from the front: a crowd must not be shifted for each
	} else {
		p.timers = slices.Delete(p.timers, k, k+1)
	}
	t.place = nil
	if len(p.timers) == 0 {
		f.drop(p)
	}
}

func (f *Fold) search(level int8, slot uint32) (int, bool) {
	return slices.BinarySearchFunc(f.places, foldPlace{level: level, slot: slot}, func(p *foldPlace, want foldPlace) int {
		return comparePlaces(p.level, p.slot, want.level, want.slot)
	})
}

// find gives a place that is not empty, or nil.
func (f *Fold) find(level int8, slot uint32) *foldPlace {
	if k, ok := f.search(level, slot); ok {
		return f.places[k]
	}
	return nil
}

// make gives a place, made empty if it is not there.
func (f *Fold) make(level int8, slot uint32) *foldPlace {
	k, ok := f.search(level, slot)
	if !ok {
		f.places = slices.Insert(f.places, k, &foldPlace{level: level, slot: slot})
	}
	return f.places[k]
}

func (f *Fold) drop(p *foldPlace) {
	if k, ok := f.search(p.level, p.slot); ok {
		f.places = slices.Delete(f.places, k, k+1)
	}
}
