package cursor

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"go.uber.org/goleak"
)

// Requests are executed one at a time in the order of their submission. Beyond the maximum Submit
// blocks, and no request is lost.
func TestRunnerCommandsWaitTheirTurn(t *testing.T) {
	withRig(t, rigConfig{}, func(g *rig) {
		hold, asked := make(chan struct{}), 0
		g.heard.runner.Do(func() { <-hold })
		synctest.Wait()
		var done []int
		go func() {
			for i := range 3 * CommandsWaitingMax {
				if err := g.heard.runner.Do(func() { done = append(done, i) }); err != nil {
					t.Error(err)
				}
				asked++
			}
		}()
		synctest.Wait()
		if asked != CommandsWaitingMax {
			t.Errorf("%d commands were taken while none is done, the bound is %d", asked, CommandsWaitingMax)
		}
		close(hold)
		synctest.Wait()
		if asked != 3*CommandsWaitingMax || len(done) != asked {
			t.Fatalf("%d taken, %d done", asked, len(done))
		}
		for i, n := range done {
			if i != n {
				t.Fatalf("command %d came in place %d", n, i)
			}
		}
	})
}

// A Submit that waits for room in the queue returns when the session ends.
func TestRunnerEndUnblocksSubmit(t *testing.T) {
	withRig(t, rigConfig{}, func(g *rig) {
		hold := make(chan struct{})
		g.heard.runner.Do(func() { <-hold })
		synctest.Wait()
		refused := 0
		go func() {
			for range 2 * CommandsWaitingMax {
				if err := g.heard.runner.Do(func() {}); err == ErrRunnerEnded {
					refused++
				}
			}
		}()
		synctest.Wait()
		g.cancel()
		close(hold)
		synctest.Wait()
		if refused == 0 {
			t.Error("no call reported that the session has ended")
		}
	})
}

// Requests are executed between frames even when playing as fast as possible.
func TestRunnerExecutesCommandsWhilePlaying(t *testing.T) {
	withRig(t, rigConfig{scenario: longScenario}, func(g *rig) {
		g.play(RateMax)
		g.wait(time.Second)
		calls := g.do(func(r *Runner) { r.Pause() })
		if last := calls[len(calls)-1]; last != "playing false 1e+09 false" {
			t.Errorf("%q", last)
		}
		expect(t, "paused", g.wait(RestDelay), "rested")
	})
}

// A runner leaves no goroutine and no timer behind.
func TestRunnerLeavesNothingBehind(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := sim.NewStore(sim.StoreOptions{})
	defer s.Close()
	run, err := s.Open(t.Context(), plantest.Load(t, runnerScenario))
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		ctx, cancel := context.WithCancel(context.Background())
		r := NewRunner(clock.New(), &listener{})
		ended := make(chan struct{})
		go func() { r.Run(ctx); close(ended) }()
		opened := make(chan error, 1)
		if err := r.Do(func() {
			err := r.Open(r.Context(), run, sim.Start)
			if err == nil {
				err = r.Play()
			}
			opened <- err
		}); err != nil {
			t.Fatal(err)
		}
		if err := <-opened; err != nil {
			t.Fatal(err)
		}
		cancel()
		<-ended
	}
}

// digit is a request that is merged with those behind it in the queue that have the same digit.
type digit struct {
	n    int
	many int
	out  *[]digit
}

func (d *digit) Do() { *d.out = append(*d.out, *d) }

func (d *digit) Merge(next Request) bool {
	n, ok := next.(*digit)
	if !ok || n.n != d.n {
		return false
	}
	d.many += n.many
	return true
}

// A request is merged with those directly behind it, but not across others, and at most
// CommandsWaitingMax are merged.
func TestRunnerMergesWaitingRequests(t *testing.T) {
	withRig(t, rigConfig{}, func(g *rig) {
		hold := make(chan struct{})
		var done []digit
		g.heard.runner.Do(func() { <-hold })
		synctest.Wait()
		for _, n := range []int{1, 1, 1, 2, 2, 1, 0, 1, 1} {
			if n == 0 {
				g.heard.runner.Do(func() { done = append(done, digit{}) })
				continue
			}
			g.heard.runner.Submit(&digit{n: n, many: 1, out: &done})
		}
		close(hold)
		g.do(nothing)
		want := []digit{{n: 1, many: 3}, {n: 2, many: 2}, {n: 1, many: 1}, {}, {n: 1, many: 2}}
		for i := range done {
			done[i].out = nil
		}
		if !slices.Equal(done, want) {
			t.Errorf("%v, want %v", done, want)
		}
	})
}
