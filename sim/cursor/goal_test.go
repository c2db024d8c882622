package cursor

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
)

// A run of which nothing is computed is opened at once, before the first event.
func TestRunnerOpensWhatIsNotComputed(t *testing.T) {
	withRig(t, rigConfig{busy: true}, func(g *rig) {
		if at, p := g.at(); at != (sim.Position{}) || p.On || p.End {
			t.Errorf("%+v %+v", at, p)
		}
		snap := &engine.Snapshot{}
		g.must("snapshot", func(r *Runner) (err error) { snap, err = r.Snapshot(0); return err })
		if snap.Seq != 0 || len(snap.Lanes) != 1 {
			t.Errorf("%+v", snap)
		}
		g.free()
	})
}

// A position that is not computed is shown as soon as it is. Until then the cursor does not
// move.
func TestRunnerReachesItsGoalLater(t *testing.T) {
	for what, seek := range map[string]func(*Runner) error{
		"tick": func(r *Runner) error { return r.Seek(sim.EndOf(3)) },
		"seq":  func(r *Runner) error { return r.Seek(sim.After(5)) },
	} {
		t.Run(what, func(t *testing.T) {
			withRig(t, rigConfig{busy: true}, func(g *rig) {
				g.wait(time.Second)
				expect(t, "sought", g.must("seek", seek))
				expect(t, "while it is computed", g.wait(time.Minute))
				g.free()
				calls := g.wait(GoalInterval)
				want := map[string]string{"tick": "at 3/6", "seq": "at 3/5"}[what]
				expect(t, "computed", calls, want, "framed")
				expect(t, "later", g.wait(time.Minute), "rested")
			})
		})
	}
}

// Of several requested movements the last one counts.
func TestRunnerForgetsAGoalForALaterOne(t *testing.T) {
	withRig(t, rigConfig{busy: true}, func(g *rig) {
		g.must("first", func(r *Runner) error { return r.Seek(sim.EndOf(6)) })
		g.must("second", func(r *Runner) error { return r.Seek(sim.EndOf(2)) })
		g.free()
		g.wait(time.Second)
		if at, _ := g.at(); at != (sim.Position{Tick: 2, Seq: 4, Whole: true}) {
			t.Errorf("%+v", at)
		}
	})
	withRig(t, rigConfig{busy: true}, func(g *rig) {
		g.must("sought", func(r *Runner) error { return r.Seek(sim.EndOf(6)) })
		g.must("home", func(r *Runner) error { return r.Seek(sim.Start) })
		g.free()
		g.wait(time.Second)
		if at, _ := g.at(); at != (sim.Position{}) {
			t.Errorf("%+v", at)
		}
	})
}

// Playing waits until more is computed, and then plays it at its rate.
func TestRunnerPlaysWhatIsComputedLater(t *testing.T) {
	withRig(t, rigConfig{busy: true}, func(g *rig) {
		g.play(2)
		expect(t, "nothing is computed", g.wait(10*time.Second))
		g.free()
		calls := g.wait(FrameInterval)
		if at, p := g.at(); at.Tick > 1 || !p.On || count(calls, "framed") != 1 {
			t.Errorf("%+v %+v after %q", at, p, calls)
		}
		g.wait(4 * time.Second)
		if at, p := g.at(); at.Tick != 6 || p.On || !p.End {
			t.Errorf("%+v %+v", at, p)
		}
	})
}

// Playback that is started during a seek starts at its destination, although the ticks before it are computed
// earlier.
func TestRunnerPlaysFromItsGoal(t *testing.T) {
	for what, c := range map[string]struct {
		at   int64 // where the run is opened, as in rigConfig
		seek func(*Runner) error
	}{
		"opened there": {3 + 1, func(*Runner) error { return nil }},
		"sought":       {0, func(r *Runner) error { return r.Seek(sim.EndOf(3)) }},
	} {
		t.Run(what, func(t *testing.T) {
			withRig(t, rigConfig{busy: true, at: c.at}, func(g *rig) {
				g.must("seek", c.seek)
				g.play(2)
				g.free()
				calls := g.wait(FrameInterval) // less than GoalInterval
				calls = append(calls, g.wait(GoalInterval)...)
				if len(calls) == 0 || calls[0] != "at 3/6" {
					t.Errorf("it shows %q, want tick 3 first", calls)
				}
				g.wait(time.Second)
				if at, p := g.at(); at.Tick != 5 || !p.On {
					t.Errorf("a second later %+v %+v, want tick 5", at, p)
				}
			})
		})
	}
}

// A step to events that are not computed is refused after StepWaitMax, so that it does not
// delay later requests.
func TestRunnerStepDoesNotWaitForEver(t *testing.T) {
	for what, by := range map[string]Unit{"tick": UnitTick, "step": UnitStep, "event": UnitEvent} {
		t.Run(what, func(t *testing.T) {
			withRig(t, rigConfig{busy: true}, func(g *rig) {
				var err error
				start := time.Now()
				g.do(func(r *Runner) { err = r.MoveBy(by, 1) })
				if took := time.Since(start); err != errNotYet || took != StepWaitMax {
					t.Errorf("after %v: %v", took, err)
				}
				if at, _ := g.at(); at != (sim.Position{}) {
					t.Errorf("%+v", at)
				}
				g.must("back", func(r *Runner) error { return r.MoveBy(by, -1) })
				g.free()
				g.must("forward", func(r *Runner) error { return r.MoveBy(by, 1) })
				if at, _ := g.at(); at == (sim.Position{}) {
					t.Error("no step though it is computed")
				}
			})
		})
	}
}

