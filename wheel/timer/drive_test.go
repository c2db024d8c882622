package timer

import (
	"testing"
	"testing/synctest"
	"time"
)

// In a bubble of testing/synctest the clock does not move while the system sleeps. The driver detects
// that and sleeps on the clock, and every timer fires on time.
func TestDriverInABubble(t *testing.T) {
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
		w.Shutdown(t.Context())
	})
}
