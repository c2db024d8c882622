package timer

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer/internal/goroutine"
)

// Goroutines that exist at once have different numbers, and a goroutine's number never changes.
func TestGoroutineNumbers(t *testing.T) {
	var mu sync.Mutex
	seen := map[uintptr]bool{goroutine.ID(): true}
	var all, group sync.WaitGroup
	all.Add(100)
	for range 100 {
		group.Go(func() {
			mu.Lock()
			here := goroutine.ID()
			if seen[here] || here == callWaits || here == callEnded {
				t.Errorf("%x is another's number", here)
			}
			seen[here] = true
			mu.Unlock()
			all.Done()
			all.Wait()
			deepen(100)
			if goroutine.ID() != here {
				t.Error("the number has changed")
			}
		})
	}
	group.Wait()
}

// deepen makes the stack of a goroutine grow.
func deepen(n int) [256]byte {
	var here [256]byte
	if n > 0 {
		here = deepen(n - 1)
	}
	here[n%256]++
	return here
}

// StopWait waits for the timer's own callback, which is running or in the executor's queue, and for
// no other callback.
func TestStopWait(t *testing.T) {
	for name, e := range executors() {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *Wheel) {
				ended := false
				timer, err := w.AfterFunc(time.Second, func() { time.Sleep(10 * time.Second); ended = true })
				must(t, err)
				if was, err := timer.StopWait(t.Context()); !was || err != nil {
					t.Errorf("of one that is pending: %v, %v", was, err)
				}
				must(t, second(timer.Reset(time.Second)))
				time.Sleep(2 * time.Second)
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				if was, err := timer.StopWait(ctx); was || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("that gives up: %v, %v", was, err)
				}
				if was, err := timer.StopWait(t.Context()); was || err != nil || !ended {
					t.Errorf("of one that runs: %v, %v, ended %v", was, err, ended)
				}
				begun, block := time.Now(), make(chan bool)
				other, err := w.AfterFunc(0, func() { <-block })
				must(t, err)
				time.Sleep(time.Second)
				if was, err := timer.StopWait(t.Context()); was || err != nil || time.Since(begun) != time.Second {
					t.Errorf("of one that has ended, beside another that runs: %v, %v after %v", was, err, time.Since(begun))
				}
				close(block)
				must(t, second(other.StopWait(t.Context())))
			}, WithExecutor(e), WithShards(1))
		})
	}
}

// StopWait also waits for a call that is queued behind another in the executor. It does not wait
// when a callback of the wheel calls it.
func TestStopWaitInTheQueue(t *testing.T) {
	for name, e := range map[string]Executor{"inline": Inline, "pool": Pool(1)} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *Wheel) {
				ran := false
				queued, err := w.AfterFunc(2*time.Millisecond, func() { time.Sleep(time.Second); ran = true })
				must(t, err)
				inside := make(chan error, 1)
				_, err = w.AfterFunc(time.Millisecond, func() {
					time.Sleep(10 * time.Second)
					_, err := queued.StopWait(t.Context())
					inside <- err
				})
				must(t, err)
				time.Sleep(time.Second)
				if was, err := queued.StopWait(t.Context()); was || err != nil || !ran {
					t.Errorf("%v, %v, ran %v", was, err, ran)
				}
				if err := <-inside; !errors.Is(err, ErrInCallback) {
					t.Errorf("by a callback: %v", err)
				}
			}, WithExecutor(e), WithShards(1))
		})
	}
}

// After a Reset, StopWait still waits for an earlier call.
func TestStopWaitAfterReset(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		calls, ended := 0, 0
		timer, err := w.AfterFunc(time.Second, func() { calls++; time.Sleep(10 * time.Second); ended++ })
		must(t, err)
		time.Sleep(2 * time.Second)
		if was, err := timer.Reset(time.Hour); was || err != nil {
			t.Errorf("Reset of one that runs: %v, %v", was, err)
		}
		if was, err := timer.StopWait(t.Context()); !was || err != nil || calls != 1 || ended != 1 {
			t.Errorf("%v, %v, %d calls, %d ended", was, err, calls, ended)
		}
	})
}

// The hook is called in place of each callback, by its goroutine.
func TestCallbackHook(t *testing.T) {
	for name, e := range executors() {
		var hooked, ran atomic.Int32
		inBubble(t, func(t *testing.T, w *Wheel) {
			_, err := w.AfterFunc(time.Second, func() { ran.Add(1) })
			must(t, err)
			r, err := w.TickFunc(2*time.Second, func() { ran.Add(1) })
			must(t, err)
			must(t, NewKeyed[int](w).AfterFunc(1, 3*time.Second, func(int) { ran.Add(1); panic("oh") }))
			time.Sleep(5500 * time.Millisecond)
			r.Stop()
			synctest.Wait()
			if ran.Load() != 4 || hooked.Load() != 4 || w.Stats().Panicked != 1 {
				t.Errorf("%s: %d callbacks, %d calls of the hook", name, ran.Load(), hooked.Load())
			}
		}, WithExecutor(e), WithOnPanic(func(any, []byte) {}), WithCallbackHook(func(call func()) {
			hooked.Add(1)
			here := goroutine.ID()
			call()
			if goroutine.ID() != here {
				t.Error("another goroutine")
			}
		}))
	}
}

// Deadline returns the tick at which the timer fires, also if it was scheduled with a shared clock
// read.
func TestDeadline(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		begun := time.Now()
		timer, err := w.AfterFunc(1500*time.Microsecond, nothing)
		must(t, err)
		if at, ok := timer.Deadline(); !ok || at.Sub(begun) != 2*time.Millisecond {
			t.Errorf("%v, %v", at.Sub(begun), ok)
		}
		must(t, second(timer.Reset(time.Hour)))
		if at, ok := timer.Deadline(); !ok || at.Sub(begun) != time.Hour {
			t.Errorf("after Reset: %v, %v", at.Sub(begun), ok)
		}
		timer.Stop()
		if at, ok := timer.Deadline(); ok {
			t.Errorf("of one that was stopped: %v", at)
		}
		must(t, second(timer.Reset(time.Second)))
		time.Sleep(2 * time.Second)
		if at, ok := timer.Deadline(); ok {
			t.Errorf("of one that has fired: %v", at)
		}
	})
	w := make1(t, WithShards(1))
	defer w.Close()
	for range 10_000 {
		due := time.Now().Add(time.Hour)
		timer, err := w.AfterFunc(time.Hour, nothing)
		must(t, err)
		if at, ok := timer.Deadline(); !ok || at.Before(due) || at.After(time.Now().Add(time.Hour+2*time.Millisecond)) {
			t.Fatalf("%v of %v, %v", at, due, ok)
		}
	}
}
