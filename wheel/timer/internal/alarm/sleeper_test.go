package alarm

import (
	"testing"
	"time"
)

func elapsed() func() time.Duration {
	begun := time.Now()
	return func() time.Duration { return time.Since(begun) }
}

// A Sleeper sleeps only on the machine's clock, and not for longer than its limit.
func TestSleepIsRefused(t *testing.T) {
	s := New(elapsed(), time.Millisecond, false)
	if s.Able() || s.Sleep(0) {
		t.Error("it sleeps by a clock that is not the machine's")
	}
	s = New(elapsed(), time.Second, true)
	defer s.End()
	if s.Sleep(Max + 1) {
		t.Error("it sleeps for more than Max")
	}
	s = New(elapsed(), time.Microsecond, true)
	if s.Sleep(2 * time.Microsecond) {
		t.Error("it sleeps for more than its limit")
	}
}
