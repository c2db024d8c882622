// Package elapsed measures time with a clock that may go back.
package elapsed

import (
	"math"
	"sync"
	"time"
)

// Since returns a function that returns the time that has passed since origin, according to the
// clock that the function now reads. The result never decreases. If the clock goes back between two
// readings, the true duration is unknown, so no time is counted between them, and the result
// continues from the second reading. The function back is called in this case, because goroutines
// that sleep on the clock may have to wake at another time. It must not call the returned function,
// which may be called concurrently.
func Since(origin time.Time, now func() time.Time, back func()) func() time.Duration {
	c := &clock{now: now, last: origin, back: back}
	return c.elapsed
}

type clock struct {
	mu     sync.Mutex
	now    func() time.Time
	last   time.Time
	passed time.Duration
	back   func()
}

func (c *clock) elapsed() time.Duration {
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
