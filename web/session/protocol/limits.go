package protocol

import (
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// Limits that a page needs to know, or that package session and the routes of the server share.
const (
	SessionsMax       = 512              // maximum number of sessions
	SocketsMax        = 1024             // default maximum number of sockets (flag --sockets)
	MessageBytesMax   = 64 << 10         // maximum bytes of a command; a larger scenario is sent to POST /api/import
	CommandsPerSecond = 120              // maximum average rate of the commands of one socket
	FrameEventsMax    = 4000             // maximum number of events in a frame that are sent one by one
	LaneTimersMax     = 2000             // maximum number of timers of a lane that are sent one by one
	PlaceTimersMax    = 20               // maximum number of timers of a place that are sent, in a lane with more than LaneTimersMax
	ImportBytesMax    = 1 << 30          // maximum bytes of an imported file
	SessionKeep       = 60 * time.Second // time for which a session is kept after its last socket was closed
	AnswerWait        = 9 * time.Second  // timeout for the answer to a request, including the wait for a processor
)

// A scenario contained in a URL is opened without confirmation if its run needs no more than this.
const (
	SharedEventsMax = 5_000_000 // maximum number of events of the run, for opening without confirmation
	SharedBytesMax  = 64 << 20  // maximum memory of the run in bytes, for opening without confirmation
)

// Limits returns the limits that a page needs to know, as contained in `hello` and in the boot data of the
// page. For a limit that a flag can change, the result contains the default.
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
		"sessionKeep":       int64(SessionKeep / time.Second),
		"sockets":           SocketsMax,
		"sharedEvents":      SharedEventsMax,
		"sharedBytes":       SharedBytesMax,
	}
}
