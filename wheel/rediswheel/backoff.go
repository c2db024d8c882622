package rediswheel

import "time"

// Backoff is the wait before the next attempt, after a number of failed ones: base
// doubled with each, up to limit, less up to half of it, so that tasks that failed
// together do not come back together. draw gives what is less, from 0 up to but not
// its argument: a worker draws at random.
func Backoff(base, limit time.Duration, failed int, draw func(time.Duration) time.Duration) time.Duration {
	wait := min(base, limit)
	for i := 1; i < failed && wait < limit; i++ {
		wait += min(wait, limit-wait) // not 2*wait, which may be past what fits
	}
	return wait - draw(wait/2+1)
}
