package web

import (
	"time"
)

// Limits of the server that apply to its clients. A request that exceeds a limit gets an error that
// names the limit. Other clients are not affected.
const (
	CommandsBurst    = 120       // commands of one socket in a burst
	RefusalsMax      = 600       // commands over the rate before the socket is closed
	WriteBufferBytes = 256 << 10 // of the system's buffer for what a socket sends
	BodyBytesMax     = 64 << 10  // of a request to any other route
	ContestBytesMax  = 64 << 20  // of a file that a run is compared with
	BodiesMax        = 8         // files arriving at a time, or waiting to be read
	SmallBodiesMax   = 128       // the same for bodies of at most BodyBytesMax bytes
	BodyRateMin      = 16_000    // bytes a second at which a file arrives, on average
	SpoolMemoryMax   = 1 << 20   // bytes of a file that arrives in memory; a larger one is on disk
	SpoolBytesMax    = 2 << 30   // bytes of all files on disk that arrive or are read
	ImportsMax       = 2         // traces and workloads read at a time, and as many scenarios
	SidesMax         = 4         // files held at a time that a run is compared with
	HeaderBytesMax   = 32 << 10  // of a request's headers
	QueryMax         = 2 << 10   // bytes of the query of a URL
	TokenMin         = 16        // characters of a token
	TokenMax         = 1 << 10   // characters of a token
	ExportsMax       = 4         // traces and other files of runs that are sent at a time
	PicturesMax      = 4         // pictures painted at a time
	AnswersMax       = 64        // requests for other answers about runs at a time
	ComparesMax      = 16        // requests for comparisons at a time
	AnswerRateMin    = 16_000    // bytes a second at which a client reads a file, on average
	WheelsMax        = 16        // wheels on Redis that the worker page shows

	readHeaderWait = 5 * time.Second
	requestWait    = 30 * time.Second // to read a request, and to write each piece of an answer
	idleWait       = 2 * time.Minute  // of a connection between requests
	writeWait      = 10 * time.Second // for one message; a slower client is disconnected
	pingInterval   = 25 * time.Second
	pongWait       = 60 * time.Second     // after which a socket that sends nothing is closed
	placeWait      = 2 * time.Second      // for a place among the files that arrive
	slotWait       = 5 * time.Second      // for a file that has arrived to be read
	bodyGrace      = 5 * time.Second      // after which the rate of a file must be at least BodyRateMin
	bodyTurn       = 2 * time.Minute      // after which the slowest file is cut off if another waits for its place
	closeWait      = 2 * time.Second      // for the last message of a socket that is closed
	skipPause      = 4 * time.Millisecond // between two reads of a message that is too large
	messageWait    = 10 * time.Second     // for a message to be complete after its first frame began
	answerGrace    = 30 * time.Second     // after which the rate of a file that is sent must be at least AnswerRateMin
	tasksWait      = 3 * time.Second      // for Redis to count its tasks
	tasksFresh     = time.Second          // for which the count is cached
)

// briefSlice is the time slice of the queues for work of a few milliseconds: frames of sessions
// that play at a steady pace, other work of sessions, and pages. Without turns, hundreds of such
// pieces of work would delay each other. Work that has a turn of the store's queue gives up its own
// turn.
const briefSlice = 5 * time.Millisecond

// framesShare is the share of the queue for frames. The other queues, and that of the store, have a
// share of one each.
const framesShare = 4
