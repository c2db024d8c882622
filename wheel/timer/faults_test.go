package timer

import (
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The shortest and the longest durations saturate: none of the exported functions that take a duration fires early,
// or in a loop.
func TestExtremeDurations(t *testing.T) {
	for _, d := range []time.Duration{math.MinInt64, -1, 0, math.MaxInt64 - 1, math.MaxInt64} {
		inBubble(t, func(t *testing.T, w *Wheel) {
			time.Sleep(time.Hour)
			runs := map[string]int{}
			run := func(name string) func() { return func() { runs[name]++ } }
			keyed := NewKeyed[string](w)
			w.AfterFunc(d, run("AfterFunc"))
			pending := w.AfterFunc(time.Hour, run("Reset"))
			pending.Reset(d)
			stopped := w.AfterFunc(time.Hour, run("Reset of a stopped one"))
			stopped.Stop()
			stopped.Reset(d)
			keyed.AfterFunc("a", d, func(string) { run("Keyed.AfterFunc")() })
			keyed.AfterFunc("b", time.Hour, func(string) { run("Keyed.Reset")() })
			keyed.Reset("b", d)
			once := 6
			if d > 0 {
				once = 0
				w.TickFunc(d, run("TickFunc"))
				w.TickFunc(d, run("TickFunc, fixed delay"), WithFixedDelay())
				w.TickFunc(d, run("TickFunc, jitter"), WithJitter(1))
				w.TickFunc(time.Hour, run("Repeat.Reset")).Reset(d)
				first := w.TickFunc(d, run("TickFunc, phase"), WithPhase(0))
				time.Sleep(24 * time.Hour)
				if synctest.Wait(); runs["TickFunc, phase"] != 1 || !first.Stop() {
					t.Errorf("%v: %v", d, runs)
				}
				delete(runs, "TickFunc, phase")
			}
			w.TickFunc(time.Second, func() {}, WithPhase(d)).Stop()
			var contexts []context.Context
			for _, make := range []func() (context.Context, context.CancelFunc){
				func() (context.Context, context.CancelFunc) { return w.WithTimeout(t.Context(), d) },
				func() (context.Context, context.CancelFunc) {
					return w.WithDeadline(t.Context(), time.Now().Add(d))
				},
				func() (context.Context, context.CancelFunc) {
					return w.WithTimeoutCause(t.Context(), d, errors.ErrUnsupported)
				},
			} {
				ctx, cancel := make()
				defer cancel()
				contexts = append(contexts, ctx)
			}
			time.Sleep(24 * time.Hour)
			synctest.Wait()
			for _, ctx := range contexts {
				if (ctx.Err() != nil) != (d <= 0) {
					t.Errorf("%v: a context ends with %v", d, ctx.Err())
				}
			}
			sum := 0
			for _, n := range runs {
				sum += n
			}
			if want := min(once, 5); sum != want {
				t.Errorf("%v: %v", d, runs)
			}
		}, oneByOne, WithShards(1))
	}
}

// bootClock goes on while the machine is suspended; the timers on it, like those of package time, do not.
type bootClock struct{ suspended atomic.Int64 }

func (c *bootClock) Now() time.Time                      { return time.Now().Add(time.Duration(c.suspended.Load())) }
func (c *bootClock) NewTimer(d time.Duration) ClockTimer { return machineTimer{time.NewTimer(d)} }

// After a suspend, the next timer that is scheduled wakes the driver, which also fires those that became due meanwhile.
func TestClockThatJumpsForward(t *testing.T) {
	for _, jump := range []time.Duration{time.Hour, 9*time.Minute + 2*time.Millisecond} {
		for name, schedule := range map[string]func(w *Wheel, f func()){
			"AfterFunc": func(w *Wheel, f func()) { w.AfterFunc(0, f) },
			"Reset": func(w *Wheel, f func()) {
				t := w.AfterFunc(time.Hour, f)
				t.Reset(0)
			},
			"TickFunc": func(w *Wheel, f func()) { w.TickFunc(time.Hour, f, WithPhase(0)) },
			"Keyed":    func(w *Wheel, f func()) { NewKeyed[int](w).AfterFunc(1, 0, func(int) { f() }) },
		} {
			synctest.Test(t, func(t *testing.T) {
				c := &bootClock{}
				w := make1(t, WithClock(c), WithShards(1))
				begun := time.Now()
				var old, fresh time.Duration
				w.AfterFunc(10*time.Minute, func() { old = time.Since(begun) })
				time.Sleep(time.Minute)
				c.suspended.Add(int64(jump))
				schedule(w, func() { fresh = time.Since(begun) })
				time.Sleep(20 * time.Minute)
				synctest.Wait()
				if latest := 61 * time.Second; fresh > latest || old > latest {
					t.Errorf("%s after %v: the new timer ran at %v, the overdue one at %v", name, jump, fresh, old)
				}
				must(t, w.Shutdown(t.Context()))
			})
		}
	}
}

// A panic of a callback ends the program, with every executor, unless WithOnPanic is given.
func TestPanicEndsTheProgram(t *testing.T) {
	if name := os.Getenv("TIMER_TEST_PANIC"); name != "" {
		w := make1(t, WithExecutor(executors()[name]))
		w.AfterFunc(0, func() { panic("the callback's panic") })
		time.Sleep(time.Minute)
		return
	}
	for name := range executors() {
		c := exec.Command(os.Args[0], "-test.run", "^TestPanicEndsTheProgram$")
		c.Env = append(os.Environ(), "TIMER_TEST_PANIC="+name)
		out, err := c.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "panic: the callback's panic") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// Calls of timers that fire as soon as they are scheduled count as running from then on, so Shutdown waits for them.
func TestEarlyCallsAreRunning(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		s := w.shards[0]
		s.mu.Lock() // the driver waits
		s.scheduleIn(time.Millisecond, func() { time.Sleep(time.Minute) })
		n := w.Running()
		s.mu.Unlock()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := w.Shutdown(ctx); n != 1 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%d are running; Shutdown: %v", n, err)
		}
	}, coarse, WithShards(1))
}

