package sim

import (
	"context"
	"sort"
	"time"
)

// What is the kind of a search condition.
type What uint8

const (
	WhatExpire  What = iota + 1 // a timer fires
	WhatCascade                 // a timer moves between levels
	WhatReject                  // a lane refuses a timer
	WhatFinding                 // a fault of an algorithm
	WhatTimer                   // any event of the timers called Timer
	WhatSlot                    // a slot comes to hold more than Over timers
	WhatCost                    // a tick with events costs a lane more than Over
	WhatDiffer                  // the lanes do not fire and reject the same timers in one tick
)

var whatNames = [...]string{"", "expire", "cascade", "reject", "finding", "timer", "slot", "cost", "differ"}

// String returns the condition's name in a command.
func (w What) String() string { return whatNames[w] }

// WhatOf is the inverse of String. It returns false if there is no condition of that name.
func WhatOf(word string) (What, bool) {
	for i, name := range whatNames {
		if i > 0 && name == word {
			return What(i), true
		}
	}
	return 0, false
}

// Sought is the condition of a search.
type Sought struct {
	What  What
	Lane  int    // index of the only lane to search; -1: all lanes
	Timer string // of WhatTimer
	Over  int64  // threshold of WhatSlot (timers) and WhatCost (units of work)
}

// match is an event or tick that meets a condition, and the position to which the cursor moves
// to show it together with its cause.
type match struct {
	tick int64
	seq  int64 // the event; 0: the whole tick matches
	at   goal
	open *chunk // if not nil, the step of the event ends after this chunk, and at is still to be found
}

// after reports whether a match is after a cursor.
func (m match) after(c Cursor) bool {
	if m.seq > 0 {
		return m.seq > c.Seq
	}
	return m.tick > c.Tick || m.tick == c.Tick && !c.Whole
}

// before reports whether the position of a match is before a cursor. The last event of a tick
// is before a cursor at a later tick.
func (m match) before(c Cursor) bool {
	if m.tick < c.Tick || m.seq == 0 {
		return m.tick < c.Tick
	}
	if m.open != nil { // its position is after the chunk
		return m.open.last()+1 < c.Seq
	}
	return m.at.seq < c.Seq
}

// close finds the position of a match whose step ends after its chunk.
func (s *search) close(ctx context.Context, m match) (match, error) {
	if m.open == nil {
		return m, nil
	}
	end, err := s.run.openEnd(ctx, m.open)
	m.at, m.open = goal{tick: -1, seq: end}, nil
	return m, err
}

// search goes through a run chunk by chunk, away from a cursor, to the first match. It caches
// no chunks except parts of a tick, and skips those in which the timeline shows no match.
type search struct {
	run      *Run
	sought   Sought
	cond     condition
	forward  bool
	from     Cursor
	next     int       // number of the next chunk to search
	divided  *tickScan // the divided tick that is being searched, or nil
	tick     int64     // how far it has come
	reported time.Time // when progress was last reported
}

// search returns a search that begins at a cursor. Its error is an *InputError.
func newSearch(r *Run, w Sought, from Cursor, forward bool) (*search, error) {
	if w.What == WhatDiffer {
		w.Lane = -1 // it applies to all lanes together
	}
	cond, err := conditionOf(r, w)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	rest := r.borders[1:]
	k := sort.Search(len(rest), func(i int) bool { return rest[i].tick >= from.Tick })
	for k < len(rest) && rest[k].within && (rest[k].seq < from.Seq || forward && rest[k].seq == from.Seq) {
		k++ // to the part of the tick in which the cursor is
	}
	if !forward {
		k = min(k, len(rest)-1)
	}
	return &search{run: r, sought: w, cond: cond, forward: forward, from: from, next: k, tick: from.Tick}, nil
}

// progress is the result of searching one chunk.
type progress uint8

const (
	lookedOn  progress = iota // there is more to search
	lookLater                 // the next chunk is not computed yet
	lookFound
	lookEnded // there is no match
)

// look searches one chunk.
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
	if !mayHold(s.run.timeline, s.sought, began, to.tick) {
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

// choose returns the result of a look that found matches.
func (s *search) choose(ctx context.Context, matches []match) (goal, progress, error) {
	m, ok, err := s.pick(ctx, matches)
	if err != nil || !ok {
		return goal{}, lookedOn, err
	}
	return m.at, lookFound, nil
}

// stretch returns the borders of the next chunk, if it is computed.
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

// pick returns the match nearest to the cursor at which the search began.
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

// scan returns a chunk for a search. It does not cache one that it makes, so that a search
// through a long run does not evict other chunks, except for parts of a tick, of which several
// are made together.
func scanChunk(ctx context.Context, r *Run, k int) (*chunk, error) {
	if c := r.store.chunks.get(r, k); c != nil {
		return c, nil
	}
	from, to := r.bordersOf(k)
	if from.within || to.within {
		return r.chunk(ctx, k)
	}
	return r.makeChunk(ctx, from, to)
}
