package session

import (
	"time"

	"github.com/wheelscope/wheelscope/sim/cursor"
)

// Limits of sessions and their viewers.
const (
	SessionsKeptMax      = 512                                 // maximum number of sessions that are kept without viewers; the oldest is dropped first
	MessagesWaitingMax   = 256                                 // maximum number of messages in a viewer's outbox, not counting frames and timelines
	FramesWaitingMax     = 12                                  // maximum number of frames in an outbox: 0.2 s of playback
	FrameBytesWaitingMax = 256 << 10                           // maximum number of bytes in the queued frames if there are several
	LateViewersMin       = 4                                   // frames are sent less often if one in LateViewersMin viewers has not received all earlier ones
	LastEventsMax        = 400                                 // maximum number of events in the field `last` of a `state` message
	DidEventsMax         = 1 << 17                             // maximum number of events that the field `did` of a message counts
	DidInterval          = 100 * time.Millisecond              // minimum time between two deltas with the field `did` during playback
	stateInterval        = 250 * time.Millisecond              // minimum time between two states for viewers that are late
	BeginWait            = cursor.RequestWaitMax + time.Second // time after which a command that has not begun is rejected
)
