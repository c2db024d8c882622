package web

import (
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/templates"
)

// Limits of what the server holds and does for its clients. A request beyond a limit gets an error
// that names it; no other client is affected.
const (
	SessionsMax          = 512                   // sessions at once
	SessionsKeptMax      = 512                   // sessions without sockets that are kept; the oldest is dropped first
	SocketsMax           = 1024                  // sockets in all, if --sockets does not say otherwise
	MessageBytesMax      = 64 << 10              // of a command; a larger scenario goes through POST /api/import
	CommandsPerSecond    = 120                   // of one socket, on the long run
	CommandsBurst        = 120                   // of one socket, in a burst
	RefusalsMax          = 600                   // commands over the rate before the socket is closed
	MessagesWaitingMax   = 256                   // in a socket's mailbox, frames and timelines apart
	FramesWaitingMax     = 12                    // frames in a socket's mailbox: 0.2 s of them
	FrameBytesWaitingMax = 256 << 10             // of the frames that wait behind another
	LateViewersMin       = 4                     // a frame is late if at least one in so many viewers is
	WriteBufferBytes     = 256 << 10             // of the system's buffer for what a socket sends
	FrameEventsMax       = 4000                  // events sent one by one in a frame
	LastEventsMax        = 400                   // events of the step before the cursor in a `state`
	DidEventsMax         = 1 << 17               // events of a tick or step that are counted for `did`
	LaneTimersMax        = 2000                  // timers of a lane sent one by one
	PlaceTimersMax       = templates.TimersShown // timers of a place sent past that
	BodyBytesMax         = 64 << 10              // of a request to any other route
	ImportBytesMax       = 1 << 30               // of a file that is imported
	ContestBytesMax      = 64 << 20              // of a file that a run is compared with
	BodiesMax            = 8                     // files arriving at a time, or waiting to be read
	SmallBodiesMax       = 128                   // the same for those of at most BodyBytesMax bytes
	BodyRateMin          = 16_000                // bytes a second at which a file arrives, on average
	SpoolMemoryMax       = 1 << 20               // bytes of a file that arrives in memory; a larger one is on disk
	SpoolBytesMax        = 2 << 30               // bytes of all files on disk that arrive or are read
	ImportsMax           = 2                     // traces and workloads read at a time, and as many scenarios
	SidesMax             = 4                     // files held at a time that a run is compared with
	HeaderBytesMax       = 32 << 10              // of a request's headers
	QueryMax             = 2 << 10               // bytes of an address after its question mark
	TokenMin             = 16                    // characters of a token
	TokenMax             = 1 << 10               // characters of a token
	ComparisonsMax       = 16                    // comparisons kept; the least recently used goes first
	ExportsMax           = 4                     // traces and other files of runs that are sent at a time
	PicturesMax          = 4                     // pictures painted at a time
	AnswersMax           = 64                    // other questions about runs that are answered at a time
	ComparesMax          = 16                    // comparisons asked for at a time
	AnswerRateMin        = 16_000                // bytes a second at which a client reads a file, on average
	ComparingMax         = 4                     // comparisons made at a time
	MakingsMax           = 32                    // comparisons and trace digests made, or waiting for that
	ContestsMax          = 4                     // comparisons of two runs kept
	NextEventsMax        = 60                    // events of the next step that are sent
	RecentEventsMax      = 200                   // last events that are sent
	LifeEventsMax        = 400                   // events of one timer that are sent
	seedMax              = 128                   // bytes of a student's seed: a number or a name
	questionMax          = 1 << 20               // questions of one student at one tick
	WheelsMax            = 16                    // wheels on Redis that the worker page shows

	readHeaderWait = 5 * time.Second
	requestWait    = 30 * time.Second       // to read a request, and to write each piece of an answer
	idleWait       = 2 * time.Minute        // of a connection between requests
	didInterval    = 100 * time.Millisecond // between two deltas with `did` while the clock runs
	stateInterval  = 250 * time.Millisecond // between two states for viewers of a session that fell behind
	writeWait      = 10 * time.Second       // for one message; a slower client is disconnected
	sessionKeep    = 60 * time.Second       // for which a session is kept after its last socket has left
	pingInterval   = 25 * time.Second
	pongWait       = 60 * time.Second                 // after which a socket that sends nothing is closed
	placeWait      = 2 * time.Second                  // for a place among the files that arrive
	slotWait       = 5 * time.Second                  // for a file that has arrived to be read
	bodyGrace      = 5 * time.Second                  // after which a file's rate counts
	bodyTurn       = 2 * time.Minute                  // for a file to arrive, once another waits for its place and no file is slower
	retryWait      = 5 * time.Second                  // after which a refused client should try again
	computingRetry = 2 * time.Second                  // the same for a client whose answer is being computed
	longRetry      = time.Minute                      // the same for a client whose answer took more than makingWait
	closeWait      = 2 * time.Second                  // for the last message of a socket that is closed
	skipPause      = 4 * time.Millisecond             // between two reads of a message that is too large
	messageWait    = 10 * time.Second                 // for a message to be complete after its first frame began
	answerWait     = 9 * time.Second                  // for the answer to a request, with its turn
	beginWait      = sim.RequestWaitMax + time.Second // after its arrival a command that its session has not begun is refused
	turnWait       = 5 * time.Second                  // for the turn of a file that a run is compared with
	makingWait     = 2 * time.Minute                  // for a comparison or a trace digest, over several requests
	makingIdle     = 15 * time.Second                 // for which such a computation goes on without a request for it
	answerGrace    = 30 * time.Second                 // after which the rate of a file that is sent counts
	costsWait      = 2 * time.Second                  // for the costs around a cursor
	importWait     = 5 * time.Minute                  // for a file to be read and compared with its run
	tellWait       = 5 * time.Second                  // for an answer about a run to be computed
	tasksWait      = 3 * time.Second                  // for Redis to count its tasks
	tasksFresh     = time.Second                      // for which that count is sent to all clients
)

// A scenario contained in a URL is opened without confirmation if its run needs no more than this.
const (
	SharedEventsMax = 5_000_000 // events of the whole run
	SharedBytesMax  = 64 << 20  // bytes of memory
)

// Limits returns the limits that a page needs to know, as `hello` and the page's boot data contain
// them. Limits that a flag can change have their default here.
func Limits() map[string]int64 {
	return map[string]int64{
		"messageBytes":      MessageBytesMax,
		"scenarioBytes":     sim.ServerScenarioMax,
		"importBytes":       ImportBytesMax,
		"lanes":             scenario.LanesMax,
		"timers":            scenario.TimersMax,
		"slots":             scenario.SlotsMax,
		"name":              scenario.NameMax,
		"commandsPerSecond": CommandsPerSecond,
		"frameEvents":       FrameEventsMax,
		"laneTimers":        LaneTimersMax,
		"placeTimers":       PlaceTimersMax,
		"sessions":          SessionsMax,
		"sessionKeep":       int64(sessionKeep / time.Second),
		"sockets":           SocketsMax,
		"sharedEvents":      SharedEventsMax,
		"sharedBytes":       SharedBytesMax,
	}
}

// briefSlice is the time slice of the queues for work of a few milliseconds: frames of sessions
// that play at a steady pace, other work of sessions, and pages. Without turns each of hundreds of
// such pieces would be delayed by all others. Work that has a turn of the store's queue gives up
// its own turn.
const briefSlice = 5 * time.Millisecond

// framesShare is the share of the queue for frames; the other queues, and the store's, have one
// each.
const framesShare = 4
