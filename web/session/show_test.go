package session

import (
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// The number of rows of a frame is limited: beyond the limit no event of the frame is sent
// individually, and later events of the frame are not kept.
func TestFrameIsBounded(t *testing.T) {
	var f frame
	f.add(&sim.EventRange{To: sim.After(protocol.FrameEventsMax)}, protocol.FrameEventsMax)
	if f.tooMany || len(f.parts) != 1 {
		t.Errorf("%d rows: tooMany %v, %d parts", f.rows, f.tooMany, len(f.parts))
	}
	f.add(&sim.EventRange{From: protocol.FrameEventsMax, To: sim.After(protocol.FrameEventsMax + 1)}, 1)
	f.add(&sim.EventRange{From: protocol.FrameEventsMax + 1, To: sim.After(protocol.FrameEventsMax + 2)}, 0)
	if !f.tooMany || f.parts != nil {
		t.Errorf("%d rows: tooMany %v, %d parts kept", f.rows, f.tooMany, len(f.parts))
	}
}

// A seek and a move in the same frame are sent as a state: there is no state for a delta to follow.
func TestFrameAfterAJump(t *testing.T) {
	f := frame{snap: &engine.Snapshot{}}
	f.add(&sim.EventRange{To: sim.After(1)}, 1)
	if f.snap != nil || !f.tooMany || f.parts != nil {
		t.Errorf("%+v", f)
	}
}
