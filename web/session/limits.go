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
	FrameBytesWaitingMax = 256 << 10                           // maximum total size, in bytes, of the frames in an outbox; a single frame may be larger
	LateViewersMin       = 4                                   // frames are sent less often if at least 1/LateViewersMin of the viewers have not yet received an earlier frame
	LastEventsMax        = 400                                 // maximum number of events in the field "last" of a state message
	DidEventsMax         = 1 << 17                             // maximum number of events counted for the field "did" of a message
	DidInterval          = 100 * time.Millisecond              // minimum time between two deltas with the field "did" during playback
	stateInterval        = 250 * time.Millisecond              // minimum time between two states that are sent because viewers have missed frames
	BeginWait            = cursor.RequestWaitMax + time.Second // maximum time from the arrival of a command to the start of its execution; a later command is rejected
)
