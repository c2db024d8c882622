package timer

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"
)

// In a bubble the clock does not move while the system sleeps. The driver detects that and sleeps
// on the clock, and every timer fires on time.
func TestNapInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, err := New(WithShards(1))
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		fired := make(chan time.Duration, 3)
		for _, d := range []time.Duration{500 * time.Microsecond, 3 * time.Millisecond, time.Hour} {
			w.AfterFunc(d, func() { fired <- time.Since(begun) })
		}
		for _, want := range []time.Duration{time.Millisecond, 3 * time.Millisecond, time.Hour} {
			if got := <-fired; got != want {
				t.Errorf("fired after %v, want %v", got, want)
			}
		}
		n := newNap(w)
		if n.sleep(napMax) || n.able || n.alarm != nil {
			t.Errorf("it naps, and would again: %+v", n)
		}
		w.Shutdown(t.Context())
	})
}

// Only a wheel on the machine's clock naps.
func TestNoNapByAnotherClock(t *testing.T) {
	w, err := New(WithClock(mocked(clock.NewMock())))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Shutdown(t.Context())
	if n := newNap(w); n.able || n.sleep(0) {
		t.Error("it naps by a mock")
	}
}
