package timer

import (
	"testing"
	"time"
)

// A sleep lasts as long as requested.
func TestSleep(t *testing.T) {
	s := newSleeper(sinceNow(), time.Second, true)
	defer s.end()
	for range 20 {
		for _, d := range []time.Duration{0, 1, 30 * time.Microsecond, sleeperMax} {
			begun := time.Now()
			if slept := s.sleep(d); !slept || time.Since(begun) < d {
				t.Errorf("%v: slept %v for %v", d, slept, time.Since(begun))
			}
		}
	}
}

// If the clock does not move during a sleep, such as in a bubble of testing/synctest, the sleeper
// detects it and ends.
func TestSleepBesideAnotherClock(t *testing.T) {
	s := newSleeper(func() time.Duration { return 0 }, time.Second, true)
	if s.sleep(sleeperMax) || s.mayWork() || s.alarm != nil {
		t.Errorf("it sleeps, and would again: %+v", s)
	}
}
