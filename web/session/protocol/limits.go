package protocol

import (
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// Limits that a page needs to know, or that sessions and routes share.
const (
	SessionsMax       = 512              // sessions at once
	SocketsMax        = 1024             // sockets in all, unless --sockets is set
	MessageBytesMax   = 64 << 10         // of a command; a larger scenario goes through POST /api/import
	CommandsPerSecond = 120              // commands of one socket, on average
	FrameEventsMax    = 4000             // events sent one by one in a frame
	LaneTimersMax     = 2000             // timers of a lane sent one by one
	PlaceTimersMax    = 20               // timers of a place sent one by one in a lane with more timers
	ImportBytesMax    = 1 << 30          // of a file that is imported
	SessionKeep       = 60 * time.Second // for which a session is kept after its last socket has left
	AnswerWait        = 9 * time.Second  // for the answer to a request, with its turn
)

// A scenario contained in a URL is opened without confirmation if its run needs no more than this.
const (
	SharedEventsMax = 5_000_000 // events of the whole run
	SharedBytesMax  = 64 << 20  // bytes of memory
)

// Limits returns the limits that a page needs to know, as contained in `hello` and in the boot data of the
// page. A limit that a flag can change has its default here.
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
