package question

import "time"

// Limits of answers, and the times after which a client should ask again if an answer is not
// available.
const (
	RetryWait      = 5 * time.Second // time after which a client should repeat a refused request
	computingRetry = 2 * time.Second // the same if the answer is being computed
	longRetry      = time.Minute     // the same if computing the answer takes more than api.MakingWait
	EventsWait     = 5 * time.Second // timeout for an answer about events
)
