package worker

import "time"

// Backoff returns the wait before the next attempt after the given number of failed attempts. The wait starts at base
// and doubles with each failed attempt up to limit. It is then reduced by up to half, so that tasks that failed
// together are not retried together. The reduction is chosen by draw, whose result must be at least 0 and less than its
// argument. Workers pass a function that returns random durations.
func Backoff(base, limit time.Duration, failed int, draw func(time.Duration) time.Duration) time.Duration {
	wait := min(base, limit)
	for i := 1; i < failed && wait < limit; i++ {
		wait += min(wait, limit-wait) // not 2*wait, which may overflow
	}
	return wait - draw(wait/2+1)
}
