package cursor

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/wheelscope/wheelscope/sim"
)

// find searches and returns the Listener calls.
func (g *rig) find(w Query, forward bool) []string {
	g.t.Helper()
	return g.must("find", func(r *Runner) error { return r.Find(w, forward) })
}

var anyExpiry = Query{Condition: ConditionExpire, Lane: -1}

// In the small scenario timers fire at ticks 2 and 5. A search moves from one to the next and
// back, and does not move if there is none.
func TestRunnerFindsForwardAndBack(t *testing.T) {
	withRig(t, rigConfig{}, func(g *rig) {
		expect(t, "the first", g.find(anyExpiry, true), "at 2/4", "framed", "search expire 2 found")
		expect(t, "the second", g.find(anyExpiry, true), "at 5/8", "framed", "search expire 5 found")
		expect(t, "no third", g.find(anyExpiry, true), "search expire 6 none")
		if at, _ := g.at(); at != (sim.Position{Tick: 5, Seq: 8, Whole: true}) {
			t.Errorf("after a search without a match the cursor is at %+v", at)
		}
		g.find(anyExpiry, false)
		expect(t, "none before the first", g.find(anyExpiry, false), "search expire 0 none")
		if at, _ := g.at(); at != (sim.Position{Tick: 2, Seq: 4, Whole: true}) {
			t.Errorf("back at %+v", at)
		}
	})
}

// There is no match before the first event or after the end.
func TestRunnerFindsNothingPastTheEnds(t *testing.T) {
	withRig(t, rigConfig{}, func(g *rig) {
		expect(t, "before anything", g.find(anyExpiry, false), "search expire 0 none")
		g.must("to the end", func(r *Runner) error { return r.Seek(sim.EndOf(6)) })
		expect(t, "at the end", g.find(anyExpiry, true), "search expire 6 none")
		g.find(anyExpiry, false)
		if at, _ := g.at(); at != (sim.Position{Tick: 5, Seq: 8, Whole: true}) {
			t.Errorf("back from the end: %+v", at)
		}
	})
}

// A search pauses, and an invalid condition changes nothing.
func TestRunnerFindPauses(t *testing.T) {
	withRig(t, rigConfig{}, func(g *rig) {
		g.play(2)
		g.do(func(r *Runner) {
			if err := r.Find(Query{Condition: ConditionTimer, Timer: "absent", Lane: -1}, true); err == nil {
				t.Error("a timer that is not there is sought")
			}
		})
		if _, p := g.at(); !p.On {
			t.Error("an error stopped the clock")
		}
		g.find(anyExpiry, true)
		if at, p := g.at(); p.On || at.Tick != 2 {
			t.Errorf("%+v %+v", at, p)
		}
	})
}

// A match that is not computed yet is found as soon as it is.
func TestRunnerFindsWhatIsComputedLater(t *testing.T) {
	withRig(t, rigConfig{busy: true}, func(g *rig) {
		expect(t, "nothing is computed", g.find(anyExpiry, true))
		expect(t, "progress is reported", g.wait(ProgressInterval+GoalInterval), "rested", "search expire 0 on")
		g.free()
		expect(t, "computed", g.wait(GoalInterval), "at 2/4", "framed", "search expire 2 found")
		expect(t, "later", g.wait(time.Minute), "rested")
	})
}

// A search replaces a seek whose destination is not computed yet.
func TestRunnerSearchForgetsAGoal(t *testing.T) {
	withRig(t, rigConfig{busy: true}, func(g *rig) {
		g.must("sought", func(r *Runner) error { return r.Seek(sim.EndOf(6)) })
		g.find(anyExpiry, true)
		g.free()
		expect(t, "computed", g.wait(GoalInterval), "at 2/4", "framed", "search expire 2 found")
	})
}

// Any other request ends a search.
func TestRunnerSearchIsEndedByOtherRequests(t *testing.T) {
	for what, other := range map[string]func(*Runner) error{
		"seek":   func(r *Runner) error { return r.Seek(sim.Start) },
		"pause":  func(r *Runner) error { r.Pause(); return nil },
		"play":   func(r *Runner) error { return r.Play() },
		"step":   func(r *Runner) error { return r.MoveBy(UnitEvent, -1) },
		"open":   func(r *Runner) error { return r.Open(r.Context(), r.CurrentRun(), sim.Start) },
		"search": func(r *Runner) error { return r.Find(Query{Condition: ConditionReject, Lane: -1}, true) },
	} {
		t.Run(what, func(t *testing.T) {
			withRig(t, rigConfig{busy: true}, func(g *rig) {
				g.find(anyExpiry, true)
				calls := g.must(what, other)
				if count(calls, "search expire 0 stopped") != 1 {
					t.Errorf("calls %q", calls)
				}
				g.must("still", func(r *Runner) error { r.Pause(); return nil })
				g.free()
				for _, line := range g.wait(time.Second) {
					if line == "search expire 2 found" {
						t.Error("the search went on")
					}
				}
			})
		})
	}
}

// longSearch has an expiry only at its end, after many chunks of rejections.
const longSearch = `{"wheelscope":1,"until":3000,"lanes":[{"algorithm":"simple","slots":4}],"workload":{
 "ops":[{"at":2990,"op":"schedule","timer":"last","delay":2}],
 "generate":[{"prefix":"g","seed":1,"count":2900,"arrivals":{"dist":"constant","every":1},"delay":{"dist":"constant","value":9}}]}}`

// A long search is done in pieces, with a request between two of them.
func TestRunnerSearchesInPieces(t *testing.T) {
	sizes := tiny
	sizes.ChunkEvents = 4
	withRig(t, rigConfig{scenario: longSearch, sizes: sizes}, func(g *rig) {
		last := Query{Condition: ConditionTimer, Lane: -1, Timer: "last"}
		g.must("find", func(r *Runner) error {
			r.queue.requests <- waitingRequest{since: r.clock.Now(), Request: requestFunc(func() { // it already waits, so it is executed after the first piece
				if r.search == nil || r.search.tick < 100 || r.search.tick > 2000 {
					t.Errorf("after a piece the search is %+v", r.search)
				}
				r.Pause()
			})}
			return r.Find(last, true)
		})
		if at, _ := g.at(); at != (sim.Position{}) {
			t.Errorf("stopped at %+v", at)
		}
		g.find(last, true)
		calls := g.wait(time.Second)
		if count(calls, "search timer 2990 found") != 1 {
			t.Errorf("calls %q", calls)
		}
	})
}

// At the end of a run that was not computed completely, a search reports why it ends.
func TestRunnerSearchInARunThatEndsEarly(t *testing.T) {
	sizes := tiny
	sizes.WorkMax = 200
	withRig(t, rigConfig{scenario: longSearch, sizes: sizes}, func(g *rig) {
		synctest.Wait()
		g.do(func(r *Runner) {
			if err := r.Find(Query{Condition: ConditionTimer, Lane: -1, Timer: "last"}, true); err == nil {
				t.Error("found in what is not computed")
			}
		})
		if calls := g.do(nothing); count(calls, "search timer 0 found") != 0 {
			t.Errorf("calls %q", calls)
		}
	})
}
