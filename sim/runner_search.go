package sim

import "time"

// SearchOutcome says how a search stands.
type SearchOutcome uint8

const (
	SearchOn      SearchOutcome = iota // it goes on
	SearchFound                        // the cursor stands there
	SearchNone                         // there is none that way; the cursor stands where it stood
	SearchStopped                      // another movement took its place
)

var searchOutcomes = [...]string{"on", "found", "none", "stopped"}

// String is the word for it in a message.
func (o SearchOutcome) String() string { return searchOutcomes[o] }

// Search tells how a search stands.
type Search struct {
	Sought  Sought
	Forward bool
	Tick    int64 // how far it has come; where the cursor stands when it is found
	Outcome SearchOutcome
}

// Find pauses and goes to the next place after the cursor where a condition comes
// true, or the last one before it. What takes long is done in pieces of
// FrameWorkMax, between which commands have their turn; any other movement, and
// Pause, ends it. Searched tells how it came out.
func (r *Runner) Find(w Sought, forward bool) error {
	s, err := r.run.search(w, r.cursor, forward)
	if err != nil {
		return err
	}
	r.Pause()
	r.forget()
	r.search = s
	s.told = r.clock.Now()
	return r.look(s.told)
}

// look goes on with the search for one piece.
func (r *Runner) look(now time.Time) error {
	start := r.clock.Now()
	for range FramePiecesMax {
		at, state, err := r.search.look(r.ctx)
		switch {
		case err != nil && r.outOfTime(): // it goes on without the request, which is answered
			r.lookAgain(now, 0)
			return nil
		case err != nil:
			r.endSearch(SearchNone)
			return err
		case state == lookFound:
			return r.found(at)
		case state == lookEnded:
			r.endSearch(SearchNone)
			return nil
		case state == lookLater:
			r.lookAgain(now, GoalInterval)
			return nil
		}
		if r.clock.Since(start) >= FrameWorkMax {
			break
		}
	}
	r.lookAgain(now, 0)
	return nil
}

// lookAgain goes on with the search after a while, and tells how far it is.
func (r *Runner) lookAgain(now time.Time, after time.Duration) {
	r.wake.set(wakeSearch, now.Add(after))
	if now.Sub(r.search.told) >= ProgressInterval {
		r.search.told = now
		r.tellSearch(SearchOn)
	}
}

// found goes where the search led.
func (r *Runner) found(at goal) error {
	s := r.search
	r.search = nil
	if err := r.reach(at); err != nil {
		return err
	}
	r.audience.Searched(Search{s.sought, s.forward, r.cursor.Tick, SearchFound})
	return nil
}

func (r *Runner) tellSearch(o SearchOutcome) {
	r.audience.Searched(Search{r.search.sought, r.search.forward, r.search.tick, o})
}

func (r *Runner) endSearch(o SearchOutcome) {
	r.tellSearch(o)
	r.search = nil
	r.wake.clear(wakeSearch)
}

// stopSearch ends a search because something else is asked for.
func (r *Runner) stopSearch() {
	if r.search != nil {
		r.endSearch(SearchStopped)
	}
}
