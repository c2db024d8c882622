package api

import "time"

// Limits of the answers about runs.
const (
	ComparisonsMax  = 16               // cached comparisons; the least recently used is dropped first
	ComparingMax    = 4                // comparisons computed at a time
	MakingsMax      = 32               // comparisons and trace digests being computed, or waiting for a turn
	ContestsMax     = 4                // cached comparisons of two runs
	NextEventsMax   = 60               // events of the next step that are sent
	RecentEventsMax = 200              // last events that are sent
	LifeEventsMax   = 400              // events of one timer that are sent
	seedMax         = 128              // bytes of a student's seed: a number or a name
	questionMax     = 1 << 20          // questions of one student at one tick
	SeenMax         = 20               // last questions that a new one does not repeat
	turnWait        = 5 * time.Second  // for the turn of a file that a run is compared with
	MakingWait      = 2 * time.Minute  // for a comparison or a trace digest, over several requests
	makingIdle      = 15 * time.Second // for which such a computation continues without a request for it
	costsWait       = 2 * time.Second  // for the costs around a cursor
	ImportWait      = 5 * time.Minute  // for a file to be read and compared with its run
)
