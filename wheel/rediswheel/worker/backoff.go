package worker

import "time"

// Backoff returns the wait before the next attempt after a number of failed ones. It starts at
// base, doubles with each failure up to limit, and is reduced by up to half, so that tasks that
// failed together are not retried together. draw returns the reduction, from 0 up to, not
// including, its argument; a worker uses a random one.
func Backoff(base, limit time.Duration, failed int, draw func(time.Duration) time.Duration) time.Duration {
	wait := min(base, limit)
	for i := 1; i < failed && wait < limit; i++ {
		wait += min(wait, limit-wait) // not 2*wait, which may overflow
	}
	return wait - draw(wait/2+1)
}
