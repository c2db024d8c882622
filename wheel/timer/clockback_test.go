package timer

import (
	"errors"
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
		_, err := w.AfterFunc(10*time.Second, func() { old.Add(1) })
		must(t, err)
		synctest.Wait()
		mock.Add(5 * time.Second)
		synctest.Wait()
		mock.Set(mock.Now().Add(-time.Hour))
		_, err = w.AfterFunc(2*time.Second, func() { new.Add(1) })
		must(t, err)
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
		must(t, NewKeyed[string](w).AfterFunc("set", math.MaxInt64, func(string) { never() }))
		must(t, second(w.TickFunc(math.MaxInt64, never)))
		must(t, second(w.TickFunc(math.MaxInt64, never, WithFixedDelay())))
		ctx, cancel, err := w.WithTimeout(t.Context(), math.MaxInt64)
		must(t, err)
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
	_, err := Default().AfterFunc(time.Millisecond, func() { ran <- true })
	must(t, err)
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

// Zero values return an error that says what to do, and do nothing.
func TestZeroValues(t *testing.T) {
	var none *Wheel
	for _, w := range []*Wheel{none, {}} {
		k := NewKeyed[int](w)
		moved := second(k.Reset(1, 1))
		_, _, err := w.WithTimeout(t.Context(), 1)
		for what, err := range map[string]error{"AfterFunc": second(w.AfterFunc(1, nothing)), "TickFunc": second(w.TickFunc(1, nothing)),
			"WithTimeout": err, "Keyed.AfterFunc": k.AfterFunc(1, 1, func(int) {}), "Keyed.Reset": moved} {
			if !errors.Is(err, ErrZero) {
				t.Errorf("%s: %v", what, err)
			}
		}
		for range k.All() {
			t.Error("a key")
		}
		w.Compact()
		if k.Stop(1) || w.Pending() != 0 || w.Running() != 0 || w.Stats() != (Stats{}) || w.Close() != nil || w.Shutdown(t.Context()) != nil {
			t.Error("a zero Wheel has something")
		}
	}
	var timer Timer
	var repeat Repeat
	var keyed Keyed[string]
	_, pending := timer.Deadline()
	for what, err := range map[string]error{"Timer.Reset": second(timer.Reset(1)), "Timer.StopWait": second(timer.StopWait(t.Context())),
		"Repeat.Reset": second(repeat.Reset(1)), "Repeat.StopWait": second(repeat.StopWait(t.Context())), "Keyed.AfterFunc": keyed.AfterFunc("", 1, func(string) {})} {
		if !errors.Is(err, ErrZero) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if timer.Stop() || repeat.Stop() || keyed.Stop("") || pending {
		t.Error("a zero value is pending")
	}
}
