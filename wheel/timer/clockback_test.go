package timer

import (
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"
)

// A clock that jumps back loses no timer and fires none early. A timer scheduled after the jump
// fires when its delay has passed. For one scheduled before it, no time passes between the last
// clock read before the jump and the first after it.
func TestClockThatJumpsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mock := clock.NewMock()
		mock.Set(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		w := make1(t, WithClock(mockClock(mock)), WithExecutor(Inline), WithShards(1))
		var old, new atomic.Int32
		w.AfterFunc(10*time.Second, func() { old.Add(1) })
		synctest.Wait()
		mock.Add(5 * time.Second)
		synctest.Wait()
		mock.Set(mock.Now().Add(-time.Hour))
		w.AfterFunc(2*time.Second, func() { new.Add(1) })
		for range 19 {
			synctest.Wait()
			mock.Add(100 * time.Millisecond)
		}
		if synctest.Wait(); new.Load() != 0 || old.Load() != 0 {
			t.Errorf("1.9 s after the jump %d and %d ran", new.Load(), old.Load())
		}
		for range 83 {
			mock.Add(100 * time.Millisecond)
			synctest.Wait()
		}
		if new.Load() != 1 || old.Load() != 1 {
			t.Errorf("10.2 s after the jump %d and %d ran", new.Load(), old.Load())
		}
		must(t, w.Shutdown(t.Context()))
	})
}

// The longest durations are accepted by every method.
func TestLongestDurations(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		never := func() { t.Error("the longest duration is over") }
		NewKeyed[string](w).AfterFunc("set", math.MaxInt64, func(string) { never() })
		w.TickFunc(math.MaxInt64, never)
		w.TickFunc(math.MaxInt64, never, WithFixedDelay())
		ctx, cancel := w.WithTimeout(t.Context(), math.MaxInt64)
		defer cancel()
		time.Sleep(100 * 24 * time.Hour)
		synctest.Wait()
		if ctx.Err() != nil || w.Pending() != 4 {
			t.Errorf("%d of 4 pending", w.Pending())
		}
	})
}

// There is one wheel of the process, whichever goroutine calls Default first.
func TestDefault(t *testing.T) {
	wheels := make([]*Wheel, 8)
	var group sync.WaitGroup
	for k := range wheels {
		group.Go(func() { wheels[k] = Default() })
	}
	group.Wait()
	for _, w := range wheels {
		if w != wheels[0] {
			t.Fatal("two default wheels")
		}
	}
	ran := make(chan bool, 1)
	Default().AfterFunc(time.Millisecond, func() { ran <- true })
	<-ran
	must(t, Default().Shutdown(t.Context()))
}

// In a bubble Default panics with an explanation, at the first call and at later ones.
func TestDefaultInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Hour)
		defer func() {
			if text, ok := recover().(string); !ok || !strings.Contains(text, "synctest") {
				t.Errorf("Default in a bubble: %q", text)
			}
		}()
		Default().AfterFunc(time.Second, nothing)
	})
}

// Methods that schedule with a zero value, or without a function, panic with a text that says why. The others do nothing.
func TestZeroValues(t *testing.T) {
	var none *Wheel
	var timer Timer
	var repeat Repeat
	w := make1(t)
	for what, f := range map[string]func(){
		"AfterFunc": func() { none.AfterFunc(1, nothing) }, "AfterFunc of a zero Wheel": func() { new(Wheel).AfterFunc(1, nothing) },
		"TickFunc": func() { none.TickFunc(1, nothing) }, "NewKeyed": func() { NewKeyed[int](none) },
		"WithTimeout": func() { none.WithTimeout(t.Context(), 1) }, "WithDeadline": func() { new(Wheel).WithDeadline(t.Context(), time.Now()) },
		"Timer.Stop": func() { timer.Stop() }, "Timer.Reset": func() { timer.Reset(1) }, "Repeat.Reset": func() { repeat.Reset(1) },
		"AfterFunc without a function": func() { w.AfterFunc(1, nil) }, "TickFunc without a function": func() { w.TickFunc(1, nil) },
		"Keyed without a function": func() { NewKeyed[int](w).AfterFunc(1, 1, nil) },
		"TickFunc(0)":              func() { w.TickFunc(0, nothing) }, "TickFunc(-1)": func() { w.TickFunc(-1, nothing) },
		"NaN": func() { NewKeyed[float64](w).AfterFunc(math.NaN(), 1, func(float64) {}) },
	} {
		func() {
			defer func() {
				if text, ok := recover().(string); !ok || !strings.HasPrefix(text, "timer: ") {
					t.Errorf("%s: %q", what, text)
				}
			}()
			f()
		}()
	}
	must(t, w.Shutdown(t.Context()))
	for _, w := range []*Wheel{none, {}} {
		w.Compact()
		if w.Pending() != 0 || w.Running() != 0 || w.Stats() != (Stats{}) || w.Close() != nil || w.Shutdown(t.Context()) != nil {
			t.Error("a zero Wheel has something")
		}
	}
	if _, pending := timer.Deadline(); pending {
		t.Error("a zero value is pending")
	}
}
