package cursor

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/wheel"
)

// listener is a Listener that records the calls of its methods.
type listener struct {
	runner   *Runner
	calls    []string
	progress int  // number of calls of OnProgress
	late     bool // result of OnFrame
}

func (l *listener) note(format string, args ...any) {
	l.calls = append(l.calls, fmt.Sprintf(format, args...))
}

func (l *listener) OnOpen(*sim.Run)           { l.note("opened") }
func (l *listener) OnSeek(s *engine.Snapshot) { l.note("at %d/%d", s.Tick, s.Seq) }
func (l *listener) OnMove(s *sim.EventRange) {
	l.note("moved %d-%d to %d", s.From, s.To.Seq, s.To.Tick)
}
func (l *listener) OnFrame() bool        { l.note("framed"); return l.late }
func (l *listener) OnReminder()          { l.note("reminded") }
func (l *listener) OnIdle()              { l.note("rested") }
func (l *listener) OnPlayback(p Playing) { l.note("playing %v %v %v", p.On, p.Rate, p.End) }
func (l *listener) OnProgress()          { l.progress++ }
func (l *listener) OnSearch(s Search) {
	l.note("search %v %v %s", s.Query.Condition, s.Tick, s.Outcome)
}
func (l *listener) OnError(err error) { l.note("failed %v", err) }
func (l *listener) Detail([]*engine.Lane) int {
	return wheel.AllEntries
}

// rigConfig configures a rig. The zero value is the small scenario, computed.
type rigConfig struct {
	scenario string    // JSON of the scenario; "": runnerScenario
	sizes    sim.Sizes // sizes of the run; zero: sim.DefaultSizes
	busy     bool      // both turns are taken, so that nothing is computed until free is called
	at       int64     // tick at which the run is opened, plus 1; 0: before the first event
}

// rig is a runner with a mock clock in a bubble, in which the sleeps of the mock take no time.
type rig struct {
	t      *testing.T
	store  *sim.Store
	run    *sim.Run
	mock   *clock.Mock
	heard  *listener
	cancel context.CancelFunc
	turns  *fairqueue.Queue // queue of the runner's turns
	leave  func()           // ends the turn that was taken if the rig is busy
}

func withRig(t *testing.T, c rigConfig, test func(*rig)) {
	t.Helper()
	if c.scenario == "" {
		c.scenario = runnerScenario
	}
	p := plantest.Load(t, c.scenario)
	synctest.Test(t, func(t *testing.T) {
		g := &rig{t: t, store: sim.NewStore(sim.StoreOptions{Queue: fairqueue.New(1), Sizes: c.sizes}), mock: clock.NewMock(), heard: &listener{}}
		defer g.store.Close()
		var err error
		if c.busy {
			g.leave = plantest.TakeTurns(t, g.store.Queue())
		}
		if g.run, err = g.store.Open(context.Background(), p); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		g.start(c.at - 1)
		test(g)
		g.cancel()
		synctest.Wait()
		if err := g.heard.runner.Do(func() {}); err != ErrRunnerEnded {
			t.Errorf("a runner that has ended takes a command: %v", err)
		}
	})
}

// start runs the runner and opens the run at a tick.
func (g *rig) start(tick int64) {
	g.heard.runner = NewRunner(g.mock, g.heard)
	g.turns = fairqueue.New(1)
	g.heard.runner.ShareProcessors(g.turns, g.turns)
	var ctx context.Context
	ctx, g.cancel = context.WithCancel(context.Background())
	go g.heard.runner.Run(ctx)
	g.must("open", func(r *Runner) error { return r.Open(r.Context(), g.run, sim.EndOf(tick)) })
}

// free ends the turn that was taken, so that the run is computed.
func (g *rig) free() {
	g.leave()
	synctest.Wait()
}

// do calls f on the runner's goroutine and returns the Listener calls since then.
func (g *rig) do(f func(*Runner)) []string {
	g.t.Helper()
	done := make(chan []string)
	err := g.heard.runner.Do(func() {
		f(g.heard.runner)
		calls := g.heard.calls
		g.heard.calls = nil
		done <- calls
	})
	if err != nil {
		g.t.Fatal(err)
	}
	calls := <-done
	synctest.Wait()
	return calls
}

// must is do for functions that may not fail.
func (g *rig) must(what string, f func(*Runner) error) []string {
	g.t.Helper()
	return g.do(func(r *Runner) {
		if err := f(r); err != nil {
			g.t.Errorf("%s: %v", what, err)
		}
	})
}

// play sets the rate and plays.
func (g *rig) play(rate float64) []string {
	g.t.Helper()
	return g.must("play", func(r *Runner) error {
		if err := r.SetRate(rate); err != nil {
			return err
		}
		return r.Play()
	})
}

// wait lets time pass on the mock clock and returns the Listener calls meanwhile.
func (g *rig) wait(d time.Duration) []string {
	g.t.Helper()
	g.mock.Add(d)
	return g.do(nothing)
}

// at returns the cursor and the playback state.
func (g *rig) at() (c sim.Position, p Playing) {
	g.t.Helper()
	g.do(func(r *Runner) { c, p = r.Position(), r.Playing() })
	return c, p
}

// count returns how often a call was made.
func count(calls []string, what string) (n int) {
	for _, s := range calls {
		if s == what {
			n++
		}
	}
	return n
}