// Short callbacks share goroutines, and one that blocks never delays another.
func TestShortCallbacksShareGoroutines(t *testing.T) {
	const beats = 50_000
	w := make1(t)
	defer w.Shutdown(t.Context())
	block := make(chan bool)
	var ran, most atomic.Int64
	for k := range beats {
		w.AfterFunc(100*time.Millisecond, func() {
			ran.Add(1)
			if k%1000 == 0 {
				<-block
			}
			if k%100 == 0 {
				most.Store(max(most.Load(), int64(runtime.NumGoroutine())))
			}
		})
	}
	for begun := time.Now(); ran.Load() < beats; time.Sleep(time.Millisecond) {
		if time.Since(begun) > 30*time.Second {
			t.Fatalf("%d of %d ran", ran.Load(), beats)
		}
	}
	close(block)
	if most.Load() > beats/50 {
		t.Errorf("%d goroutines for %d callbacks", most.Load(), beats)
	}
}

// The phase moves all runs; the jitter spreads repeats that are started together over the interval.
func TestPhaseAndJitter(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		var at []time.Duration
		begun := time.Now()
		r := w.TickFunc(time.Second, func() { at = append(at, time.Since(begun)) }, WithPhase(300*time.Millisecond))
		time.Sleep(2500 * time.Millisecond)
		r.Reset(2 * time.Second)
		time.Sleep(4500 * time.Millisecond)
		r.Stop()
		want := []time.Duration{300 * time.Millisecond, 1300 * time.Millisecond, 2300 * time.Millisecond, 4500 * time.Millisecond, 6500 * time.Millisecond}
		if !slices.Equal(at, want) {
			t.Errorf("ran at %v, want %v", at, want)
		}
		runs := map[time.Duration]int{} // by millisecond
		begun = time.Now()
		var repeats []*Repeat
		for range 2000 {
			repeats = append(repeats, w.TickFunc(time.Second, func() { runs[time.Since(begun).Truncate(time.Millisecond)]++ }, WithJitter(0.5)))
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		most, sum := 0, 0
		for at, n := range runs {
			if most, sum = max(most, n), sum+n; at%time.Second > 500*time.Millisecond {
				t.Errorf("one ran at %v", at)
			}
		}
		if most > 30 || sum < 3900 || sum > 4100 {
			t.Errorf("%d runs, %d of them in one tick", sum, most)
		}
		for _, r := range repeats {
			r.Stop()
		}
	}, oneByOne, WithShards(1))
}
