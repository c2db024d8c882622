package timer

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The hook is called in place of each callback, by its goroutine.
func TestCallbackHook(t *testing.T) {
	for name, e := range executors() {
		var hooked, ran atomic.Int32
		inBubble(t, func(t *testing.T, w *Wheel) {
			w.AfterFunc(time.Second, func() { ran.Add(1) })
			r := w.TickFunc(2*time.Second, func() { ran.Add(1) })
			NewKeyed[int](w).AfterFunc(1, 3*time.Second, func(int) { ran.Add(1); panic("oh") })
			time.Sleep(5500 * time.Millisecond)
			r.Stop()
			synctest.Wait()
			if ran.Load() != 4 || hooked.Load() != 4 || w.Stats().Panicked != 1 {
				t.Errorf("%s: %d callbacks, %d calls of the hook", name, ran.Load(), hooked.Load())
			}
		}, WithExecutor(e), WithOnPanic(func(any, []byte) {}), WithCallbackHook(func(call func()) {
			hooked.Add(1)

			call()
		}))
	}
}

// Deadline returns the tick at which the timer fires, also if it was scheduled with a shared clock
// read.
func TestDeadline(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		begun := time.Now()
		timer := w.AfterFunc(1500*time.Microsecond, nothing)
		if at, ok := timer.Deadline(); !ok || at.Sub(begun) != 2*time.Millisecond {
			t.Errorf("%v, %v", at.Sub(begun), ok)
		}
		timer.Reset(time.Hour)
		if at, ok := timer.Deadline(); !ok || at.Sub(begun) != time.Hour {
			t.Errorf("after Reset: %v, %v", at.Sub(begun), ok)
		}
		timer.Stop()
		if at, ok := timer.Deadline(); ok {
			t.Errorf("of one that was stopped: %v", at)
		}
		timer.Reset(time.Second)
		time.Sleep(2 * time.Second)
		if at, ok := timer.Deadline(); ok {
			t.Errorf("of one that has fired: %v", at)
		}
	})
	w := make1(t, WithShards(1))
	defer w.Close()
	for range 10_000 {
		due := time.Now().Add(time.Hour)
		timer := w.AfterFunc(time.Hour, nothing)
		if at, ok := timer.Deadline(); !ok || at.Before(due) || at.After(time.Now().Add(time.Hour+2*time.Millisecond)) {
			t.Fatalf("%v of %v, %v", at, due, ok)
		}
	}
}

// A run that waits behind callbacks which end their goroutine is counted as late once.
func TestLateIsCountedOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		w.AfterFunc(time.Millisecond, func() { time.Sleep(100 * time.Millisecond) })
		for range 4 {
			w.AfterFunc(2*time.Millisecond, func() { runtime.Goexit() })
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if s := w.Stats(); s.Fired != 5 || s.Late != 4 {
			t.Errorf("%+v", s)
		}
	}, oneByOne, WithShards(1))
}

// If callbacks run one after another, those that have not ended count as running, whatever way they
// end.
func TestRunningAmidABatch(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		var running []int
		for _, end := range []func(){func() {}, func() { panic("oh") }, runtime.Goexit, func() {}, func() {}} {
			w.AfterFunc(time.Millisecond, func() {
				running = append(running, w.Running())
				end()
			})
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if !slices.Equal(running, []int{5, 4, 3, 2, 1}) || w.Running() != 0 {
			t.Errorf("running at each: %v, then %d", running, w.Running())
		}
	}, WithExecutor(Inline), WithShards(1), WithOnPanic(func(any, []byte) {}))
}
