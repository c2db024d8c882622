package protocol

import (
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// Limits that a page needs to know, or that package session and the routes of the server share.
const (
	SessionsMax       = 512              // maximum number of sessions
	SocketsMax        = 1024             // maximum number of sockets, unless the --sockets flag sets another
	MessageBytesMax   = 64 << 10         // maximum size of a command, in bytes; a scenario that does not fit into a command is sent to POST /api/import
	CommandsPerSecond = 120              // maximum average rate of commands from one socket, per second
	FrameEventsMax    = 4000             // maximum number of events that are sent individually in one delta
	LaneTimersMax     = 2000             // maximum number of timers of a lane that are sent individually; a lane with more timers is in ModeCounts
	PlaceTimersMax    = 20               // maximum number of timers that are sent per place of a lane in ModeCounts
	ImportBytesMax    = 64 << 20         // maximum size, in bytes, of a file to import or to compare with a run; larger ones are for the command line
	EventsRowsMax     = 4000             // maximum number of events in one part of the answer to an `events` command
	EventsBytesMax    = 256 << 10        // maximum size, in bytes, of one part of the answer to an `events` command
	EventsMax         = 20_000           // maximum number of events that one `events` command requests; a page keeps all events of a run with at most that many
	PreviewDelaysMax  = 256              // maximum number of delays in a `preview` command
	SessionKeep       = 60 * time.Second // time for which a session is kept after its last socket was closed
	AnswerWait        = 9 * time.Second  // timeout for the answer to a request, including the wait for a processor
)

// Limits for opening a scenario that is contained in a URL. If its run exceeds one of them, the page asks the user
// first.
const (
	SharedEventsMax = 2_000_000 // maximum number of events, by the lower bound of the plan, in the run of a scenario that the page opens from a URL without asking the user
	SharedBytesMax  = 64 << 20  // maximum memory, in bytes, for the run of a scenario that the page opens from a URL without asking the user
)

// Limits returns the limits that a page needs to know, by name. They are part of the "hello" message and of the page's
// boot data. For a limit that a flag can change, Limits returns the default, not the value of the flag.
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
		"events":            EventsMax,
		"previewDelays":     PreviewDelaysMax,
		"sessions":          SessionsMax,
		"sessionKeep":       int64(SessionKeep / time.Second),
		"sockets":           SocketsMax,
		"sharedEvents":      SharedEventsMax,
		"sharedBytes":       SharedBytesMax,
	}
}

// Limits of the entry view. A scenario beyond them is shown in the laboratory.
const (
	EntryLanesMax  = 4    // maximum number of lanes of a scenario in the entry view
	EntryTimersMax = 2000 // maximum number of timers of a scenario in the entry view
)

// FitsEntry reports whether the entry view can show the run of p.
func FitsEntry(p *program.Program) bool {
	return len(p.Scenario.Lanes) <= EntryLanesMax && p.Timers() <= EntryTimersMax
}
