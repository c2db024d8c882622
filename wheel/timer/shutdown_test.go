package timer

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"
)

// executors are where callbacks can run.
func executors() map[string]Executor {
	return map[string]Executor{"inline": Inline, "goroutines": Goroutines, "pool": Pool(1), "own": ExecutorFunc(func(run func()) { go run() })}
}

// A callback may shut its wheel down: it doesn't wait for itself, nor do two of them
// for each other.
func TestShutdownFromCallbacks(t *testing.T) {
	executors := executors()
	executors["in the driver"] = ExecutorFunc(func(run func()) { run() })
	for name, e := range executors {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := make1(t, Execute(e), Shards(2))
				errs := make(chan error, 2)
				for range 2 {
					_, err := w.AfterFunc(time.Second, func() {
						_, err := w.Shutdown(t.Context())
						errs <- err
					})
					must(t, err)
				}
				pending, err := w.AfterFunc(time.Hour, func() { t.Error("it ran") })
				must(t, err)
				must(t, <-errs)
				must(t, <-errs)
				if pending.Stop() {
					t.Error("a timer of a wheel that is shut down is stopped")
				}
				if _, err := pending.Reset(time.Second); !errors.Is(err, ErrShutdown) {
					t.Errorf("Reset: %v", err)
				}
				if _, err := w.Move("a", time.Second); !errors.Is(err, ErrShutdown) {
					t.Errorf("Move: %v", err)
				}
				if w.Drain() != nil {
					t.Error("Drain gives something")
				}
				if s := w.Stats(); s.Fired != 2 || s.Cancelled != 0 || s.Pending != 0 {
					t.Errorf("%+v", s)
				}
				_, err = w.Shutdown(t.Context())
				must(t, err)
			})
		})
	}
}

// Drain gives back what was pending; the wheel goes on, under the same keys too.
func TestDrain(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		var ran []string
		begun := time.Now()
		must(t, w.Set("a", time.Second, func() { ran = append(ran, "old a") }))
		must(t, w.Every("b", time.Minute, -1, func() { t.Error("b ran") }))
		_, err := w.AfterFunc(time.Hour, func() { t.Error("a drained timer ran") })
		must(t, err)
		channel, err := w.NewTimer(time.Second)
		must(t, err)
		left := w.Drain()
		if len(left) != 4 || w.Pending() != 0 || w.Has("a") || w.Has("b") || channel.Stop() {
			t.Fatalf("drained %v, %d pending", left, w.Pending())
		}
		for _, p := range left {
			want := map[any]time.Duration{"a": time.Second, "b": time.Minute}[p.Key]
			if p.Key != nil && (p.Due.Sub(begun) != want || p.Func == nil) {
				t.Errorf("%+v", p)
			}
			if p.Key == "a" {
				p.Func()
			}
		}
		must(t, w.Set("a", time.Second, func() { ran = append(ran, "a") }))
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if !slices.Equal(ran, []string{"old a", "a"}) || w.Drain() != nil {
			t.Errorf("ran %q", ran)
		}
	}, oneByOne, Shards(1))
}

// A callback that ends its goroutine ends nothing else.
func TestGoexitEndsOnlyTheCallback(t *testing.T) {
	for name, e := range executors() {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *Wheel) {
				ran := make(chan int, 10)
				for k := range 5 {
					_, err := w.AfterFunc(time.Second, func() { ran <- k; runtime.Goexit() })
					must(t, err)
				}
				time.Sleep(2 * time.Second)
				_, err := w.AfterFunc(time.Second, func() { ran <- 5 })
				must(t, err)
				time.Sleep(2 * time.Second)
				synctest.Wait()
				if len(ran) != 6 || w.Running() != 0 {
					t.Errorf("%d of 6 ran, %d run still", len(ran), w.Running())
				}
			}, Execute(e), Shards(1))
		})
	}
}

// A callback that waits for another timer of its wheel does not stand in its way.
func TestCallbacksMayWaitForTimers(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		slept := make(chan time.Duration, 1)
		begun := time.Now()
		_, err := w.AfterFunc(time.Second, func() {
			must(t, w.Sleep(t.Context(), time.Second))
			slept <- time.Since(begun)
		})
		must(t, err)
		k, err := w.NewTicker(100 * time.Millisecond)
		must(t, err)
		for n := range 15 {
			if at := (<-k.C).Sub(begun); at > time.Duration(n+1)*100*time.Millisecond+time.Millisecond {
				t.Fatalf("tick %d came after %v, behind a slow callback", n+1, at)
			}
		}
		k.Stop()
		if d := <-slept; d < 2*time.Second || d > 2003*time.Millisecond {
			t.Errorf("it slept %v", d)
		}
	}, oneByOne, Shards(1))
}

// What lies past the last instant that a wheel counts to is due then, not long ago.
func TestPendingOfTheLongestDelay(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		_, err := w.AfterFunc(math.MaxInt64, func() {})
		must(t, err)
		if left := w.Drain(); len(left) != 1 || time.Until(left[0].Due) < 200*365*24*time.Hour {
			t.Errorf("%+v", left)
		}
	})
}

// Drain tells no due time that is too early by a shared reading of the clock.
func TestPendingOfACrowd(t *testing.T) {
	mock := clock.NewMock()
	w := make1(t, Clock(mock), Shards(1), Tick(5*time.Microsecond))
	s := w.shards[0]
	shared := 0
	s.mu.Lock() // the driver would end the crowd
	for range 300 {
		due := mock.Now().Add(time.Hour)
		h, err := s.armIn(time.Hour, func() {}, nil, false)
		must(t, err)
		mock.Set(mock.Now().Add(125 * time.Nanosecond))
		if len(s.crowd.members) < 20 {
			s.cancel(h)
			continue
		}
		shared++
		if left := s.drain(nil); len(left) != 1 || left[0].Due.Before(due) {
			t.Errorf("%+v, want one due at %v", left, due)
		}
	}
	s.mu.Unlock()
	if shared == 0 {
		t.Error("there was no crowd")
	}
	_, err := w.Shutdown(t.Context())
	must(t, err)
}

// Who sleeps by a wheel is woken by its end.
func TestShutdownEndsSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := make1(t)
		errs := make(chan error, 1)
		go func() { errs <- w.Sleep(t.Context(), time.Hour) }()
		time.Sleep(time.Second)
		_, err := w.Shutdown(t.Context())
		must(t, err)
		if err := <-errs; !errors.Is(err, ErrShutdown) {
			t.Errorf("Sleep: %v", err)
		}
	})
}
