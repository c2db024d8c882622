package timer

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// own is an executor implemented by a program.
type own struct{}

func (own) Execute(run func()) { go run() }

// executors returns all kinds of executors.
func executors() map[string]Executor {
	return map[string]Executor{"inline": Inline, "goroutines": Goroutines, "pool": Pool(1), "own": own{}}
}

// A callback that shuts its wheel down does not wait for itself, and two of them do not wait for
// each other: each gets ErrInCallback.
func TestShutdownFromCallbacks(t *testing.T) {
	executors := executors()
	executors["in the driver"] = byDriver{}
	for name, e := range executors {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := make1(t, WithExecutor(e), WithShards(2))
				errs := make(chan error, 2)
				for range 2 {
					_, err := w.AfterFunc(time.Second, func() {
						for w.Stats().Fired < 2 { // the other may be in another shard, and would be dropped
							time.Sleep(time.Millisecond)
						}
						errs <- w.Shutdown(t.Context())
					})
					must(t, err)
				}
				pending, err := w.AfterFunc(time.Hour, func() { t.Error("it ran") })
				must(t, err)
				k := NewKeyed[string](w)
				must(t, k.AfterFunc("a", time.Hour, func(string) { t.Error("it ran") }))
				for range 2 {
					if err := <-errs; !errors.Is(err, ErrInCallback) {
						t.Errorf("Shutdown: %v", err)
					}
				}
				if pending.Stop() || k.Stop("a") {
					t.Error("a timer of a wheel that is closed is stopped")
				}
				if _, err := pending.Reset(time.Second); !errors.Is(err, ErrClosed) {
					t.Errorf("Reset: %v", err)
				}
				if _, err := k.Reset("a", time.Second); !errors.Is(err, ErrClosed) {
					t.Errorf("Keyed.Reset: %v", err)
				}
				if s := w.Stats(); s.Fired != 2 || s.Canceled != 0 || s.Pending != 0 {
					t.Errorf("%+v", s)
				}
				must(t, w.Shutdown(t.Context()))
			})
		})
	}
}

// byDriver runs callbacks in the driver's goroutine.
type byDriver struct{}

func (byDriver) Execute(run func()) { run() }

// A callback of another wheel is not a callback of this one: Shutdown waits.
func TestShutdownFromAnotherWheel(t *testing.T) {
	for name, e := range executors() {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, other *Wheel) {
				w := make1(t, WithExecutor(e))
				ended, err := false, errors.New("not called")
				w.AfterFunc(time.Second, func() { time.Sleep(time.Minute); ended = true })
				done := make(chan bool)
				other.AfterFunc(2*time.Second, func() {
					defer close(done)
					err = w.Shutdown(t.Context())
					if !ended {
						t.Error("Shutdown returned while a callback was running")
					}
				})
				<-done
				must(t, err)
			}, WithExecutor(e))
		})
	}
}

// A goroutine that was started by a callback is not the callback: Shutdown waits in it.
func TestShutdownFromACallbacksGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := make1(t)
		ended := false
		done := make(chan bool)
		w.AfterFunc(time.Second, func() {
			go func() {
				defer close(done)
				must(t, w.Shutdown(t.Context()))
				if !ended {
					t.Error("Shutdown returned while the callback was running")
				}
			}()
			time.Sleep(time.Minute)
			ended = true
		})
		<-done
	})
}

func TestShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := make1(t)
		k := NewKeyed[string](w)
		var done atomic.Bool
		w.AfterFunc(time.Millisecond, func() { time.Sleep(5 * time.Second); done.Store(true) })
		w.AfterFunc(time.Hour, func() { t.Error("it ran after Shutdown") })
		must(t, k.AfterFunc("a", time.Minute, func(string) { t.Error("it ran after Shutdown") }))
		repeat, err := w.TickFunc(time.Hour, func() { t.Error("it ran after Shutdown") })
		must(t, err)
		ctx, cancel, err := w.WithTimeout(t.Context(), time.Hour)
		must(t, err)
		defer cancel()
		time.Sleep(time.Second)
		must(t, w.Close())
		if done.Load() || ctx.Err() != nil {
			t.Error("Close waits")
		}
		if must(t, w.Shutdown(t.Context())); !done.Load() {
			t.Error("Shutdown does not wait")
		}
		_, _, timeout := w.WithTimeout(t.Context(), 1)
		for what, err := range map[string]error{
			"AfterFunc": second(w.AfterFunc(time.Second, nothing)), "TickFunc": second(w.TickFunc(1, nothing)), "Repeat.Reset": second(repeat.Reset(1)),
			"Keyed.AfterFunc": k.AfterFunc("a", 1, func(string) {}), "Keyed.Reset": second(k.Reset("a", 1)), "WithTimeout": timeout,
		} {
			if !errors.Is(err, ErrClosed) {
				t.Errorf("%s after Shutdown: %v", what, err)
			}
		}
		for range k.All() {
			t.Error("a key is pending")
		}
		if k.Stop("a") || w.Pending() != 0 {
			t.Error("something is left")
		}
		w.Compact()
		must(t, w.Shutdown(t.Context()))
		time.Sleep(2 * time.Hour)
	})
}

// A callback that does not return delays Shutdown only until its ctx is done.
func TestShutdownGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := make1(t)
		block := make(chan struct{})
		w.AfterFunc(0, func() { <-block })
		time.Sleep(time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := w.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		close(block)
	})
}

// A callback that ends its goroutine ends only itself.
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
			}, WithExecutor(e), WithShards(1))
		})
	}
}

// A callback that waits for another timer of its wheel does not delay the wheel.
func TestCallbacksMayWaitForTimers(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		begun := time.Now()
		waited := make(chan time.Duration, 1)
		_, err := w.AfterFunc(time.Second, func() {
			ctx, cancel, err := w.WithTimeout(t.Context(), time.Second)
			must(t, err)
			defer cancel()
			<-ctx.Done()
			waited <- time.Since(begun)
		})
		must(t, err)
		if d := <-waited; d < 2*time.Second || d > 2003*time.Millisecond {
			t.Errorf("it waited %v", d)
		}
	})
}
