package cursor

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
)

func endless() rigConfig {
	sizes := tiny
	sizes.WorkMax = 2000
	return rigConfig{scenario: plantest.Endless, sizes: sizes}
}

// A run that is too long plays up to the last computed tick, reports once why it stops there,
// and can still be viewed before that tick.
func TestRunnerStopsWhereATooLongRunEnds(t *testing.T) {
	withRig(t, endless(), func(g *rig) {
		end, done := g.run.Computed()
		if done || end < 100 {
			t.Fatalf("computed up to %d, done %v", end, done)
		}
		g.play(0)
		calls := g.wait(time.Minute)
		failures := 0
		for _, s := range calls {
			if strings.HasPrefix(s, "failed until: the run is too long") {
				failures++
			}
		}
		if at, p := g.at(); at.Tick != end || p.On || p.End || failures != 1 {
			t.Errorf("%+v %+v, %d failures reported; computed up to %d", at, p, failures, end)
		}
		if count(calls, "rested") != 1 {
			t.Error("it did not come to rest")
		}
		expect(t, "after that", g.wait(time.Minute))
		g.must("back", func(r *Runner) error { return r.MoveBy(UnitTick, -1) })
		if at, _ := g.at(); at.Tick != end-1 {
			t.Errorf("a tick back from %d is %d", end, at.Tick)
		}
	})
}

// Every way to move past the computed part fails with the reason, and the cursor does not
// move.
func TestRunnerRefusesWhatATooLongRunHasNot(t *testing.T) {
	withRig(t, endless(), func(g *rig) {
		end, _ := g.run.Computed()
		g.must("seek to the last", func(r *Runner) error { return r.Seek(sim.EndOf(end)) })
		before, _ := g.at()
		for what, f := range map[string]func(*Runner) error{
			"tick":         func(r *Runner) error { return r.Seek(sim.EndOf(end + 1)) },
			"the end":      func(r *Runner) error { return r.Seek(sim.EndOf(r.CurrentRun().Program().Until)) },
			"event":        func(r *Runner) error { return r.Seek(sim.After(1 << 40)) },
			"step by tick": func(r *Runner) error { return r.MoveBy(UnitTick, 1) },
			"step":         func(r *Runner) error { return r.MoveBy(UnitStep, 1) },
			"step by one":  func(r *Runner) error { return r.MoveBy(UnitEvent, 1) },
			"open":         func(r *Runner) error { return r.Open(r.Context(), r.CurrentRun(), sim.EndOf(end+5)) },
		} {
			var err error
			g.do(func(r *Runner) { err = f(r) })
			var long *sim.TooLongError
			if !errors.As(err, &long) || long.Tick != end {
				t.Errorf("%s: %v, want that it is too long past tick %d", what, err, end)
			}
			if at, _ := g.at(); at != before {
				t.Errorf("%s: at %+v, was at %+v", what, at, before)
			}
		}
	})
}

// No more progress is reported after the first pass of a run has stopped.
func TestRunnerReportsNoProgressOfATooLongRun(t *testing.T) {
	withRig(t, endless(), func(g *rig) {
		g.wait(time.Second)
		calls := g.heard.progress
		g.wait(time.Minute)
		if calls == 0 || g.heard.progress != calls {
			t.Errorf("%d reports, then %d more", calls, g.heard.progress-calls)
		}
	})
}

// If the store is closed while a session waits for a run, the session is notified and stops
// playing.
func TestRunnerOfAClosedStore(t *testing.T) {
	withRig(t, rigConfig{busy: true}, func(g *rig) {
		g.must("seek", func(r *Runner) error { return r.Seek(sim.EndOf(3)) })
		g.store.Close()
		var err error
		g.do(func(r *Runner) { err = r.Seek(sim.EndOf(6)) })
		calls := g.wait(time.Second)
		at, p := g.at()
		// With so few events the pass may have ended before it checked.
		if _, done := g.run.Computed(); done {
			if err != nil || at.Tick != 6 {
				t.Errorf("computed, and yet %v at %+v", err, at)
			}
			return
		}
		if !errors.Is(err, sim.ErrClosed) || p.On || at != (sim.Position{}) {
			t.Errorf("%v, %+v %+v, calls %q", err, at, p, calls)
		}
	})
}

