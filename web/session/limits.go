package session

import (
	"time"

	"github.com/wheelscope/wheelscope/sim/cursor"
)

// Limits of sessions and their viewers.
const (
	SessionsKeptMax      = 512                                 // sessions without viewers that are kept; the oldest is dropped first
	MessagesWaitingMax   = 256                                 // in a viewer's outbox, frames and timelines apart
	FramesWaitingMax     = 12                                  // frames in a viewer's outbox: 0.2 s of them
	FrameBytesWaitingMax = 256 << 10                           // of the frames that wait behind another
	LateViewersMin       = 4                                   // a frame is late if at least one in so many viewers is
	LastEventsMax        = 400                                 // events of the step before the cursor in a `state`
	DidEventsMax         = 1 << 17                             // events of a tick or step that are counted for `did`
	DidInterval          = 100 * time.Millisecond              // between two deltas with `did` while the clock runs
	stateInterval        = 250 * time.Millisecond              // between two states for viewers of a session that fell behind
	BeginWait            = cursor.RequestWaitMax + time.Second // after its arrival a command that its session has not begun is refused
)
