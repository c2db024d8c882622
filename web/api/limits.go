package api

import "time"

// Limits of the answers about runs.
const (
	ComparisonsMax    = 16               // maximum number of cached comparisons; the least recently used is dropped first
	ComparingMax      = 4                // maximum number of comparisons computed at a time
	MakingsMax        = 32               // maximum number of comparisons and trace digests that are being computed or wait for it
	RunComparisonsMax = 4                // maximum number of cached comparisons of two runs
	NextEventsMax     = 60               // maximum number of events of the next step in an answer
	RecentEventsMax   = 200              // maximum number of events up to the cursor in an answer
	LifeEventsMax     = 400              // maximum number of events of one timer in an answer
	seedMax           = 128              // maximum number of bytes in a student's seed, which is a number or a name
	questionMax       = 1 << 20          // maximum number n of a question; a student's questions at one tick are numbered from 0
	SeenMax           = 20               // maximum number of recent questions that a new one does not repeat
	turnWait          = 5 * time.Second  // timeout for starting to compare a file with a run while ComparingMax others are compared
	MakingWait        = 2 * time.Minute  // timeout for computing a comparison or a trace digest, which may take several requests
	makingIdle        = 15 * time.Second // time for which the computation of a comparison or digest continues while no request waits for it
	costsWait         = 2 * time.Second  // timeout for an answer of /api/costs
	ImportWait        = 5 * time.Minute  // timeout for reading a file and comparing it with its run
)
