package question

import "time"

// Timeouts of answers, and the times after which a client should repeat a request whose answer is not
// available.
const (
	RetryWait      = 5 * time.Second // time after which a client should repeat a request that was refused because the server is busy
	computingRetry = 2 * time.Second // time after which a client should repeat a request for an answer that is being computed
	longRetry      = time.Minute     // time after which a client should repeat a request for an answer that takes more than api.MakingWait to compute
	EventsWait     = 5 * time.Second // timeout for an answer about events
)
