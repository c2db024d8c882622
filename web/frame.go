package web

import (
	"context"
	"errors"

	"github.com/wheelscope/wheelscope/sim"
)

// frame gathers what happened since the last message that moved the picture.
type frame struct {
	snap  *sim.Snapshot  // the cursor was put somewhere: the whole state there
	parts []*sim.Stretch // or it went forward
	rows  int            // records of lanes told in full
	over  bool           // more happened than is told one by one
}

func (f *frame) add(part *sim.Stretch, full int) {
	if f.snap != nil { // put somewhere and moved on from there
		f.snap, f.over = nil, true
	}
	if f.rows += full; f.rows > FrameEventsMax {
		f.over = true
	}
	if f.over {
		f.parts = nil
		return
	}
	f.parts = append(f.parts, part)
}

// sendState tells sockets everything at the cursor. With rest every place's
// first timers are told, even where a lane is told by counts.
func (s *session) sendState(rest bool, to ...*socket) {
	if len(to) == 0 {
		snap := s.frame.snap
		s.told()
		s.frame.snap = snap // for the first who joins
		return
	}
	data, err := s.state(rest)
	if errors.Is(err, context.DeadlineExceeded) { // the request's time is over, and a later one sends it
		for _, k := range to {
			k.box.fallBehind()
		}
		return
	}
	if err != nil {
		s.Failed(err)
		return
	}
	for _, k := range to {
		k.box.putState(data)
	}
	if len(to) < len(s.sockets) {
		s.names.forget() // the others have not been told the names in this state
	} else {
		s.statesSent++
	}
	s.told()
}