// Moves before an error are shown in a frame, so that the page shows the cursor's position.
func TestRunnerFramesWhatItMovedBeforeAnError(t *testing.T) {
	withRig(t, endless(), func(g *rig) {
		g.play(0)
		calls := g.wait(time.Second)
		open := false // moved without a call of OnFrame
		for _, s := range calls {
			switch {
			case strings.HasPrefix(s, "moved"), strings.HasPrefix(s, "at"):
				open = true
			case s == "framed":
				open = false
			case strings.HasPrefix(s, "failed") && open:
				t.Error("it failed before it showed its position")
			}
		}
	})
}

// A single tick with more events than a range of events may have is skipped with a jump.
func TestRunnerJumpsOverATickWithManyEvents(t *testing.T) {
	const manyEvents = `{"wheelscope":1,"name":"crowd","until":5,"lanes":[{"algorithm":"simple","slots":8}],"workload":{"ops":[],
	 "generate":[{"prefix":"c","seed":1,"count":40000,"arrivals":{"dist":"constant","value":0},"delay":{"dist":"constant","value":3}}]}}`
	withRig(t, rigConfig{scenario: manyEvents}, func(g *rig) {
		g.play(1)
		calls := g.do(nothing)
		expect(t, "the first tick has 80,000 events", calls[len(calls)-2:], "at 0/80000", "framed")
		g.wait(5 * time.Second)
		if at, p := g.at(); at.Tick != 5 || at.Seq != 120001 || !p.End {
			t.Errorf("%+v %+v", at, p)
		}
		g.must("back", func(r *Runner) error { return r.Seek(sim.Start) })
		expect(t, "a tick by hand", g.must("step", func(r *Runner) error { return r.MoveBy(UnitTick, 1) }), "at 0/80000", "framed")
	})
}

// takeMemory reserves all free memory of the rig's store.
func (g *rig) takeMemory() *budget.Reservation {
	mem, err := g.store.Memory().Reserve(0)
	if err != nil {
		g.t.Error(err)
	}
	mem.Set(2 * g.store.Memory().Limit())
	return mem
}

// A seek without memory is retried when there is memory again, and fails after sim.ShortWait.
func TestRunnerSeeksWhenThereIsMemory(t *testing.T) {
	withRig(t, rigConfig{}, func(g *rig) {
		mem := g.takeMemory()
		g.must("seek", func(r *Runner) error { return r.Seek(sim.EndOf(3)) })
		g.wait(sim.ShortWait / 2)
		if at, _ := g.at(); at.Tick == 3 {
			t.Error("it is there without memory")
		}
		mem.Release()
		g.wait(time.Second / 5)
		if at, _ := g.at(); at.Tick != 3 {
			t.Errorf("at %+v although there is memory", at)
		}
		mem = g.takeMemory()
		defer mem.Release()
		var failure error
		g.must("seek", func(r *Runner) error {
			err := r.Seek(sim.EndOf(1))
			r.Arrived(func(err error) { failure = err })
			return err
		})
		g.wait(sim.ShortWait + time.Second)
		if !errors.As(failure, new(*sim.NoMemoryError)) {
			t.Errorf("the seek ended with %v", failure)
		}
	})
}

// A session whose frames lack memory continues when there is memory again, and stops after
// memoryWaitMax.
func TestRunnerWaitsForMemory(t *testing.T) {
	withRig(t, rigConfig{}, func(g *rig) {
		mem := g.takeMemory()
		g.play(60)
		calls := g.wait(memoryWaitMax / 2)
		before, p := g.at()
		if !p.On || slices.ContainsFunc(calls, func(s string) bool { return strings.HasPrefix(s, "failed") }) {
			t.Errorf("%+v after %v without memory, calls %q", p, memoryWaitMax/2, calls)
		}
		mem.Release()
		g.wait(time.Second)
		if after, _ := g.at(); after.Seq == before.Seq {
			t.Errorf("at %+v a second after there is memory", after)
		}
		g.must("seek", func(r *Runner) error { return r.Seek(sim.EndOf(0)) })
		mem = g.takeMemory()
		defer mem.Release()
		g.play(60)
		if calls := strings.Join(g.wait(memoryWaitMax+time.Second), "\n"); strings.Count(calls, "failed ") != 1 {
			t.Errorf("without memory for longer than %v: calls %s", memoryWaitMax, calls)
		}
		if _, p := g.at(); p.On {
			t.Error("it plays on")
		}
	})
}
