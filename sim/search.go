package sim

import (
	"context"
	"sort"
	"time"
)

// What says what a search looks for.
type What uint8

const (
	WhatExpire  What = iota + 1 // a timer fires
	WhatCascade                 // a timer moves between levels
	WhatReject                  // a lane refuses a timer
	WhatFinding                 // a fault of an algorithm
	WhatTimer                   // something happens to the timers called Timer
	WhatSlot                    // a place comes to hold more than Over timers
	WhatCost                    // a tick at which something happens costs a lane more than Over
	WhatDiffer                  // the lanes do not fire and refuse the same timers in one tick
)

var whatNames = [...]string{"", "expire", "cascade", "reject", "finding", "timer", "slot", "cost", "differ"}

// String is the word for it in a command.
func (w What) String() string { return whatNames[w] }

// WhatOf is the inverse of String; false for a word that is none.
func WhatOf(word string) (What, bool) {
	for i, name := range whatNames {
		if i > 0 && name == word {
			return What(i), true
		}
	}
	return 0, false
}

// Sought is a condition on a run.
type Sought struct {
	What  What
	Lane  int    // index of the only lane that counts, -1: any
	Timer string // of WhatTimer
	Over  int64  // of WhatSlot (timers) and WhatCost (units of work)
}

// match is where a condition came true: at tick, by event seq, and where the
// cursor is to stand so that it is seen, with its cause whole.
type match struct {
	tick int64
	seq  int64 // 0: it is a matter of the whole tick
	at   goal
	open *chunk // its last step holds the event and ends after it: at is the end of that
}

// after says whether a match comes after a cursor.
func (m match) after(c Cursor) bool {
	if m.seq > 0 {
		return m.seq > c.Seq
	}
	return m.tick > c.Tick || m.tick == c.Tick && !c.Whole
}

// before says whether the place of a match comes before a cursor. The last event
// lies before a cursor that stands at a later tick.
func (m match) before(c Cursor) bool {
	if m.tick < c.Tick || m.seq == 0 {
		return m.tick < c.Tick
	}
	if m.open != nil { // it is after the chunk
		return m.open.last()+1 < c.Seq
	}
	return m.at.seq < c.Seq
}

// close finds the place of a match in a step that goes on after its chunk.
func (s *search) close(ctx context.Context, m match) (match, error) {
	if m.open == nil {
		return m, nil
	}
	end, err := s.run.openEnd(ctx, m.open)
	m.at, m.open = goal{tick: -1, seq: end}, nil
	return m, err
}

// search goes through a run chunk by chunk, away from a cursor, until it meets
// a match. It keeps no chunk, and skips those in which the timeline shows none.
type search struct {
	run     *Run
	sought  Sought
	cond    condition
	forward bool
	from    Cursor
	next    int       // chunk to be looked at
	divided *tickScan // the tick of several chunks that is being looked at, or nil
	tick    int64     // how far it has come
	told    time.Time // when that was told last
}

// search begins a search at a cursor. The error is an *InputError.
func (r *Run) search(w Sought, from Cursor, forward bool) (*search, error) {
	if w.What == WhatDiffer {
		w.Lane = -1 // it is a matter of all
	}
	cond, err := r.condition(w)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	rest := r.borders[1:]
	k := sort.Search(len(rest), func(i int) bool { return rest[i].tick >= from.Tick })
	for k < len(rest) && rest[k].within && (rest[k].seq < from.Seq || forward && rest[k].seq == from.Seq) {
		k++ // to the part of the cursor's tick in which the cursor is
	}
	if !forward {
		k = min(k, len(rest)-1)
	}
	return &search{run: r, sought: w, cond: cond, forward: forward, from: from, next: k, tick: from.Tick}, nil
}

// progress says what one look of a search came to.
type progress uint8

const (
	lookedOn  progress = iota // there is more to look at
	lookLater                 // what comes next is not computed yet
	lookFound
	lookEnded // there is none
)

// look goes through one chunk.
func (s *search) look(ctx context.Context) (goal, progress, error) {
	if s.divided != nil {
		return s.lookDivided(ctx)
	}
	from, to, state, err := s.stretch()
	if state != lookedOn {
		return goal{}, state, err
	}
	k, first, end := s.next, s.next, s.next+1
	divided := (from.within || to.within) && s.sought.What.wholeTicks()
	if divided {
		first, end = s.run.tickChunks(to.tick)
		from, _ = s.run.bordersOf(first)
	}
	if s.forward {
		s.next, s.tick = end, to.tick
	} else {
		s.next, s.tick = first-1, max(0, from.tick)
	}
	began := from.tick + 1
	if from.within {
		began = from.tick
	}
	if !s.run.timeline.mayHold(s.sought, began, to.tick) {
		return goal{}, lookedOn, nil
	}
	ctx, leave, err := s.run.store.queue.Enter(ctx)
	if err != nil {
		return goal{}, lookedOn, err
	}
	defer leave()
	if divided {
		return goal{}, lookedOn, s.divide(ctx, to.tick, first, end)
	}
	matches, err := s.cond(ctx, k)
	if err != nil {
		return goal{}, lookedOn, err
	}
	return s.choose(ctx, matches)
}

// choose is what a look comes to that found matches.
func (s *search) choose(ctx context.Context, matches []match) (goal, progress, error) {
	m, ok, err := s.pick(ctx, matches)
	if err != nil || !ok {
		return goal{}, lookedOn, err
	}
	return m.at, lookFound, nil
}

// stretch gives the borders of the chunk that is next, if it is there.
func (s *search) stretch() (from, to border, state progress, err error) {
	r := s.run
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case s.next < 0:
		return from, to, lookEnded, nil
	case s.next+1 < len(r.borders):
		return r.borders[s.next], r.borders[s.next+1], lookedOn, nil
	case r.done || r.err != nil:
		return from, to, lookEnded, r.err
	}
	return from, to, lookLater, nil
}

// pick chooses the match nearest to where the search began.
func (s *search) pick(ctx context.Context, matches []match) (match, bool, error) {
	if s.forward {
		for _, m := range matches {
			if m.after(s.from) {
				m, err := s.close(ctx, m)
				return m, err == nil, err
			}
		}
		return match{}, false, nil
	}
	for k := len(matches) - 1; k >= 0; k-- {
		if !matches[k].before(s.from) {
			continue
		}
		m, err := s.close(ctx, matches[k])
		if err != nil || m.before(s.from) {
			return m, err == nil, err
		}
	}
	return match{}, false, nil
}

// scan gives a chunk for one look: one that is kept, or one made for it and not
// kept, so that a search through a long run leaves others' chunks in the cache. Parts
// of a tick are kept, since several are made at once.
func (r *Run) scan(ctx context.Context, k int) (*chunk, error) {
	if c := r.store.chunks.get(r, k); c != nil {
		return c, nil
	}
	from, to := r.bordersOf(k)
	if from.within || to.within {
		return r.chunk(ctx, k)
	}
	return r.makeChunk(ctx, from, to)
}
