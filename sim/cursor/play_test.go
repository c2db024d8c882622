package cursor

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/sim"
)

// longScenario takes hours to play at any rate, and very little time to compute.
const longScenario = `{"wheelscope":1,"name":"long","until":4000000000000,"lanes":[{"algorithm":"heap"}],
 "workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":2},{"at":30,"op":"schedule","timer":"b","delay":70}]}}`

// The tick shown follows from the clock, whatever the number of frames.
func TestRunnerDoesNotDrift(t *testing.T) {
	for _, c := range []struct {
		rate float64
		wait time.Duration
	}{
		{RateMin, 10 * time.Minute}, {1, 10 * time.Minute}, {7, time.Minute}, {29.97, 100 * time.Second}, {60, 10 * time.Minute},
		{61, time.Minute}, {1000, time.Minute}, {12345.6, time.Minute}, {1e6, time.Minute}, {RateMax, time.Minute},
	} {
		t.Run(fmt.Sprint(c.rate), func(t *testing.T) {
			withRig(t, rigConfig{scenario: longScenario}, func(g *rig) {
				g.play(c.rate)
				calls := g.wait(c.wait)
				at, playing := g.at()
				want := int64(math.Round(c.rate * c.wait.Seconds()))
				// The last frame was at most one interval ago. At no more than a tick per
				// frame, none is missing.
				if behind := want - at.Tick; behind < 0 || float64(behind) > math.Max(0, c.rate*FrameInterval.Seconds()) || c.rate < 60 && behind != 0 {
					t.Errorf("after %v at tick %d, want %d", c.wait, at.Tick, want)
				}
				if most := int(c.wait/FrameInterval) + 2; count(calls, "framed") > most {
					t.Errorf("%d frames in %v, at most %d", count(calls, "framed"), c.wait, most)
				}
				if !playing.On || playing.Rate != c.rate || playing.End {
					t.Errorf("%+v", playing)
				}
			})
		})
	}
}

// At a rate below the frame rate, every tick has its own frame.
func TestRunnerShowsEveryTick(t *testing.T) {
	withRig(t, rigConfig{scenario: longScenario}, func(g *rig) {
		g.play(30)
		calls := g.wait(10 * time.Minute)
		const ticks = 30*600 + 1 // tick 0 is the first
		if frames := count(calls, "framed"); frames != ticks {
			t.Errorf("%d frames of %d ticks", frames, ticks)
		}
		if at, _ := g.at(); at.Tick != ticks-1 {
			t.Errorf("at tick %d", at.Tick)
		}
	})
}

// A new rate counts from the tick that is shown.
func TestRunnerChangesItsRateOnTheWay(t *testing.T) {
	withRig(t, rigConfig{scenario: longScenario}, func(g *rig) {
		g.play(10)
		g.wait(time.Minute)
		calls := g.must("speed", func(r *Runner) error { return r.SetRate(50) })
		expect(t, "a new rate", calls[len(calls)-1:], "playing true 50 false")
		g.wait(time.Minute)
		if at, _ := g.at(); at.Tick != 600+3000 {
			t.Errorf("at tick %d, want 3600", at.Tick)
		}
		expect(t, "the same rate again", g.must("speed", func(r *Runner) error { return r.SetRate(50) }))
		g.must("speed", func(r *Runner) error { return r.SetRate(0.5) })
		g.wait(10 * time.Second)
		if at, _ := g.at(); at.Tick != 3605 {
			t.Errorf("at tick %d, want 3605", at.Tick)
		}
	})
}

// After the machine was asleep, the tick that is due is shown in one frame, and playing
// continues from there at its rate.
func TestRunnerAfterAClockThatJumps(t *testing.T) {
	withRig(t, rigConfig{scenario: longScenario}, func(g *rig) {
		g.play(3)
		g.wait(time.Second)
		g.do(func(*Runner) { g.mock.Set(g.mock.Now().Add(24 * time.Hour)) })
		calls := g.do(nothing)
		const day = 3 * 86400
		if at, _ := g.at(); at.Tick != 3+day || count(calls, "framed") != 1 {
			t.Errorf("at tick %d after %d frames, want %d after one", at.Tick, count(calls, "framed"), 3+day)
		}
		g.wait(2 * time.Second)
		if at, _ := g.at(); at.Tick != 9+day {
			t.Errorf("two seconds later at tick %d, want %d", at.Tick, 9+day)
		}
	})
}

