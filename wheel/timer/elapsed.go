package timer

import (
	"math"
	"sync"
	"time"
)

// elapsedSince returns a function that returns the time elapsed since origin. The returned function may be
// called concurrently, and its result never decreases. It calls now to read the clock. If the clock
// goes back between two readings, the true duration between them is unknown and counts as 0, and
// the result continues to grow from the second reading. In this case the function back is also
// called, because goroutines that sleep on the clock may have to wake at a different time. The
// function back must not call the returned function.
func elapsedSince(origin time.Time, now func() time.Time, back func()) func() time.Duration {
	c := &elapsedClock{now: now, last: origin, back: back}
	return c.elapsed
}

// elapsedClock measures time with a clock that may go back.
type elapsedClock struct {
	mu     sync.Mutex
	now    func() time.Time
	last   time.Time
	passed time.Duration
	back   func()
}

func (c *elapsedClock) elapsed() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	step := now.Sub(c.last)
	c.last = now
	switch {
	case step < 0:
		c.back()
	case c.passed > math.MaxInt64-step:
		c.passed = math.MaxInt64
	default:
		c.passed += step
	}
	return c.passed
}
