package timer

import (
	"testing"
	"time"
)

func sinceNow() func() time.Duration {
	begun := time.Now()
	return func() time.Duration { return time.Since(begun) }
}

// A sleeper sleeps only on the machine's clock, and not for longer than its limit.
func TestSleepIsRefused(t *testing.T) {
	s := newSleeper(sinceNow(), time.Millisecond, false)
	if s.mayWork() || s.sleep(0) {
		t.Error("it sleeps by a clock that is not the machine's")
	}
	s = newSleeper(sinceNow(), time.Second, true)
	defer s.end()
	if s.sleep(sleeperMax + 1) {
		t.Error("it sleeps for more than sleeperMax")
	}
	s = newSleeper(sinceNow(), time.Microsecond, true)
	if s.sleep(2 * time.Microsecond) {
		t.Error("it sleeps for more than its limit")
	}
}
