package sim

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
)

// other returns a scenario that differs from small, a different one for each n.
func other(t testing.TB, n int) *program.Program {
	t.Helper()
	return plantest.Load(t, strings.Replace(plantest.Small, `"until":60`, fmt.Sprintf(`"until":%d`, 100+n), 1))
}

func openOther(t testing.TB, s *Store, n int) *Run {
	t.Helper()
	r, err := s.Open(t.Context(), other(t, n))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A run with viewers is found however many others are opened, and becomes the most recently
// used when its last viewer leaves.
func TestRetainedStays(t *testing.T) {
	s, r := openRun(t, plantest.Load(t, plantest.Small))
	ctx, away := context.WithCancel(t.Context())
	s.Retain(ctx, r)
	s.Retain(t.Context(), r)
	for n := range 2 * StoreRunsMax {
		openOther(t, s, n)
	}
	if found, ok := s.Lookup(r.Digest()); !ok || found != r {
		t.Fatal("it is not found")
	}
	if again, err := s.Open(t.Context(), plantest.Load(t, plantest.Small)); err != nil || again != r {
		t.Fatalf("the same scenario opens another run (%v)", err)
	}
	away()
	for n := range 2 * StoreRunsMax {
		openOther(t, s, n)
	}
	if _, ok := s.Lookup(r.Digest()); !ok {
		t.Fatal("it is gone though another looks")
	}
}

func TestReleasedGoes(t *testing.T) {
	s, r := openRun(t, plantest.Load(t, plantest.Small))
	ctx, away := context.WithCancel(t.Context())
	s.Retain(ctx, r)
	for n := range 2 * StoreRunsMax {
		openOther(t, s, n)
	}
	away()
	for r.isRetained() { // it is notified on another goroutine
	}
	openOther(t, s, 1000)
	if _, ok := s.Lookup(r.Digest()); !ok {
		t.Fatal("it is not the one used last")
	}
	for n := range 2 * StoreRunsMax {
		openOther(t, s, 2000+n)
	}
	if _, ok := s.Lookup(r.Digest()); ok || !r.isGone() {
		t.Fatal("it is still there")
	}
	s.Retain(t.Context(), r)
	if _, ok := s.Lookup(r.Digest()); ok {
		t.Fatal("one that has gone came back")
	}
}

func (r *Run) isRetained() bool {
	r.store.mu.Lock()
	defer r.store.mu.Unlock()
	return r.store.retained[r] > 0
}

// Runs without viewers do not wait for a turn. Otherwise the run of an edit that is shown would
// wait behind them, and their number would be unbounded.
func TestGoneRunsAreNotComputed(t *testing.T) {
	s := NewStore(StoreOptions{Queue: fairqueue.New(1)})
	t.Cleanup(s.Close)
	leave := plantest.TakeTurns(t, s.queue) // others compute for a long time
	looked := openOther(t, s, 0)
	s.Retain(t.Context(), looked)
	gone := openOther(t, s, 1)
	for n := range StoreRunsMax {
		openOther(t, s, 2+n)
	}
	if err := gone.Wait(t.Context(), 5); !errors.Is(err, ErrGone) {
		t.Errorf("one that nobody looks at: %v", err)
	}
	leave()
	if err := looked.Wait(t.Context(), 5); err != nil {
		t.Errorf("one that is looked at: %v", err)
	}
}

// A run that is dropped while it is computed is not computed further.
func TestGoneRunsStop(t *testing.T) {
	s := NewStore(StoreOptions{})
	t.Cleanup(s.Close)
	s.sizes.WorkMax = 1 << 60
	r, err := s.Open(t.Context(), plantest.Load(t, plantest.Endless))
	if err != nil {
		t.Fatal(err)
	}
	for n := range StoreRunsMax {
		openOther(t, s, n)
	}
	if err := r.Wait(t.Context(), r.Program().Until); !errors.Is(err, ErrGone) {
		t.Errorf("%v", err)
	}
}

// The memory of runs without viewers is bounded, and the newest is kept.
func TestStoreBytesAreBounded(t *testing.T) {
	s := NewStore(StoreOptions{})
	t.Cleanup(s.Close)
	one := openOther(t, s, 0)
	if err := one.Wait(t.Context(), 100); err != nil {
		t.Fatal(err)
	}
	<-one.over // until then it holds the memory of its first pass
	s.bytes = 5 * one.bytes() / 2
	looked := openOther(t, s, 1)
	s.Retain(t.Context(), looked)
	for n := range 20 {
		r := openOther(t, s, 2+n)
		if err := r.Wait(t.Context(), 100); err != nil {
			t.Fatal(err)
		}
		<-r.over
		if _, ok := s.Lookup(r.Digest()); !ok {
			t.Fatal("the newest went")
		}
	}
	if n := s.runs.Len(); n < 2 || n > 4 {
		t.Errorf("%d runs are kept, each of about two fifths of the bytes", n)
	}
	if _, ok := s.Lookup(looked.Digest()); !ok {
		t.Error("one that is looked at went")
	}
	s.bytes = 1
	newest := openOther(t, s, 1000)
	if _, ok := s.Lookup(newest.Digest()); !ok {
		t.Error("too large, the newest went")
	}
}

// A chunk that is made for a dropped run is not cached, since it would keep the run in memory.
func TestGoneRunsLeaveNoChunks(t *testing.T) {
	s, r := openRun(t, plantest.Load(t, plantest.Small))
	if err := r.Wait(t.Context(), 60); err != nil {
		t.Fatal(err)
	}
	for n := range StoreRunsMax {
		openOther(t, s, n)
	}
	if _, err := r.SeqAt(t.Context(), 30); err != nil {
		t.Fatal(err)
	}
	if kept := s.chunks.runs[r]; kept != nil {
		t.Fatalf("chunks %v are kept", kept.lru.Keys())
	}
}

// A fork shares checkpoints, but not the programs of their runs: dropped runs leave no memory
// in use.
func TestForkHoldsNoOtherProgram(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	s, r := openRun(t, p)
	if err := r.Wait(t.Context(), p.Until); err != nil {
		t.Fatal(err)
	}
	fork, err := s.Fork(t.Context(), r, plantest.Load(t, strings.Replace(plantest.Small, `],
 "generate"`, `,{"at":30,"op":"schedule","timer":"late","delay":7}],
 "generate"`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if len(marksOf(fork)) < 2 {
		t.Fatal("shares no checkpoint")
	}
	run, prog := weak.Make(r), weak.Make(p)
	r, p = nil, nil
	for n := range StoreRunsMax - 1 { // the fork is kept
		openOther(t, s, n)
	}
	s.passes.Wait()
	runtime.GC()
	if run.Value() != nil || prog.Value() != nil {
		t.Errorf("the run is left: %v, its program: %v", run.Value() != nil, prog.Value() != nil)
	}
	runtime.KeepAlive(fork)
}

// A pass checks whether to stop depending on its work, too. With many timers touched at every tick,
// 16,384 ticks take minutes, and a server that shuts down would wait for them.
func TestPassEndsAmongLongTicks(t *testing.T) {
	const scenario = `{"wheelscope":1,"until":3000,"lanes":[{"algorithm":"rounds","slots":1}],"workload":{"ops":[],
	 "generate":[{"prefix":"c","seed":1,"count":4000,"arrivals":{"dist":"constant","value":0},"delay":{"dist":"constant","value":2990}}]}}`
	r, err := newRun(plantest.Load(t, scenario), NewStore(StoreOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	r.compute(&countdown{t.Context(), 2})
	if tick, _ := r.Computed(); tick > 200 {
		t.Errorf("computed up to tick %d", tick)
	}
	if err := r.Wait(t.Context(), 3000); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// countdown is a context that is cancelled after n calls of Err.
type countdown struct {
	context.Context
	n int
}

func (c *countdown) Err() error {
	if c.n--; c.n < 0 {
		return context.Canceled
	}
	return nil
}

// A run that is not computed is dropped when it has had no viewer for PassIdleMax, or when an
// expected viewer has not returned.
func TestRunIsKeptForAnExpectedViewer(t *testing.T) {
	for expected, kept := range map[time.Duration]time.Duration{0: PassIdleMax, time.Second: PassIdleMax, time.Minute: time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			q := fairqueue.New(1)
			defer allTurns(t, q)() // the first pass does not begin
			s := NewStore(StoreOptions{Queue: q})
			defer s.Close()
			r, err := s.Open(t.Context(), plantest.Load(t, plantest.Small))
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond) // the run is idle since another instant then
			ctx, away := context.WithCancel(t.Context())
			s.Retain(ctx, r)
			if expected > 0 {
				s.Expect(r, expected)
			}
			away()
			time.Sleep(kept - time.Millisecond)
			if _, ok := s.Lookup(r.Digest()); !ok {
				t.Errorf("a viewer is expected for %s: the run is gone before %s", expected, kept)
			}
			time.Sleep(2 * time.Millisecond)
			if _, ok := s.Lookup(r.Digest()); ok {
				t.Errorf("a viewer is expected for %s: the run is there after %s", expected, kept)
			}
		})
	}
}

// The first pass of a run whose viewer is expected is paused after PassIdleMax, so that it uses no
// processor time in vain. It continues when the viewer returns. It also continues for PassIdleMax
// when the run is looked up.
func TestFirstPassIsPausedWithoutViewers(t *testing.T) {
	for what, ask := range map[string]func(t *testing.T, s *Store, r *Run){
		"Retain": func(t *testing.T, s *Store, r *Run) { s.Retain(t.Context(), r) },
		"Lookup": func(_ *testing.T, s *Store, r *Run) { s.Lookup(r.Digest()[:DigestShort]) },
		"Open": func(t *testing.T, s *Store, r *Run) {
			if other, err := s.Open(t.Context(), r.Program()); other != r {
				t.Errorf("another run, %v", err)
			}
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			q := fairqueue.New(1)
			s := NewStore(StoreOptions{Queue: q})
			defer s.Close()
			free := allTurns(t, q) // the pass does not begin before it is paused
			r, err := s.Open(t.Context(), plantest.Load(t, plantest.Small))
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond) // the run is idle since another instant then
			ctx, away := context.WithCancel(t.Context())
			s.Retain(ctx, r)
			s.Expect(r, time.Minute)
			away()
			time.Sleep(PassIdleMax + time.Millisecond)
			free()
			synctest.Wait()
			if tick, done := r.Computed(); done || tick >= 0 {
				t.Errorf("%s: computed to tick %d, done %v, after %s without viewers", what, tick, done, PassIdleMax)
			}
			ask(t, s, r)
			synctest.Wait()
			if tick, done := r.Computed(); !done {
				t.Errorf("%s: computed to tick %d only", what, tick)
			}
		})
	}
}

// A first pass is paused within a tick too, and continues from there.
func TestFirstPassIsPausedWithinATick(t *testing.T) {
	const stalled = `{"wheelscope":1,"until":400010,"lanes":[{"id":"a","algorithm":"rounds","slots":8}],
		"workload":{"ops":[{"at":0,"op":"schedule","timer":"t","delay":400005},{"at":1,"op":"stall","for":400000}]}}`
	synctest.Test(t, func(t *testing.T) {
		s := NewStore(StoreOptions{})
		defer s.Close()
		r, err := newRun(plantest.Load(t, stalled), s)
		if err != nil {
			t.Fatal(err)
		}
		ctx := &checkedContext{Context: t.Context(), pause: r.pausePass, at: 10} // the context is checked once at a border between chunks
		go r.compute(ctx)
		synctest.Wait()
		if tick, done := r.Computed(); done || ctx.checks > ctx.at {
			t.Errorf("computed to tick %d, done %v, after %d checks; paused after %d", tick, done, ctx.checks, ctx.at)
		}
		r.resumePass()
		synctest.Wait()
		if tick, done := r.Computed(); !done {
			t.Errorf("computed to tick %d only", tick)
		}
	})
}

// checkedContext calls pause when it is checked for the at-th time.
type checkedContext struct {
	context.Context
	pause      func()
	at, checks int
}

func (c *checkedContext) Err() error {
	if c.checks++; c.checks == c.at {
		c.pause()
	}
	return c.Context.Err()
}

// allTurns takes all turns of a queue until free is called.
func allTurns(t *testing.T, q *fairqueue.Queue) (free func()) {
	t.Helper()
	var leave []func()
	for {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		_, l, err := q.Enter(ctx)
		cancel()
		if err != nil {
			return func() {
				for _, l := range leave {
					l()
				}
			}
		}
		leave = append(leave, l)
	}
}

// A run that failed because the server was busy is not given to later viewers, even while others view it, and its memory
// is released when they leave.
func TestBusyRunIsComputedAgain(t *testing.T) {
	var fail atomic.Bool
	s := NewStore(StoreOptions{Admit: func(ctx context.Context, _ *program.Program) (context.Context, func()) {
		if fail.Load() {
			ctx, end := context.WithCancelCause(ctx)
			end(fairqueue.ErrBusy)
			return ctx, func() {}
		}
		return ctx, func() {}
	}})
	defer s.Close()
	fail.Store(true)
	p := plantest.Load(t, plantest.Small)
	first, err := s.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	viewing, leave := context.WithCancel(t.Context())
	s.Retain(viewing, first)
	if err := first.Wait(t.Context(), p.Until); !errors.Is(err, fairqueue.ErrBusy) {
		t.Fatalf("the first pass: %v", err)
	}
	<-first.over
	fail.Store(false)
	second, err := s.Open(t.Context(), p)
	if err != nil || second == first {
		t.Fatalf("the failed run is opened again (%v)", err)
	}
	if err := second.Wait(t.Context(), p.Until); err != nil {
		t.Error(err)
	}
	if found, ok := s.Lookup(p.Digest()); !ok || found != second {
		t.Error("the failed run is found")
	}
	leave()
	for deadline := time.Now().Add(10 * time.Second); first.mem.Bytes() > 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	if n := first.mem.Bytes(); n > 0 || !first.isGone() {
		t.Errorf("without viewers, %d bytes are reserved for the failed run", n)
	}
	if found, ok := s.Lookup(p.Digest()); !ok || found != second {
		t.Error("the second run is gone with the first")
	}
}

// A run that has been dropped reserves no memory, also if it is thinned or forked or one of its chunks is completed at
// that time.
func TestGoneRunReservesNothing(t *testing.T) {
	s, r := openRun(t, plantest.Load(t, plantest.Small))
	if err := r.Wait(t.Context(), r.prog.Until); err != nil {
		t.Fatal(err)
	}
	<-r.over
	c, err := r.makeChunk(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	s.runs.Remove(r.Digest())
	s.mu.Unlock()
	before := s.memory.Used()
	if r.thin(1) {
		t.Error("the checkpoints of a run that is gone are thinned")
	}
	r.cache(0, c, nil)
	fork, err := newRun(other(t, 1), s)
	if err != nil {
		t.Fatal(err)
	}
	fork.inherit(r)
	if used := s.memory.Used(); used != before || used != 0 {
		t.Errorf("%d bytes are reserved, %d before", used, before)
	}
	if len(fork.checkpoints) != 1 || s.chunks.get(r, 0) != nil {
		t.Errorf("%d checkpoints of a run that is gone are used", len(fork.checkpoints)-1)
	}
}
