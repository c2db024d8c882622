package session

import (
	"context"
	"errors"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel"
)

// What the cursor reports is collected in a frame, and sent at its end as a delta or a state.

// laneView holds the counts and the cost of a lane at the cursor, and how the lane was last sent to the
// viewers.
type laneView struct {
	mode   string // mode in which the lane is sent: protocol.ModeFull or protocol.ModeCounts
	counts protocol.LaneCounts
	cost   engine.LaneCost
	spent  int64 // total cost of the lane that has been reported in rows and messages; the next row reports what has been added since
}

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
	if seq == 0 {
		return s.frame.chunk, nil
	}
	c, err := s.run.ChunkWith(s.runner.Context(), s.frame.chunk, seq)
	s.frame.chunk = c
	return c, err
}

// The methods below implement cursor.Listener.

// OnOpen makes the store retain run instead of the previous run, and sends every viewer a "hello" message. It is called
// after the runner has opened run.
func (s *Session) OnOpen(run *sim.Run) {
	before := s.release
	var ctx context.Context
	ctx, s.release = context.WithCancel(s.ctx)
	s.library.Store.Retain(ctx, run)
	if before != nil {
		before()
	}
	s.run = run
	short := run.Digest()[:sim.DigestShort]
	s.short = short
	s.seenRun.Store(&short)
	s.custom = !s.library.IsBuiltin(run.Program())
	s.info = run.Program().Scenario.Facts()
	s.names = protocol.NewNameTable(run.Program())
	s.lanes = make([]laneView, len(run.Program().Scenario.Lanes))
	s.frame = frame{}
	for _, k := range s.viewers {
		k.keep(s.hello(k))
		k.timeline = timelineSent{} // a page forgets its timeline at a hello
	}
}

// OnSeek stores at, the complete state at the cursor, so that the next call to OnFrame sends it. It is called after a
// seek, after OnOpen, and during playback if a tick has too many events for OnMove.
func (s *Session) OnSeek(at *engine.Snapshot) {
	s.seenSeq.Store(at.Seq)
	for i := range at.Lanes {
		l := &at.Lanes[i]
		v := &s.lanes[i]
		v.counts.Reset(&l.State)
		v.cost = l.Cost
	}
	s.frame = frame{snap: at}
}

// OnMove stores part, the events that the cursor has passed by moving forward, so that the next call to OnFrame sends
// them. If there are too many, or if a seek preceded them, it sends a complete state instead.
func (s *Session) OnMove(part *sim.EventRange) {
	s.seenSeq.Store(part.To.Seq)
	start := s.run.Program().Start
	full := 0
	for i := range part.Records {
		r := &part.Records[i]
		v := &s.lanes[r.Lane]
		v.counts.Fold(r, start)
		if v.mode == protocol.ModeFull {
			full++
		}
	}
	for i := range part.Lanes {
		s.lanes[i].cost = part.Lanes[i]
	}
	s.frame.add(part, full)
}

// OnFrame sends all viewers a delta or, if necessary, a state. After a delta, it reports whether at least
// 1/LateViewersMin of the viewers have not received all earlier states and deltas. If so, the caller should call
// OnFrame less often. After a state, OnFrame returns false.
func (s *Session) OnFrame() (late bool) {
	if s.frame.snap != nil || s.frame.tooMany || s.exceedsLaneTimers() {
		s.decideModes(s.frame.tooMany)
		s.sendState(false, s.viewers...)
		return false
	}
	delta, behind := s.delta(), 0
	for _, k := range s.viewers {
		if k.putDelta(delta) {
			behind++
		}
	}
	s.markSent()
	return behind > 0 && behind*LateViewersMin >= len(s.viewers)
}

// OnIdle is called when the cursor has not moved for some time. It sends the viewers a state with what the last state
// or delta may have omitted: the first timers of each place of the lanes in ModeCounts, and the activity of the lanes.
// If all lanes are in ModeFull, it sends the state only if s.midSeek or s.bare is true.
func (s *Session) OnIdle() {
	if s.allFull() && !s.midSeek && !s.bare {
		return
	}
	s.decideModes(false)
	s.sendState(true, s.viewers...)
}

// OnPlayback sends the viewers the new playback state. It is called when playback has started, stopped, changed its
// rate or reached the end.
func (s *Session) OnPlayback(cursor.Playing) { s.broadcast(s.player()) }

// OnProgress sends the viewers the timeline. It is called when more of the run has been computed.
func (s *Session) OnProgress() {
	s.sendTimeline(s.viewers...)
}

// OnError logs err, an error that no command caused, and sends it to the viewers.
func (s *Session) OnError(err error) {
	if s.ctx.Err() != nil {
		return // the error was caused by the end of the session
	}
	s.log.Error("session stopped", "session", s.id, "run", s.short, "err", err)
	for _, k := range s.viewers {
		k.keep(s.ack(0, err, k.lang))
	}
}

// Detail returns the number of timers per place that the next argument of OnSeek must include: wheel.AllEntries if any
// lane has at most protocol.LaneTimersMax timers, all of which may then be sent, and otherwise 0. lanes must be in the
// state that OnSeek will receive. If lanes is nil, Detail uses the numbers of timers at the cursor instead. The runner
// calls Detail before OnSeek.
func (s *Session) Detail(lanes []*engine.Lane) int {
	for _, l := range lanes {
		if l.Waiting() <= protocol.LaneTimersMax {
			return wheel.AllEntries
		}
	}
	if lanes != nil {
		return 0
	}
	for i := range s.lanes {
		if s.lanes[i].counts.Live <= protocol.LaneTimersMax {
			return wheel.AllEntries
		}
	}
	return 0
}

// exceedsLaneTimers reports whether any lane in ModeFull has more than protocol.LaneTimersMax timers. If so, a state
// must be sent, in which the lane is in ModeCounts.
func (s *Session) exceedsLaneTimers() bool {
	for i := range s.lanes {
		if s.lanes[i].mode == protocol.ModeFull && s.lanes[i].counts.Live > protocol.LaneTimersMax {
			return true
		}
	}
	return false
}

// allFull reports whether all lanes are in ModeFull, so that every state contains all their timers.
func (s *Session) allFull() bool {
	for i := range s.lanes {
		if s.lanes[i].mode != protocol.ModeFull {
			return false
		}
	}
	return true
}

// decideModes selects the mode of each lane for the next state: ModeFull or, if the lane has more than
// protocol.LaneTimersMax timers, ModeCounts. If tooMany is true, there are too many events to send individually, and
// every lane gets ModeCounts. During playback, a lane does not return to ModeFull, because it could then alternate
// between the modes.
func (s *Session) decideModes(tooMany bool) {
	playing := s.runner.Playing().On
	for i := range s.lanes {
		v := &s.lanes[i]
		switch {
		case v.counts.Live > protocol.LaneTimersMax, tooMany, playing && v.mode == protocol.ModeCounts:
			v.mode = protocol.ModeCounts
		default:
			v.mode = protocol.ModeFull
		}
	}
}

// markSent marks the state at the cursor as sent, so that the next message contains only later changes.
func (s *Session) markSent() {
	for i := range s.lanes {
		v := &s.lanes[i]
		v.counts.MarkSent()
		v.spent = v.cost.Total
	}
	s.frame = frame{}
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
			k.markBehind()
		}
		return
	}
	if err != nil {
		s.OnError(err)
		return
	}
	for _, k := range to {
		k.putState(data, own)
	}
	if len(to) < len(s.viewers) {
		s.names.Forget() // the other viewers have not received the names in this state
	} else {
		s.statesSent++
	}
	s.markSent()
}
