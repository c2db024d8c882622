package cursor

import (
	"context"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
)

// OnIdle is called once, RestDelay after the last movement of the cursor.
func TestRunnerRestsOnce(t *testing.T) {
	withRig(t, rigConfig{}, func(g *rig) {
		g.wait(time.Second) // the call after Open
		g.must("seek", func(r *Runner) error { return r.Seek(sim.EndOf(2)) })
		expect(t, "just before", g.wait(RestDelay-time.Nanosecond))
		expect(t, "then", g.wait(time.Nanosecond), "rested")
		expect(t, "and no more", g.wait(time.Hour))
		g.must("pause", func(r *Runner) error { r.Pause(); return nil })
		expect(t, "a pause that changes nothing", g.wait(time.Minute))
	})
}

// OnIdle is not called while movements continue.
func TestRunnerDoesNotRestBetweenKeys(t *testing.T) {
	withRig(t, rigConfig{scenario: longScenario}, func(g *rig) {
		g.wait(time.Second)
		for range 20 {
			calls := g.must("step", func(r *Runner) error { return r.MoveBy(UnitTick, 1) })
			if calls = append(calls, g.wait(RestDelay-time.Millisecond)...); count(calls, "rested") != 0 {
				t.Fatalf("%q", calls)
			}
		}
		expect(t, "after the last", g.wait(time.Millisecond), "rested")
	})
}

// OnIdle is not called while playing, however slow.
func TestRunnerDoesNotRestWhilePlaying(t *testing.T) {
	withRig(t, rigConfig{scenario: longScenario}, func(g *rig) {
		g.must("seek", func(r *Runner) error { return r.Seek(sim.EndOf(1)) })
		g.play(RateMin)
		if calls := g.wait(time.Minute); count(calls, "rested") != 0 || count(calls, "framed") != 6 {
			t.Errorf("%q", calls)
		}
		g.must("seek", func(r *Runner) error { return r.Seek(sim.EndOf(40)) })
		if calls := g.wait(time.Second); count(calls, "rested") != 0 {
			t.Errorf("after a seek: %q", calls)
		}
		g.do(func(r *Runner) { r.Pause() })
		expect(t, "paused", g.wait(RestDelay), "rested")
	})
}

// Steps of every kind, forwards and backwards from the beginning to the end, pass the same
// positions.
func TestRunnerStepsBackTheWayItCame(t *testing.T) {
	for what, by := range map[string]Unit{"tick": UnitTick, "step": UnitStep, "event": UnitEvent} {
		t.Run(what, func(t *testing.T) {
			for _, scenario := range []string{runnerScenario, silentStart} {
				withRig(t, rigConfig{scenario: scenario}, func(g *rig) {
					first, _ := g.at()
					way := []sim.Position{first}
					for {
						g.must("forward", func(r *Runner) error { return r.MoveBy(by, 1) })
						at, _ := g.at()
						if at == way[len(way)-1] {
							break
						}
						way = append(way, at)
					}
					if last := way[len(way)-1]; last.Seq != 8 || len(way) < 4 {
						t.Fatalf("the way is %+v", way)
					}
					for i := len(way) - 2; i >= 0; i-- {
						g.must("back", func(r *Runner) error { return r.MoveBy(by, -1) })
						if at, _ := g.at(); at != way[i] {
							t.Fatalf("back at %+v, was at %+v", at, way[i])
						}
					}
				})
			}
		})
	}
}

// silentStart has no events at tick 0, so before the first event and after tick 0 are the same
// position: the first step by a tick leads to tick 1.
const silentStart = `{"wheelscope":1,"name":"s","until":6,"lanes":[{"algorithm":"simple","slots":4}],
 "workload":{"ops":[{"at":0,"op":"stall","for":1},{"at":1,"op":"schedule","timer":"a","delay":2},{"at":3,"op":"schedule","timer":"b","delay":2}]}}`

func TestRunnerBeforeASilentTick(t *testing.T) {
	withRig(t, rigConfig{scenario: silentStart, busy: true}, func(g *rig) {
		snap := func() (s *engine.Snapshot) {
			g.must("snapshot", func(r *Runner) (err error) { s, err = r.Snapshot(0); return err })
			return s
		}
		before := snap()
		if at, _ := g.at(); at != (sim.Position{Whole: true}) {
			t.Errorf("opened at %+v", at)
		}
		g.free()
		g.must("tick 0", func(r *Runner) error { return r.Seek(sim.EndOf(0)) })
		after, err := g.run.Seek(context.Background(), sim.EndOf(0), 0)
		if err != nil || snap().Seq != 0 || before.Lanes[0].Cost != after.Lanes[0].Cost || !before.Lanes[0].State.Equal(&after.Lanes[0].State) {
			t.Errorf("%v: before %+v, after tick 0 %+v", err, before.Lanes[0], after.Lanes[0])
		}
		g.must("a tick", func(r *Runner) error { return r.MoveBy(UnitTick, 1) })
		if at, _ := g.at(); at.Tick != 1 || at.Seq != 2 {
			t.Errorf("a tick on it is at %+v", at)
		}
	})
}