// A run that is opened at a tick that is not computed begins before the first event and seeks
// to the tick later.
func TestRunnerOpensAtATickLater(t *testing.T) {
	withRig(t, rigConfig{busy: true, at: 3 + 1}, func(g *rig) {
		if at, _ := g.at(); at != (sim.Position{}) {
			t.Errorf("%+v", at)
		}
		g.free()
		g.wait(time.Second)
		if at, _ := g.at(); at != (sim.Position{Tick: 3, Seq: 6, Whole: true}) {
			t.Errorf("%+v", at)
		}
	})
}

// Progress is reported at intervals while the run is computed, and not afterwards.
func TestRunnerReportsProgressWhileThereIsSome(t *testing.T) {
	withRig(t, rigConfig{busy: true}, func(g *rig) {
		g.wait(10 * time.Second)
		if most := int(10*time.Second/ProgressInterval) + 1; g.heard.progress > most || g.heard.progress < most-2 {
			t.Errorf("%d reports in 10 s, want %d", g.heard.progress, most)
		}
		g.free()
		g.wait(ProgressInterval)
		done := g.heard.progress
		g.wait(time.Minute)
		if g.heard.progress != done {
			t.Errorf("%d reports after it was done", g.heard.progress-done)
		}
	})
}

// A session that ends while it waits for a run ends at once.
func TestRunnerEndsWhileItWaits(t *testing.T) {
	withRig(t, rigConfig{busy: true}, func(g *rig) {
		var err error
		ended := make(chan struct{})
		g.heard.runner.Do(func() {
			err = g.heard.runner.MoveBy(UnitStep, 1)
			close(ended)
		})
		synctest.Wait()
		start := time.Now()
		g.cancel()
		<-ended
		if took := time.Since(start); took != 0 || err == nil || errors.Is(err, errNotYet) {
			t.Errorf("after %v: %v", took, err)
		}
		g.free()
	})
}

// The function set with Arrived is called once: when the cursor has moved, when something else
// is requested, or when the destination will never be computed.
func TestRunnerReportsItsArrival(t *testing.T) {
	for what, c := range map[string]struct {
		then     func(*rig)
		computed bool
		never    bool // the run is too long to be computed to the destination
	}{
		"there":   {(*rig).free, true, false},
		"another": {func(g *rig) { g.must("home", func(r *Runner) error { return r.Seek(sim.Start) }) }, false, false},
		"a step":  {func(g *rig) { g.must("back", func(r *Runner) error { return r.MoveBy(UnitStep, -1) }) }, false, false},
		"never":   {(*rig).free, true, true},
	} {
		t.Run(what, func(t *testing.T) {
			config, tick := rigConfig{}, int64(3)
			if c.never {
				config, tick = endless(), 1<<40
			}
			config.busy = true
			withRig(t, config, func(g *rig) {
				var calls []error
				g.must("seek", func(r *Runner) error { return r.Seek(sim.EndOf(tick)) })
				g.do(func(r *Runner) {
					if !r.Seeking() {
						t.Error("it is not computed, and yet not sought")
					}
					r.Arrived(func(err error) { calls = append(calls, err) })
				})
				if g.wait(time.Second); len(calls) > 0 {
					t.Errorf("arrived with %v too early", calls)
				}
				c.then(g)
				g.wait(time.Second)
				var long *sim.TooLongError
				if len(calls) != 1 || errors.As(calls[0], &long) != c.never || !c.never && calls[0] != nil || g.heard.runner.Seeking() {
					t.Errorf("arrived with %v", calls)
				}
				if !c.computed {
					g.free()
				}
			})
		})
	}
}

// A seek that takes long to compute is answered in time, and ends later.
func TestRunnerAnswersALongSeek(t *testing.T) {
	withRig(t, rigConfig{busy: true}, func(g *rig) {
		answers := 0
		g.must("seek", func(r *Runner) error { return r.Seek(sim.EndOf(3)) })
		g.do(func(r *Runner) {
			r.Arrived(func(err error) {
				if answers++; err != nil {
					t.Error(err)
				}
			})
		})
		if g.wait(SeekAnswerMax - time.Second); answers != 0 {
			t.Errorf("%d answers too early", answers)
		}
		g.wait(2 * time.Second)
		time.Sleep(2 * GoalInterval) // for an attempt that has begun
		if g.wait(GoalInterval); answers != 1 || !g.heard.runner.Seeking() {
			t.Errorf("%d answers; goes on: %t", answers, g.heard.runner.Seeking())
		}
		g.free()
		g.wait(time.Second)
		if at, _ := g.at(); at != (sim.Position{Tick: 3, Seq: 6, Whole: true}) || answers != 1 {
			t.Errorf("%+v, %d answers", at, answers)
		}
	})
}
