package cursor

import (
	"context"
	"github.com/wheelscope/wheelscope/sim"
	"sort"
	"time"
)

// Condition is the kind of a search condition.
type Condition uint8

const (
	ConditionExpire  Condition = iota + 1 // a timer fires
	ConditionCascade                      // a timer moves between levels
	ConditionReject                       // a lane rejects a timer
	ConditionFinding                      // an algorithm shows a finding
	ConditionTimer                        // any event of a timer with the name Query.Timer
	ConditionSlot                         // the number of timers in a slot exceeds Query.Over
	ConditionCost                         // a lane's cost of a tick with events exceeds Query.Over
	ConditionDiffer                       // the lanes fire or reject different timers in a tick
)

var conditionNames = [...]string{"", "expire", "cascade", "reject", "finding", "timer", "slot", "cost", "differ"}

// String returns the name by which requests refer to the condition, such as "expire".
func (w Condition) String() string { return conditionNames[w] }

// ConditionOf returns the condition whose name in requests is word, or false if there is none.
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
	Timer     string // name of the timer to search for; only if Condition is ConditionTimer
	Over      int64  // threshold; only for ConditionSlot (in timers) and ConditionCost (in units of work)
}

// match is an event or a tick that satisfies a condition, and the position to which a search moves the
// cursor.
type match struct {
	tick int64
	seq  int64 // seq of the matching event; 0 means that the tick as a whole matches
	at   goal
	open *sim.Chunk // chunk of the event if its step ends in a later chunk; the field "at" is then not set yet
}

// after reports whether the match is after position c.
func (m match) after(c Position) bool {
	if m.seq > 0 {
		return m.seq > c.Seq
	}
	return m.tick > c.Tick || m.tick == c.Tick && !c.Whole
}

// before reports whether the position of the match is before c. A tick that matches as a whole is before c
// only if c is in a later tick.
func (m match) before(c Position) bool {
	if m.tick < c.Tick || m.seq == 0 {
		return m.tick < c.Tick
	}
	if m.open != nil { // its position is after the chunk
		return m.open.Last()+1 < c.Seq
	}
	return m.at.seq < c.Seq
}

// close returns m with its field "at" set to the end of the event's step, which may be in a later chunk
// than the event.
func (s *search) close(ctx context.Context, m match) (match, error) {
	if m.open == nil {
		return m, nil
	}
	end, err := s.run.OpenEnd(ctx, m.open)
	m.at, m.open = goal{tick: -1, seq: end}, nil
	return m, err
}

// search looks for the first match in one direction from a position, chunk by chunk. It skips chunks that
// cannot contain a match according to the timeline. The only chunks that it caches are parts of a tick.
type search struct {
	run      *sim.Run
	query    Query
	cond     condition
	forward  bool
	from     Position
	next     int       // number of the next chunk to search
	divided  *tickScan // search within a tick that has several chunks; nil means none
	tick     int64     // last tick searched so far
	reported time.Time // time of the last progress report
}

// newSearch returns a search of run r for a match of query w that starts at position `from`. The error is a
// *scenario.InputError.
func newSearch(r *sim.Run, w Query, from Position, forward bool) (*search, error) {
	if w.Condition == ConditionDiffer {
		w.Lane = -1 // it applies to all lanes together
	}
	cond, err := conditionOf(r, w)
	if err != nil {
		return nil, err
	}
	borders, _, _ := r.Borders()
	rest := borders[1:]
	k := sort.Search(len(rest), func(i int) bool { return rest[i].Tick >= from.Tick })
	for k < len(rest) && rest[k].Within && (rest[k].Seq < from.Seq || forward && rest[k].Seq == from.Seq) {
		k++ // to the part of the tick in which the cursor is
	}
	if !forward {
		k = min(k, len(rest)-1)
	}
	return &search{run: r, query: w, cond: cond, forward: forward, from: from, next: k, tick: from.Tick}, nil
}

// progress is the result of a call of search.nextPart.
type progress uint8

const (
	lookedOn  progress = iota // there are more chunks to search
	partLater                 // the next chunk has not been computed yet
	partFound
	partEnded // there is no match
)

// nextPart searches the next chunk. It returns the position of the match and partFound, or why it has not
// found one.
func (s *search) nextPart(ctx context.Context) (goal, progress, error) {
	if s.divided != nil {
		return s.nextDividedPart(ctx)
	}
	from, to, state, err := s.nextRange()
	if state != lookedOn {
		return goal{}, state, err
	}
	k, first, end := s.next, s.next, s.next+1
	divided := (from.Within || to.Within) && s.query.Condition.wholeTicks()
	if divided {
		first, end = s.run.TickChunks(to.Tick)
		from, _ = s.run.BordersOf(first)
	}
	if s.forward {
		s.next, s.tick = end, to.Tick
	} else {
		s.next, s.tick = first-1, max(0, from.Tick)
	}
	began := from.Tick + 1
	if from.Within {
		began = from.Tick
	}
	if !mayHold(s.run, s.query, began, to.Tick) {
		return goal{}, lookedOn, nil
	}
	ctx, leave, err := s.run.Enter(ctx)
	if err != nil {
		return goal{}, lookedOn, err
	}
	defer leave()
	if divided {
		return goal{}, lookedOn, s.divide(ctx, to.Tick, first, end)
	}
	matches, err := s.cond(ctx, k)
	if err != nil {
		return goal{}, lookedOn, err
	}
	return s.choose(ctx, matches)
}

// choose selects the match that is nearest to the start of the search, and returns its position and
// partFound. It returns lookedOn if no match is in the direction of the search.
func (s *search) choose(ctx context.Context, matches []match) (goal, progress, error) {
	m, ok, err := s.pick(ctx, matches)
	if err != nil || !ok {
		return goal{}, lookedOn, err
	}
	return m.at, partFound, nil
}

// nextRange returns the borders of the next chunk. state is lookedOn if the chunk has been computed,
// partLater if it has not been computed yet, and partEnded if there is no next chunk.
func (s *search) nextRange() (from, to sim.Border, state progress, err error) {
	borders, over, err := s.run.Borders()
	switch {
	case s.next < 0:
		return from, to, partEnded, nil
	case s.next+1 < len(borders):
		return borders[s.next], borders[s.next+1], lookedOn, nil
	case over:
		return from, to, partEnded, err
	}
	return from, to, partLater, nil
}

// pick returns the match nearest to the start of the search, or false if there is none in its direction.
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
