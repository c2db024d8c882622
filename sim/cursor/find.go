package cursor

import (
	"time"

	"github.com/wheelscope/wheelscope/sim"
)

// SearchOutcome is the state of a search, or its result if it has ended.
type SearchOutcome uint8

const (
	SearchOn      SearchOutcome = iota // the search is in progress
	SearchFound                        // the cursor is at the match
	SearchNone                         // there is no match in the direction of the search, or the search has failed; the cursor has not moved
	SearchStopped                      // the search ended because another movement or a pause was requested
)

var searchOutcomes = [...]string{"on", "found", "none", "stopped"}

// String returns the outcome's name in messages, such as "found".
func (o SearchOutcome) String() string { return searchOutcomes[o] }

// Search is the progress or the result of a search, as reported to Listener.OnSearch.
type Search struct {
	Query   Query
	Forward bool
	Tick    int64 // last tick searched so far or, if Outcome is SearchFound, the cursor's tick
	Outcome SearchOutcome
}

// Find pauses playback and moves the cursor to the next match of query q or, if forward is false, to the previous
// match. A long search is split into parts of about FrameWorkMax, between which other requests can be executed. A
// request for another movement or a call to Pause ends the search. Listener.OnSearch receives its progress and its
// result.
func (r *Runner) Find(q Query, forward bool) error {
	s, err := newSearch(r.run, q, r.cursor, forward)
	if err != nil {
		return err
	}
	r.Pause()
	r.forget()
	r.search = s
	s.reported = r.clock.Now()
	return r.searchPart(s.reported)
}

// searchPart continues the search for at most about FrameWorkMax. If the search has not ended by then, another call
// to searchPart is scheduled, so that other requests can be executed in between.
func (r *Runner) searchPart(now time.Time) error {
	start := r.clock.Now()
	for range FrameRangesMax {
		at, state, err := r.search.nextPart(r.ctx)
		switch {
		case err != nil && r.outOfTime(): // the request is answered, but the search continues
			r.searchAgain(now, 0)
			return nil
		case err != nil:
			r.endSearch(SearchNone)
			return err
		case state == partFound:
			return r.found(at)
		case state == partEnded:
			r.endSearch(SearchNone)
			return nil
		case state == partLater:
			r.searchAgain(now, GoalInterval)
			return nil
		}
		if r.clock.Since(start) >= FrameWorkMax {
			break
		}
	}
	r.searchAgain(now, 0)
	return nil
}

// searchAgain schedules the next call to searchPart after the given delay. It also reports the progress of
// the search, at most once per ProgressInterval.
func (r *Runner) searchAgain(now time.Time, delay time.Duration) {
	r.wake.set(wakeSearch, now.Add(delay))
	if now.Sub(r.search.reported) >= ProgressInterval {
		r.search.reported = now
		r.reportSearch(SearchOn)
	}
}

// found ends the search and moves the cursor to at, the position of the match.
func (r *Runner) found(at sim.Position) error {
	s := r.search
	r.search = nil
	if err := r.reach(at); err != nil {
		return err
	}
	r.listener.OnSearch(Search{s.query, s.forward, r.cursor.Tick, SearchFound})
	return nil
}

func (r *Runner) reportSearch(o SearchOutcome) {
	r.listener.OnSearch(Search{r.search.query, r.search.forward, r.search.tick, o})
}

func (r *Runner) endSearch(o SearchOutcome) {
	r.reportSearch(o)
	r.search = nil
	r.wake.clear(wakeSearch)
}

// stopSearch ends the search, if there is one. It is called when another movement or a pause is requested.
func (r *Runner) stopSearch() {
	if r.search != nil {
		r.endSearch(SearchStopped)
	}
}
