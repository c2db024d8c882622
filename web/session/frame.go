package session

import (
	"context"
	"errors"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// frame collects the changes since the last state or delta was sent.
type frame struct {
	snap  *engine.Snapshot  // complete state at the cursor after a seek; nil means none
	parts []*sim.EventRange // events that the cursor passed, if it moved forward
	rows  int               // number of passed events of lanes in ModeFull, each of which is a row of the delta
	over  bool              // whether there are too many events to send one by one
}

func (f *frame) add(part *sim.EventRange, full int) {
	if f.snap != nil { // a move after a seek
		f.snap, f.over = nil, true
	}
	if f.rows += full; f.rows > protocol.FrameEventsMax {
		f.over = true
	}
	if f.over {
		f.parts = nil
		return
	}
	f.parts = append(f.parts, part)
}

// sendState sends the state at the cursor to the viewers in `to`. If rest is true, the state also includes
// the first timers of each place for lanes in ModeCounts, which have too many timers to send all of them.
func (s *Session) sendState(rest bool, to ...*Viewer) {
	if len(to) == 0 {
		snap := s.frame.snap
		s.markSent()
		s.frame.snap = snap // for the first viewer that joins
		return
	}
	data, err := s.state(rest)
	if errors.Is(err, context.DeadlineExceeded) { // the request timed out, and a later one sends it
		for _, k := range to {
			k.box.markBehind()
		}
		return
	}
	if err != nil {
		s.OnError(err)
		return
	}
	for _, k := range to {
		k.box.putState(data)
	}
	if len(to) < len(s.viewers) {
		s.names.Forget() // the other viewers have not received the names in this state
	} else {
		s.statesSent++
	}
	s.markSent()
}
