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
	parts   []*sim.EventRange // events, in order, that the cursor has passed by moving forward since the last state or delta; nil if tooMany is true
	chunk   *sim.Chunk        // chunk that contains the last event before the cursor, once it has been looked up; otherwise nil
	rows    int               // number of events of lanes in ModeFull; a delta has a row for each of these events, and none for other events
	tooMany bool              // whether a state must be sent instead of a delta, because rows exceeds protocol.FrameEventsMax or the cursor has moved forward after a seek
}

// add adds part, the events that the cursor has passed. full is the number of events in part that belong to lanes in
// ModeFull, for which a delta has one row each. If a delta would have too many rows, a state will be sent instead.
func (f *frame) add(part *sim.EventRange, full int) {
	f.chunk = part.Chunk
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

// chunkAt returns the chunk that contains event seq, the last one before the cursor, or nil if seq is 0. It is looked up
// once for each message.
func (s *Session) chunkAt(seq int64) (*sim.Chunk, error) {
	if seq == 0 || s.frame.chunk.Has(seq) {
		return s.frame.chunk, nil
	}
	c, err := s.run.ChunkWith(s.runner.Context(), seq)
	s.frame.chunk = c
	return c, err
}

// sendState sends the state at the cursor to the given viewers. The state includes all timers of the lanes in ModeFull.
// If rest is true, it also includes at most the first protocol.PlaceTimersMax timers of each place of the lanes in
// ModeCounts; otherwise it includes no timers of these lanes.
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
