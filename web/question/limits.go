package question

import "time"

// Limits of answers, and the times after which a client should ask again if an answer is not
// available.
const (
	RetryWait      = 5 * time.Second // after which a refused client should try again
	computingRetry = 2 * time.Second // the same for a client whose answer is being computed
	longRetry      = time.Minute     // the same for a client whose answer took more than api.MakingWait
	EventsWait     = 5 * time.Second // for an answer about events to be computed
)
