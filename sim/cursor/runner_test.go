package cursor

import (
	"slices"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/sim"
)

const runnerScenario = `{"wheelscope":1,"name":"r","until":6,"lanes":[{"algorithm":"simple","slots":4}],
 "workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":2},{"at":3,"op":"schedule","timer":"b","delay":2}]}}`

// withRunner runs a test with a runner on the small scenario.
func withRunner(t *testing.T, test func(mock *clock.Mock, do func(func(*Runner)) []string)) {
	t.Helper()
	withRig(t, rigConfig{}, func(g *rig) { test(g.mock, g.do) })
}

func expect(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

func nothing(*Runner) {}

// At two ticks per second each tick is shown half a second after the previous one, and none
// earlier.
func TestRunnerPlaysByTheClock(t *testing.T) {
	withRunner(t, func(mock *clock.Mock, do func(func(*Runner)) []string) {
		do(func(r *Runner) { r.SetRate(2) })
		do(func(r *Runner) { r.Play() })
		expect(t, "at once", do(nothing), "moved 0-2 to 0", "framed")
		mock.Add(499 * time.Millisecond)
		expect(t, "before half a second", do(nothing))
		mock.Add(time.Millisecond)
		expect(t, "at half a second", do(nothing), "moved 2-2 to 1", "framed")
		mock.Add(500 * time.Millisecond)
		expect(t, "at a second", do(nothing), "moved 2-4 to 2", "framed")
		do(func(r *Runner) { r.Pause() })
		mock.Add(time.Minute)
		expect(t, "paused", do(nothing), "rested")
	})
}

// A runner that is late shows the tick that is due in one frame and skips those before.
func TestRunnerIsNotBehindAfterAPause(t *testing.T) {
	withRunner(t, func(mock *clock.Mock, do func(func(*Runner)) []string) {
		do(func(r *Runner) { r.SetRate(100) })
		do(func(r *Runner) { r.Play() })
		do(nothing)
		do(func(*Runner) { mock.Set(mock.Now().Add(45 * time.Millisecond)) }) // the runner is busy meanwhile
		calls := do(nothing)
		frames := 0
		for _, s := range calls {
			if s == "framed" {
				frames++
			}
		}
		if frames != 1 || len(calls) < 2 || calls[len(calls)-2] != "moved 6-6 to 4" {
			t.Errorf("after 45 ms: %q", calls)
		}
	})
}

// Playing stops at the end, and starts from the beginning again.
func TestRunnerStopsAtTheEndAndStartsAgain(t *testing.T) {
	withRunner(t, func(mock *clock.Mock, do func(func(*Runner)) []string) {
		do(func(r *Runner) { r.SetRate(0) })
		do(func(r *Runner) { r.Play() })
		calls := do(nothing)
		if last := calls[len(calls)-1]; last != "playing false 0 true" {
			t.Errorf("as fast as possible: %q", calls)
		}
		calls = do(func(r *Runner) { r.Play() })
		expect(t, "again", calls[:2], "at 0/0", "framed")
	})
}

// A seek past the end, and a rate out of range, change nothing.
func TestRunnerErrorsChangeNothing(t *testing.T) {
	withRunner(t, func(_ *clock.Mock, do func(func(*Runner)) []string) {
		do(func(r *Runner) { r.Seek(sim.EndOf(2)) })
		var before, after sim.Position
		do(func(r *Runner) {
			before = r.Position()
			for what, err := range map[string]error{"tick": r.Seek(sim.EndOf(7)), "seq": r.Seek(sim.After(100)), "negative": r.Seek(sim.After(-1)), "rate": r.SetRate(-3), "open": r.Open(r.Context(), r.CurrentRun(), sim.EndOf(7))} {
				if err == nil {
					t.Errorf("%s: no error", what)
				}
			}
			after = r.Position()
		})
		if before != after || before != (sim.Position{Tick: 2, Seq: 4, Whole: true}) {
			t.Errorf("at %+v, was at %+v", after, before)
		}
	})
}
