package session

import (
	"time"

	"github.com/wheelscope/wheelscope/sim/cursor"
)

// Limits of sessions and their viewers.
const (
	SessionsKeptMax      = 512                                 // maximum number of sessions that are kept without viewers; the oldest is dropped first
	MessagesWaitingMax   = 256                                 // maximum number of messages in a viewer's outbox, not counting frames and timelines
	FramesWaitingMax     = 12                                  // maximum number of frames in a viewer's outbox; playback sends as many in 0.2 s
	FrameBytesWaitingMax = 256 << 10                           // maximum number of bytes in the frames that wait behind another frame
	LateViewersMin       = 4                                   // a frame is late if it is late for at least one in LateViewersMin viewers
	LastEventsMax        = 400                                 // maximum number of events in `last` of a `state`
	DidEventsMax         = 1 << 17                             // maximum number of events that are counted for `did`
	DidInterval          = 100 * time.Millisecond              // minimum time between two deltas with `did` during playback
	stateInterval        = 250 * time.Millisecond              // minimum time between two states for viewers that are late
	BeginWait            = cursor.RequestWaitMax + time.Second // time from the arrival of a command after which the session no longer begins it
)
