package session

import (
	"time"

	"github.com/wheelscope/wheelscope/sim/cursor"
)

// Limits of sessions and their viewers.
const (
	SessionsKeptMax      = 512                                 // maximum number of sessions that are kept without viewers; the oldest is dropped first
	MessagesWaitingMax   = 256                                 // maximum number of messages in a viewer's outbox, not counting states, deltas and timelines
	FramesWaitingMax     = 12                                  // maximum number of states and deltas in an outbox: 0.2 s of playback
	FrameBytesWaitingMax = 256 << 10                           // maximum total size, in bytes, of the states and deltas in an outbox; a single message may be larger
	LateViewersMin       = 4                                   // deltas are sent less often if at least 1/LateViewersMin of the viewers have not yet received all earlier states and deltas
	LastEventsMax        = 400                                 // maximum number of events in the "last" field of a state message, which holds the events of the last step
	DidEventsMax         = 1 << 17                             // maximum number of events counted for the "did" field of a message, the activity of the lanes; if there are more, the field is null
	DidInterval          = 100 * time.Millisecond              // during playback, minimum time between deltas that contain the activity of the lanes; in other deltas, the "did" field is null
	stateInterval        = 250 * time.Millisecond              // minimum time between two complete states that are sent because viewers have missed deltas
	BeginWait            = cursor.RequestWaitMax + time.Second // maximum time that a command waits for its execution to start; a command that waits longer is rejected
)
