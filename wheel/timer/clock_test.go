package timer

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/wheel"
)

// due returns ceil((at+d)/tick), although it multiplies by the inverse of the tick instead of
// dividing.
func TestDueIsNeverEarly(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, tick := range []time.Duration{1, 2, 3, 7, 1000, time.Millisecond, 1<<20 - 1, time.Second, time.Hour, math.MaxInt64} {
		w := make1(t, WithTick(tick), WithShards(1))
		for n := range 4000 {
			at := time.Duration(rnd.Int64() >> rnd.IntN(60))
			if n%4 == 0 && tick < 1<<40 {
				at = time.Duration(rnd.Int64N(1<<20)) * tick // the very beginning of a tick
			}
			got, slack := w.due(at)
			want := at / tick
			if at%tick != 0 {
				want++
			}
			if want > time.Duration(wheel.TickMax) {
				continue
			}
			if got != wheel.Tick(want) || slack < 0 || slack >= tick || tick < 1<<40 && want < 1<<22 && want*tick-at != slack {
				t.Fatalf("ticks of %d: %d is tick %d, slack %d, want %d", tick, at, got, slack, want)
			}
		}
		if err := w.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// hooked is a mock clock that calls a function right after it is read.
type hooked struct {
	*clock.Mock
	hook atomic.Pointer[func()]
}

func (h *hooked) Now() time.Time {
	now := h.Mock.Now()
	if f := h.hook.Swap(nil); f != nil {
		(*f)()
	}
	return now
}

// If the clock is moved after the driver has read it and before the driver sleeps on it, the driver
// is still woken.
func TestClockMovesBeforeTheDriverSleeps(t *testing.T) {
	h := &hooked{Mock: clock.NewMock()}
	w := make1(t, WithClock(mockClock(h)), WithShards(1))
	s := w.shards[0]
	ran := make(chan struct{})
	time.Sleep(20 * time.Millisecond) // by now the driver sleeps; otherwise the test would prove nothing
	s.mu.Lock()                       // the driver waits for s.mu when it is woken
	s.scheduleIn(time.Second, func() { close(ran) })
	reads := 0
	var second func() // the first clock read is in turn, the second in until
	second = func() {
		if reads++; reads < 2 {
			h.hook.Store(&second)
			return
		}
		h.Set(h.Mock.Now().Add(2 * time.Second))
	}
	h.hook.Store(&second)
	s.mu.Unlock()
	select {
	case <-ran:
	case <-time.After(10 * time.Second):
		t.Error("a second past its due time the timer has not fired")
	}
	must(t, w.Shutdown(t.Context()))
}

// Tests of a program as shown in docs/GUIDE.md: in a bubble of testing/synctest, or with a mock
// clock that is moved while the wheel is idle.
func TestAsTheGuideTests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := make1(t)
		defer w.Shutdown(t.Context())
		gone := false
		w.AfterFunc(time.Minute, func() { gone = true })
		time.Sleep(time.Minute)
		if synctest.Wait(); !gone {
			t.Error("alice is there")
		}
	})
	synctest.Test(t, func(t *testing.T) {
		mock := clock.NewMock()
		begun, at := mock.Now(), []time.Duration(nil)
		w := make1(t, WithClock(mockClock(mock)), WithExecutor(Inline))
		defer w.Shutdown(t.Context())
		w.TickFunc(time.Second, func() { at = append(at, mock.Now().Sub(begun)) })
		synctest.Wait()
		mock.Add(3 * time.Second)
		if synctest.Wait(); !slices.Equal(at, []time.Duration{time.Second, 2 * time.Second, 3 * time.Second}) {
			t.Errorf("it ran at %v", at)
		}
	})
}