// As fast as possible, an empty run takes a few frames and ends exactly at until.
func TestRunnerAsFastAsItGoes(t *testing.T) {
	withRig(t, rigConfig{scenario: longScenario}, func(g *rig) {
		g.play(0)
		calls := g.wait(time.Second)
		at, playing := g.at()
		if at.Tick != 4000000000000 || playing.On || !playing.End || count(calls, "playing false 0 true") != 1 {
			t.Errorf("%+v %+v", at, playing)
		}
	})
}

// The end is reported once; playing from the end starts at the beginning.
func TestRunnerPlaysToTheEndTwice(t *testing.T) {
	withRig(t, rigConfig{}, func(g *rig) {
		for range 2 {
			g.play(100)
			calls := g.wait(time.Second)
			if at, p := g.at(); at != (sim.Position{Tick: 6, Seq: 8, Whole: true}) && at.Tick != 6 || p.On || !p.End || count(calls, "playing false 100 true") != 1 || count(calls, "rested") != 1 {
				t.Errorf("%+v %+v, calls %q", at, p, calls)
			}
			expect(t, "after the end", g.wait(time.Minute))
		}
		calls := g.must("play", (*Runner).Play)
		expect(t, "again", calls[:3], "at 0/0", "framed", "playing false 100 false")
		if count(calls, "playing true 100 false") != 1 {
			t.Errorf("again: %q", calls)
		}
	})
}

// A seek while playing is shown, and playing continues from there.
func TestRunnerSeeksWhilePlaying(t *testing.T) {
	withRig(t, rigConfig{scenario: longScenario}, func(g *rig) {
		g.play(2)
		g.wait(1700 * time.Millisecond)
		for _, to := range []int64{100, 5, 0, 3999999999990} {
			calls := g.must("seek", func(r *Runner) error { return r.Seek(sim.EndOf(to)) })
			if at, p := g.at(); at.Tick != to || !p.On || len(calls) == 0 {
				t.Fatalf("seek %d: %+v %+v", to, at, p)
			}
			g.wait(499 * time.Millisecond)
			if at, _ := g.at(); at.Tick != to {
				t.Errorf("before half a second at tick %d, want %d", at.Tick, to)
			}
			g.wait(time.Millisecond)
			if at, _ := g.at(); at.Tick != to+1 {
				t.Errorf("after half a second at tick %d, want %d", at.Tick, to+1)
			}
		}
		g.must("seek to the end", func(r *Runner) error { return r.Seek(sim.EndOf(4000000000000)) })
		if _, p := g.at(); p.On || !p.End {
			t.Errorf("at the end %+v", p)
		}
	})
}

// A step pauses.
func TestRunnerStepPauses(t *testing.T) {
	withRig(t, rigConfig{scenario: longScenario}, func(g *rig) {
		g.play(1)
		g.wait(3 * time.Second)
		calls := g.must("step", func(r *Runner) error { return r.MoveBy(UnitTick, 1) })
		expect(t, "step", calls[:1], "playing false 1 false")
		g.wait(time.Minute)
		if at, p := g.at(); at.Tick != 4 || p.On {
			t.Errorf("%+v %+v", at, p)
		}
	})
}

// The chunk after the cursor is made before the cursor reaches it.
func TestRunnerReadsAhead(t *testing.T) {
	sizes := sim.DefaultSizes
	sizes.ChunkEvents = 2
	withRig(t, rigConfig{sizes: sizes, at: 1}, func(g *rig) {
		g.play(1)
		g.wait(time.Second)
		at, _ := g.at()
		k, missing := g.run.MissingAfter(max(at.Seq, 1))
		if missing {
			t.Errorf("at event %d, before chunk %d, that one is not kept", at.Seq, k)
		}
		if _, missing := g.run.MissingAfter(max(at.Seq, 1) + sizes.ChunkEvents); !missing {
			t.Errorf("at event %d, in chunk %d, more than the next one are kept", at.Seq, k)
		}
	})
}
