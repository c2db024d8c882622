package cursor

import "time"

// SearchOutcome is the state of a search.
type SearchOutcome uint8

const (
	SearchOn      SearchOutcome = iota // the search continues
	SearchFound                        // the cursor is at the match
	SearchNone                         // there is no match in the direction of the search; the cursor has not moved
	SearchStopped                      // the search ended because another movement or a pause was requested
)

var searchOutcomes = [...]string{"on", "found", "none", "stopped"}

// String returns the name by which messages refer to the outcome, such as "found".
func (o SearchOutcome) String() string { return searchOutcomes[o] }

// Search reports the state of a search.
type Search struct {
	Query   Query
	Forward bool
	Tick    int64 // last tick searched so far or, if Outcome is SearchFound, the cursor's tick
	Outcome SearchOutcome
}

// Find pauses playback and moves the cursor to the next match of query w or, if forward is false, to the
// previous one. It interrupts a long search about every FrameWorkMax to execute other requests. A request
// for another movement, or a call of Pause, ends the search. Listener.OnSearch receives the result.
func (r *Runner) Find(w Query, forward bool) error {
	s, err := newSearch(r.run, w, r.cursor, forward)
	if err != nil {
		return err
	}
	r.Pause()
	r.forget()
	r.search = s
	s.reported = r.clock.Now()
	return r.searchPart(s.reported)
}

// searchPart continues the search for about FrameWorkMax.
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

// searchAgain schedules the next call of searchPart for the time `after` from now. It also reports the
// progress of the search, at most once per ProgressInterval.
func (r *Runner) searchAgain(now time.Time, after time.Duration) {
	r.wake.set(wakeSearch, now.Add(after))
	if now.Sub(r.search.reported) >= ProgressInterval {
		r.search.reported = now
		r.reportSearch(SearchOn)
	}
}

// found moves the cursor to the position of the match.
func (r *Runner) found(at goal) error {
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

// stopSearch ends the search, if any, because another movement or a pause has been requested.
func (r *Runner) stopSearch() {
	if r.search != nil {
		r.endSearch(SearchStopped)
	}
}
