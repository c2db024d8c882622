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
	return map[string]Executor{"inline": Inline, "goroutines": Goroutines, "own": own{}, "in the driver": byDriver{}}
}

// byDriver runs callbacks in the driver's goroutine.
type byDriver struct{}

func (byDriver) Execute(run func()) { run() }

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
		k.AfterFunc("a", time.Minute, func(string) { t.Error("it ran after Shutdown") })
		repeat := w.TickFunc(time.Hour, func() { t.Error("it ran after Shutdown") })
		ctx, cancel := w.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		time.Sleep(time.Second)
		must(t, w.Close())
		if done.Load() {
			t.Error("Close waits")
		}
		if must(t, w.Shutdown(t.Context())); !done.Load() {
			t.Error("Shutdown does not wait")
		}
		late, cancel := w.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for what, ctx := range map[string]context.Context{"before": ctx, "after": late} {
			if <-ctx.Done(); !errors.Is(ctx.Err(), context.Canceled) || !errors.Is(context.Cause(ctx), ErrClosed) {
				t.Errorf("a context of WithTimeout %s Close: %v, cause %v", what, ctx.Err(), context.Cause(ctx))
			}
		}
		never := func() { t.Error("it ran after Shutdown") }
		w.AfterFunc(time.Second, never)
		w.TickFunc(time.Second, never)
		k.AfterFunc("a", 1, func(string) { never() })
		if repeat.Reset(1); k.Reset("a", 1) || k.Len() != 0 {
			t.Error("a key is pending")
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
					w.AfterFunc(time.Second, func() { ran <- k; runtime.Goexit() })
				}
				time.Sleep(2 * time.Second)
				w.AfterFunc(time.Second, func() { ran <- 5 })
				time.Sleep(2 * time.Second)
				synctest.Wait()
				if len(ran) != 6 || w.Running() != 0 {
					t.Errorf("%d of 6 ran, %d run still", len(ran), w.Running())
				}
			}, WithExecutor(e), WithShards(1))
		})
	}
}

// A callback that calls Shutdown waits for itself until its context is done; Close does not wait.
func TestCallbacksClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := make1(t)
		var err error
		w.AfterFunc(time.Second, func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			err = w.Shutdown(ctx)
		})
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Shutdown in a callback: %v", err)
		}
		must(t, w.Shutdown(t.Context()))
		w = make1(t)
		w.AfterFunc(time.Second, func() { w.Close() })
		pending := w.AfterFunc(time.Hour, func() { t.Error("it ran") })
		time.Sleep(2 * time.Second)
		if pending.Stop() {
			t.Error("a timer of a wheel that is closed is stopped")
		}
		must(t, w.Shutdown(t.Context()))
	})
}

// A callback that waits for another timer of its wheel does not delay the wheel.
func TestCallbacksMayWaitForTimers(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		begun := time.Now()
		waited := make(chan time.Duration, 1)
		w.AfterFunc(time.Second, func() {
			ctx, cancel := w.WithTimeout(t.Context(), time.Second)
			defer cancel()
			<-ctx.Done()
			waited <- time.Since(begun)
		})
		if d := <-waited; d < 2*time.Second || d > 2003*time.Millisecond {
			t.Errorf("it waited %v", d)
		}
	})
}
