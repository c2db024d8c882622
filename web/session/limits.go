package session

import (
	"time"

	"github.com/wheelscope/wheelscope/sim/cursor"
)

// Limits of sessions and their viewers.
const (
	SessionsKeptMax      = 512                                 // sessions without viewers that are kept; the oldest is dropped first
	MessagesWaitingMax   = 256                                 // messages in a viewer's outbox, not counting frames and timelines
	FramesWaitingMax     = 12                                  // frames in a viewer's outbox: 0.2 s of them
	FrameBytesWaitingMax = 256 << 10                           // bytes of the frames that wait behind another frame
	LateViewersMin       = 4                                   // a frame is late if at least one viewer in LateViewersMin is late
	LastEventsMax        = 400                                 // events of the step before the cursor in a `state`
	DidEventsMax         = 1 << 17                             // events of a tick or step that are counted for `did`
	DidInterval          = 100 * time.Millisecond              // between two deltas with `did` while the clock runs
	stateInterval        = 250 * time.Millisecond              // between two states for viewers that are behind
	BeginWait            = cursor.RequestWaitMax + time.Second // after its arrival a command that its session has not begun is refused
)
