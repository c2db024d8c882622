package wheel

import (
	"cmp"
	"fmt"
	"slices"
)

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
