package timer

import (
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// The function of WithOnPanic may panic too, or end its goroutine. The callback has ended in either
// case.
func TestPanicsOfOnPanic(t *testing.T) {
	for name, f := range map[string]func(){"panic": func() { panic(2) }, "exit": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			for _, e := range executors() {
				inBubble(t, func(t *testing.T, w *Wheel) {
					_, err := w.AfterFunc(time.Millisecond, func() { panic(1) })
					must(t, err)
					time.Sleep(time.Second)
					synctest.Wait()
					if n, s := w.Running(), w.Stats(); n != 0 || s.Panicked != 1 {
						t.Errorf("%d run, %+v", n, s)
					}
				}, WithExecutor(e), WithShards(1), WithOnPanic(func(any, []byte) { f() }))
			}
		})
	}
}

// A run that waits behind callbacks which end their goroutine is counted as late once.
func TestLateIsCountedOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		_, err := w.AfterFunc(time.Millisecond, func() { time.Sleep(100 * time.Millisecond) })
		must(t, err)
		for range 4 {
			_, err := w.AfterFunc(2*time.Millisecond, func() { runtime.Goexit() })
			must(t, err)
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
			_, err := w.AfterFunc(time.Millisecond, func() {
				running = append(running, w.Running())
				end()
			})
			must(t, err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if !slices.Equal(running, []int{5, 4, 3, 2, 1}) || w.Running() != 0 {
			t.Errorf("running at each: %v, then %d", running, w.Running())
		}
	}, WithExecutor(Inline), WithShards(1), WithOnPanic(func(any, []byte) {}))
}
