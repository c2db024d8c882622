package timer

import (
	"math"
	"sync"
	"testing"
	"time"
)

// The clock may go forward, stop and go back. The elapsed time is the sum of its steps forward, and
// each step back is reported once.
func TestElapsedSince(t *testing.T) {
	origin := time.Unix(1_000_000, 0)
	now, back := origin, 0
	passed := elapsedSince(origin, func() time.Time { return now }, func() { back++ })
	for _, c := range []struct {
		step, passed time.Duration
		back         int
	}{
		{0, 0, 0},
		{time.Second, time.Second, 0},
		{-time.Hour, time.Second, 1},
		{0, time.Second, 1},
		{time.Minute, 61 * time.Second, 1},
		{-1, 61 * time.Second, 2},
		{math.MaxInt64, math.MaxInt64, 2}, // no overflow
		{time.Hour, math.MaxInt64, 2},
		{-time.Hour, math.MaxInt64, 3},
	} {
		now = now.Add(c.step)
		if got := passed(); got != c.passed || back != c.back {
			t.Errorf("after a step of %v: %v passed, %d steps back; want %v and %d", c.step, got, back, c.passed, c.back)
		}
	}
}

// Several goroutines that read a clock which jumps each see the elapsed time grow.
func TestElapsedSinceNeverGoesBack(t *testing.T) {
	var mu sync.Mutex
	steps, at := [...]time.Duration{5, -3, 2, -7, 11}, 0
	now := time.Unix(0, 0)
	passed := elapsedSince(now, func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at++
		now = now.Add(steps[at%len(steps)])
		return now
	}, func() {})
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for last, k := time.Duration(0), 0; k < 10_000; k++ {
				next := passed()
				if next < last {
					t.Errorf("%v after %v", next, last)
					return
				}
				last = next
			}
		})
	}
	group.Wait()
}
