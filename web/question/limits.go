package question

import "time"

// Limits of answers, and the times after which a client should ask again if an answer is not
// available.
const (
	RetryWait      = 5 * time.Second // time after which a client should repeat a refused request
	computingRetry = 2 * time.Second // time after which a client should repeat a request for an answer that is being computed
	longRetry      = time.Minute     // time after which a client should repeat a request for an answer that takes more than api.MakingWait to compute
	EventsWait     = 5 * time.Second // timeout for an answer about events
)
