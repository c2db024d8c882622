package api

import "time"

// Limits of the answers about runs.
const (
	ComparisonsMax  = 16                // maximum number of cached comparisons of lanes; the least recently used is dropped first
	ComparingMax    = 4                 // maximum number of concurrent computations of comparisons and trace digests
	MakingsMax      = 32                // maximum number of comparisons and trace digests that are being computed or waiting to be computed
	NextEventsMax   = 60                // maximum number of events in an answer about the next step
	RecentEventsMax = 200               // maximum number of events in an answer about the last events
	LifeEventsMax   = 400               // maximum number of events in an answer about one timer
	seedMax         = 128               // maximum length of a student's seed, in bytes
	questionMax     = 1 << 20           // largest question number; the questions for one seed at one tick are numbered from 0
	SeenMax         = 20                // maximum number of recent questions that a client can exclude when it requests a new one
	MakingWait      = 2 * time.Minute   // timeout for computing a comparison or a trace digest; a client repeats its request until the result is known
	makingIdle      = 15 * time.Second  // time for which a computation continues after the last request that waited for it has timed out
	costsWait       = 2 * time.Second   // timeout for computing the answer to a request for /api/costs
	ImportWait      = 100 * time.Second // timeout, less than that of most proxies, for reading a file and comparing it with its run

	RetryWait      = 5 * time.Second // time after which a client should repeat a request that was refused because the server is busy
	computingRetry = 2 * time.Second // time after which a client should repeat a request for an answer that is being computed
	longRetry      = time.Minute     // time after which a client should repeat a request for an answer that takes more than MakingWait to compute
	EventsWait     = 5 * time.Second // timeout for an answer about events
)
