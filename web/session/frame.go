package session

import (
	"context"
	"errors"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// frame collects what has changed since the last state or delta was sent.
type frame struct {
	snap    *engine.Snapshot  // state at the cursor if the last movement was a seek; nil otherwise
	parts   []*sim.EventRange // events that the cursor has passed by moving forward, in order
	rows    int               // number of these events in lanes in ModeFull; the delta has a row for each
	tooMany bool              // set if there are too many events to send individually, or if the cursor has moved after a seek; a state is then sent
}

// add adds part, the events that the cursor has passed. full is the number of these events in lanes in
// ModeFull.
func (f *frame) add(part *sim.EventRange, full int) {
	if f.snap != nil { // a move after a seek
		f.snap, f.tooMany = nil, true
	}
	if f.rows += full; f.rows > protocol.FrameEventsMax {
		f.tooMany = true
	}
	if f.tooMany {
		f.parts = nil
		return
	}
	f.parts = append(f.parts, part)
}

// sendState sends the state at the cursor to the viewers in to. In lanes in ModeCounts, which have too many
// timers to send all of them, the state includes the first timers of each place if rest is true, and otherwise
// none.
func (s *Session) sendState(rest bool, to ...*Viewer) {
	if len(to) == 0 {
		snap := s.frame.snap
		s.markSent()
		s.frame.snap = snap // for the first viewer that joins
		return
	}
	data, own, err := s.state(rest, len(to) > 1)
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
		k.box.putState(data, own)
	}
	if len(to) < len(s.viewers) {
		s.names.Forget() // the other viewers have not received the names in this state
	} else {
		s.statesSent++
	}
	s.markSent()
}
