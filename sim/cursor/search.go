package cursor

import (
	"context"
	"slices"
	"sort"
	"time"

	"github.com/wheelscope/wheelscope/sim"
)

// Condition is a kind of event or state that a search can look for.
type Condition uint8

const (
	ConditionExpire  Condition = iota + 1 // a timer fires
	ConditionCascade                      // a timer moves between levels
	ConditionReject                       // a lane rejects a timer
	ConditionFinding                      // a lane reports a finding: an effect of a fault in its algorithm
	ConditionTimer                        // any event of a timer named Query.Timer
	ConditionSlot                         // the number of timers in a slot exceeds Query.Over
	ConditionCost                         // the cost of a lane in a tick exceeds Query.Over; ticks without events do not match
	ConditionDiffer                       // the lanes do not all fire and reject the same timers in a tick
)

var conditionNames = [...]string{"", "expire", "cascade", "reject", "finding", "timer", "slot", "cost", "differ"}

// String returns the condition's name in requests, such as "expire".
func (c Condition) String() string { return conditionNames[c] }

// ConditionOf returns the condition with the given name, or false if there is none.
func ConditionOf(word string) (Condition, bool) {
	for i, name := range conditionNames {
		if i > 0 && name == word {
			return Condition(i), true
		}
	}
	return 0, false
}

// Query is a condition to search for.
type Query struct {
	Condition Condition
	Lane      int    // index of the lane to search; -1 for all lanes
	Timer     string // name of the timer to search for; used only if Condition is ConditionTimer
	Over      int64  // threshold; used only for ConditionSlot (a number of timers) and ConditionCost (in units of work)
}

// match is an event or a tick that satisfies the condition of a search, and the position to which the
// search moves the cursor.
type match struct {
	tick int64
	seq  int64        // number of the matching event; 0 means that the tick as a whole matches
	at   sim.Position // position to which the search moves the cursor
}

// after reports whether the match is after position c.
func (m match) after(c sim.Position) bool {
	if m.seq > 0 {
		return m.seq > c.Seq
	}
	return m.tick > c.Tick || m.tick == c.Tick && !c.Whole
}

// before reports whether the position of the match is before c. If a tick matches as a whole, it is before
// c only if c is in a later tick.
func (m match) before(c sim.Position) bool {
	if m.tick < c.Tick || m.seq == 0 {
		return m.tick < c.Tick
	}
	return m.at.Seq < c.Seq
}

// search looks chunk by chunk for the first match in one direction from a position. It skips chunks that, according
// to the timeline, cannot contain a match.
type search struct {
	run      *sim.Run
	query    Query
	cond     condition // function that returns the matches in a chunk
	forward  bool
	from     sim.Position
	next     int       // number of the next chunk to search; -1 if a backward search has ended
	tick     int64     // last tick searched so far
	reported time.Time // time of the last progress report
}

// newSearch returns a search of run r that looks for a match of query q, forward or backward from position
// from. The error is a *scenario.InputError.
func newSearch(r *sim.Run, q Query, from sim.Position, forward bool) (*search, error) {
	if q.Condition == ConditionDiffer {
		q.Lane = -1 // it applies to all lanes together
	}
	cond, err := conditionOf(r, q)
	if err != nil {
		return nil, err
	}
	borders, _, _ := r.Borders()
	rest := borders[1:]
	k := sort.Search(len(rest), func(i int) bool { return rest[i].Tick >= from.Tick })
	if !forward {
		k = min(k, len(rest)-1)
	}
	return &search{run: r, query: q, cond: cond, forward: forward, from: from, next: k, tick: from.Tick}, nil
}

// progress is the result of searching a part of the run.
type progress uint8

const (
	partMore  progress = iota // there are more chunks to search
	partLater                 // the next chunk has not been computed yet
	partFound
	partEnded // there are no more chunks, and no match was found
)

// nextPart searches the next chunk. If it finds a match, it returns the position of the match and partFound.
// Otherwise it returns partMore, partLater or partEnded.
func (s *search) nextPart(ctx context.Context) (sim.Position, progress, error) {
	from, to, state, err := s.nextRange()
	if state != partMore {
		return sim.Position{}, state, err
	}
	k := s.next
	if s.forward {
		s.next, s.tick = k+1, to.Tick
	} else {
		s.next, s.tick = k-1, max(0, from.Tick)
	}
	if !mayHold(s.run, s.query, from.Tick+1, to.Tick) {
		return sim.Position{}, partMore, nil
	}
	ctx, leave, err := s.run.Enter(ctx)
	if err != nil {
		return sim.Position{}, partMore, err
	}
	defer leave()
	matches, err := s.cond(ctx, k)
	if err != nil {
		return sim.Position{}, partMore, err
	}
	if m, ok := s.pick(matches); ok {
		return m.at, partFound, nil
	}
	return sim.Position{}, partMore, nil
}

// nextRange returns the borders of the next chunk to search. state is partMore if the chunk has been computed,
// partLater if it has not been computed yet, and partEnded if there is no next chunk.
func (s *search) nextRange() (from, to sim.Position, state progress, err error) {
	borders, over, err := s.run.Borders()
	switch {
	case s.next < 0:
		return from, to, partEnded, nil
	case s.next+1 < len(borders):
		return borders[s.next], borders[s.next+1], partMore, nil
	case over:
		return from, to, partEnded, err
	}
	return from, to, partLater, nil
}

// pick returns the element of matches that is nearest to the start of the search, or false if no match lies in the
// direction of the search. matches must be in the order of the run.
func (s *search) pick(matches []match) (match, bool) {
	if s.forward {
		k := slices.IndexFunc(matches, func(m match) bool { return m.after(s.from) })
		if k < 0 {
			return match{}, false
		}
		return matches[k], true
	}
	for _, m := range slices.Backward(matches) {
		if m.before(s.from) {
			return m, true
		}
	}
	return match{}, false
}
