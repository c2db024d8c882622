package timer

import (
	"testing"
	"time"
)

// A nap lasts as long as requested, and at most a tick.
func TestNap(t *testing.T) {
	w, err := New(WithTick(time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Shutdown(t.Context())
	n := newNap(w)
	defer n.end()
	for range 20 {
		for _, d := range []time.Duration{0, 1, 30 * time.Microsecond, napMax} {
			begun := time.Now()
			if slept := n.sleep(d); !slept || time.Since(begun) < d {
				t.Errorf("%v: slept %v for %v", d, slept, time.Since(begun))
			}
		}
	}
	if n.sleep(napMax + 1) {
		t.Error("slept longer than a tick")
	}
}
