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
	return m.tick < c.Tick || m.seq > 0 && m.at.seq < c.Seq
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
	from, to, state, err := s.stretch()
	if state != lookedOn {
		return goal{}, state, err
	}
	k := s.next
	if s.forward {
		s.next, s.tick = k+1, to.tick
	} else {
		s.next, s.tick = k-1, max(0, from.tick)
	}
	if !s.run.timeline.mayHold(s.sought, from.tick+1, to.tick) {
		return goal{}, lookedOn, nil
	}
	ctx, leave, err := s.run.store.queue.Enter(ctx)
	if err != nil {
		return goal{}, lookedOn, err
	}
	defer leave()
	matches, err := s.cond(ctx, k)
	if err != nil {
		return goal{}, lookedOn, err
	}
	if m, ok := s.pick(matches); ok {
		return m.at, lookFound, nil
	}
	return goal{}, lookedOn, nil
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
func (s *search) pick(matches []match) (match, bool) {
	if s.forward {
		for _, m := range matches {
			if m.after(s.from) {
				return m, true
			}
		}
		return match{}, false
	}
	for k := len(matches) - 1; k >= 0; k-- {
		if matches[k].before(s.from) {
			return matches[k], true
		}
	}
	return match{}, false
}

// scan gives a chunk for one look: one that is kept, or one made for it and not
// kept, so that a search through a long run leaves others' chunks in the cache.
func (r *Run) scan(ctx context.Context, k int) (*chunk, error) {
	if c := r.store.chunks.get(r, k); c != nil {
		return c, nil
	}
	return r.makeChunk(ctx, k)
}
