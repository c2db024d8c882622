package redis

import (
	"math/rand/v2"
	"time"
)

// backoff is the wait before the next attempt, after a number of failed ones: base
// doubled with each, up to limit, less up to half of it at random, so that tasks
// that failed together do not come back together.
func backoff(base, limit time.Duration, failed int) time.Duration {
	wait := base
	for i := 1; i < failed && wait < limit; i++ {
		wait *= 2
	}
	wait = min(wait, limit)
	return wait - rand.N(wait/2+1)
}
