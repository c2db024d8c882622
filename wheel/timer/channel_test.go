package timer

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// After Stop or Reset nothing of before is received.
func TestNoStaleValue(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		timer, err := w.NewTimer(time.Second)
		must(t, err)
		time.Sleep(2 * time.Second)
		synctest.Wait() // fired, and not received
		if was, err := timer.Reset(time.Second); !was || err != nil {
			t.Errorf("Reset: %v, %v", was, err)
		}
		begun := time.Now()
		if at := <-timer.C; at.Sub(begun) < time.Second || at.Sub(begun) > 1002*time.Millisecond {
			t.Errorf("received %v after Reset", at.Sub(begun))
		}
		if timer.Stop() {
			t.Error("Stop of one that was received is true")
		}
		must(t, second(timer.Reset(time.Second)))
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if !timer.Stop() {
			t.Error("Stop of one that was not received is false")
		}
		select {
		case at := <-timer.C:
			t.Errorf("a stale %v", at)
		default:
		}
	})
}

func TestTicker(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		begun := time.Now()
		k, err := w.NewTicker(1500 * time.Microsecond) // one and a half ticks of the wheel
		must(t, err)
		for n := range 2000 {
			at := (<-k.C).Sub(begun)
			want := time.Duration(n+1) * 1500 * time.Microsecond
			if at < want || at > want+2*time.Millisecond {
				t.Fatalf("tick %d at %v, want %v", n+1, at, want)
			}
		}
		time.Sleep(time.Second) // nobody takes them: dropped
		<-k.C
		must(t, k.Reset(time.Second))
		begun = time.Now()
		if at := (<-k.C).Sub(begun); at < time.Second || at > 1002*time.Millisecond {
			t.Errorf("after Reset the first tick came at %v", at)
		}
		k.Stop()
		select {
		case <-k.C:
			t.Error("a tick after Stop")
		case <-time.After(5 * time.Second):
		}
	})
}

// A driver that is woken a little late loses no tick of a ticker whose interval is the
// wheel's tick: each of its ticks may be late by one of the wheel's and by the scheduler.
func TestTicksAreMissedByTheWheelsTicks(t *testing.T) {
	const ms, us = time.Millisecond, time.Microsecond
	for _, c := range []struct{ next, every, now, want time.Duration }{
		{1000 * us, ms, 1050 * us, 2000 * us},
		{1020 * us, ms, 2050 * us, 2020 * us}, // fires at 3 ms
		{1999 * us, ms, 2000 * us, 2999 * us},
		{1020 * us, ms, 5050 * us, 5020 * us}, // 2.02, 3.02 and 4.02 are missed
		{1000 * us, ms, 5050 * us, 6000 * us},
		{1500 * us, 1500 * us, 2010 * us, 3000 * us},
		{1000 * us, 300 * us, 1010 * us, 1300 * us}, // no two in one tick
		{1300 * us, 300 * us, 2010 * us, 2200 * us},
		{ms, 10 * time.Second, 2050 * us, 10001 * ms},
	} {
		s := sender{every: c.every, next: c.next}
		if got := s.following(c.now, ms); got != c.want {
			t.Errorf("every %v, due at %v and sent at %v: the next at %v, want %v", c.every, c.next, c.now, got, c.want)
		}
	}
}

func TestAfterAndSleep(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		begun := time.Now()
		c, err := w.After(time.Second)
		must(t, err)
		<-c
		must(t, w.Sleep(t.Context(), time.Second))
		if d := time.Since(begun); d < 2*time.Second || d > 2005*time.Millisecond {
			t.Errorf("took %v", d)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := w.Sleep(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Sleep: %v", err)
		}
		if w.Pending() != 0 {
			t.Errorf("%d pending", w.Pending())
		}
	})
}

// between holds a ticker up between the end of a tick's wait and the next, as the
// scheduler may.
func between(t *testing.T, w *Wheel, k *Ticker, do func(s *sender)) {
	t.Helper()
	s := k.t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	for begun := time.Now(); w.Pending() > 0; time.Sleep(time.Millisecond) {
		if time.Since(begun) > 30*time.Second {
			t.Fatal("it never fires")
		}
	}
	do(s)
}

// A ticker keeps its place among the pending timers from tick to tick.
func TestTickerKeepsItsPlace(t *testing.T) {
	w := make1(t, MaxPending(1))
	defer w.Shutdown(t.Context())
	k, err := w.NewTicker(2 * time.Millisecond)
	must(t, err)
	for range 5 {
		between(t, w, k, func(*sender) {
			if _, err := w.AfterFunc(time.Hour, nothing); !errors.Is(err, ErrFull) {
				t.Fatalf("its place was taken: %v", err)
			}
		})
		<-k.C
	}
	between(t, w, k, func(s *sender) { // what Reset does
		s.end()
		must(t, s.begin(time.Millisecond))
	})
	<-k.C
	<-k.C
	w.Drain()
	k.Stop()
	if n := w.pending.Load(); n > 1 || n < 0 { // 1: Drain came between two ticks
		t.Errorf("%d places are taken", n)
	}
}

// One that is stopped between two ticks gives its place back.
func TestTickerGivesItsPlaceBack(t *testing.T) {
	w := make1(t, MaxPending(1))
	defer w.Shutdown(t.Context())
	k, err := w.NewTicker(2 * time.Millisecond)
	must(t, err)
	between(t, w, k, func(s *sender) { s.halt() })
	time.Sleep(5 * time.Millisecond)
	if n := w.pending.Load(); n != 0 || w.Pending() != 0 {
		t.Errorf("%d places are taken, %d pending", n, w.Pending())
	}
	k.Stop()
	must(t, k.Reset(2*time.Millisecond))
	<-k.C
	<-k.C
	k.Stop()
	if n := w.pending.Load(); n != 0 {
		t.Errorf("then %d places are taken", n)
	}
}
