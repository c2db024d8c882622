package timer

import (
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"
)

// A clock that jumps back loses no timer and fires none early: what is armed after the
// jump fires when its time has passed; for what was armed before it, time stands still
// between the last reading before the jump and the first after it.
func TestClockThatJumpsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mock := clock.NewMock()
		mock.Set(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		w := make1(t, Clock(mock), Execute(Inline), Shards(1))
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
		_, err = w.Shutdown(t.Context())
		must(t, err)
	})
}

// The longest durations wait, in every form.
func TestLongestDurations(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		never := func() { t.Error("the longest duration is over") }
		must(t, w.Set("set", math.MaxInt64, never))
		must(t, w.Every("every", math.MaxInt64, -1, never))
		must(t, w.EveryFrom("past", time.Time{}, math.MaxInt64, 3, never))
		must(t, w.EveryFrom("future", time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), math.MaxInt64, 3, never))
		k, err := w.NewTicker(math.MaxInt64)
		must(t, err)
		c, err := w.After(math.MaxInt64)
		must(t, err)
		time.Sleep(100 * 24 * time.Hour)
		synctest.Wait()
		select {
		case <-k.C:
			never()
		case <-c:
			never()
		default:
		}
		if w.Pending() != 6 {
			t.Errorf("%d of 6 pending", w.Pending())
		}
	})
}

// The process's own wheel is one, whoever asks first.
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
	_, err := AfterFunc(time.Millisecond, func() { ran <- true })
	must(t, err)
	<-ran
	timer, err := NewTimer(time.Millisecond)
	must(t, err)
	<-timer.C
	ticker, err := NewTicker(time.Millisecond)
	must(t, err)
	<-ticker.C
	ticker.Stop()
	c, err := After(time.Millisecond)
	must(t, err)
	<-c
	must(t, Sleep(t.Context(), time.Millisecond))
	if _, err := Default().Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
}
