package session

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/locate"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// Session is a cursor on a run and the viewers that show it. The fields below runner are used only on the
// runner's goroutine, so they need no lock. Other goroutines use Do.
type Session struct {
	id      string
	secret  secret // secret of the session's driver
	hub     *Hub
	library *locate.Library
	log     Logger
	runner  *cursor.Runner
	ctx     context.Context
	stop    context.CancelCauseFunc // cancels ctx, which ends the runner

	viewers   []*Viewer
	joined    atomic.Bool // whether a viewer has ever joined
	run       *sim.Run
	release   context.CancelFunc // function that releases run
	short     string             // first digits of the run's digest
	custom    bool               // whether the scenario differs from every built-in one
	info      []algorithms.Facts
	lanes     []laneView
	names     protocol.NameTable
	frame     frame
	mem       *budget.Reservation
	problem   error     // reason why the cursor is not at the requested position
	bare      bool      // whether the last state or delta omitted the activity of the lanes
	didAt     time.Time // time at which a delta last included the activity of the lanes
	leaving   bool      // whether the last state was sent during a seek, so that its field rest is false
	deltaHint int       // expected size of the next delta, in bytes

	seenRun atomic.Pointer[string] // first digits of the run's digest, for goroutines other than the runner's
	seenSeq atomic.Int64           // number of the cursor's last event, for goroutines other than the runner's

	statesSent int         // number of states sent to all viewers
	resyncing  atomic.Bool // whether a call of sendMissing is pending
	resynced   time.Time   // time at which sendMissing sent the last state
}

// laneView is the state of a lane as last sent to the viewers.
type laneView struct {
	mode   string
	counts protocol.LaneCounts
	cost   engine.LaneCost
	spent  int64 // total cost of the lane as of the last row or message
}

// Do runs f on the runner's goroutine. It returns an error if the session has ended.
func (s *Session) Do(f func()) error { return s.runner.Do(f) }

// end ends the session without an error.
func (s *Session) end() { s.stop(nil) }

// fail ends the session with err and closes its viewers.
func (s *Session) fail(err error) { s.stop(err) }

// begin opens the run of the session and seeks to the position in as, within cursor.RequestWaitMax. If the
// position is invalid, the error is sent to the first viewer that joins.
func (s *Session) begin(run *sim.Run, as keptSession) {
	if err := s.open(s.runner.Context(), run, as.at.Tick); err != nil {
		s.problem = err
		if err := s.open(s.runner.Context(), run, -1); err != nil {
			s.log.Warn("session not opened", "session", s.id, "err", err)
			s.fail(err)
			return
		}
	} else if as.at.Seq > 0 {
		s.problem = s.runner.SeekSeq(as.at.Seq)
	}
	if as.rate >= 0 {
		s.runner.SetRate(as.rate) // a rate accepted before
	}
}

// open moves the session to the end of tick in run. It waits until the run is computed that far or ctx is
// done, and retains the run in the store meanwhile. After an error the session is unchanged.
func (s *Session) open(ctx context.Context, run *sim.Run, tick int64) error {
	mem, err := s.library.Store.ReserveWhenFree(ctx, SessionBytes(run.Program()))
	if err != nil {
		return err
	}
	retained, release := context.WithCancel(ctx)
	defer release()
	s.library.Store.Retain(retained, run)
	if err := s.runner.Open(ctx, run, tick); err != nil {
		mem.Release()
		return err
	}
	s.mem.Release()
	s.mem = mem
	return nil
}

// SessionBytes returns the memory, in bytes, of a session on a run of p: slot counts, names that were sent,
// and queued states.
func SessionBytes(p *program.Program) int64 {
	const fixed, share = 256 << 10, 4 // a slot takes 14 bytes here and 56 in an engine
	return fixed + p.Estimate().EmptyBytes/share
}

// join adds a viewer and sends it the current state. If the viewer is a driver, it replaces the previous
// driver, whose connection may be half open. The session is then paused, as if that connection had been closed.
func (s *Session) join(k *Viewer) {
	k.conn.Greeted()
	if k.driver && s.joined.Load() {
		s.runner.Pause()
		s.viewers = slices.DeleteFunc(s.viewers, func(o *Viewer) bool {
			if o.driver {
				o.conn.Replaced()
			}
			return o.driver
		})
	}
	s.joined.Store(true)
	s.viewers = append(s.viewers, k)
	k.box.keep(s.hello(k))
	k.box.keep(s.player())
	s.sendState(!s.runner.Playing().On, k)
	s.sendTimeline(k)
	if s.problem != nil {
		k.box.keep(s.ack(0, s.problem, k.lang))
		s.problem = nil
	}
}

// leave removes a viewer.
func (s *Session) leave(k *Viewer) {
	s.viewers = slices.DeleteFunc(s.viewers, func(o *Viewer) bool { return o == k })
	s.close()
}

// Abandon ends the session unless it has viewers.
func (s *Session) Abandon() { s.Do(s.close) }

// close ends a session without viewers. If a client knows the id of the session, the session is kept, paused,
// for some time.
func (s *Session) close() {
	if len(s.viewers) > 0 || s.ctx.Err() != nil {
		return
	}
	if s.joined.Load() && s.run != nil {
		s.hub.keep(s)
	}
	s.end()
}

// position returns the position of the cursor in the form of a result of [locate.Position.Resolve].
func (s *Session) position() locate.Position {
	at := s.runner.Position()
	switch {
	case at.Whole && at.Tick+at.Seq > 0:
		return locate.Position{Tick: at.Tick, Seq: -1}
	case at.Seq > 0:
		return locate.Position{Tick: -1, Seq: at.Seq}
	}
	return locate.Start
}

// resync makes the session send a state to all viewers that have missed frames and whose outboxes are empty. It is
// called by the goroutines that send the messages of the viewers. Several calls result in one state.
func (s *Session) resync() {
	if s.resyncing.CompareAndSwap(false, true) {
		s.Do(s.sendMissing)
	}
}

// sendMissing sends one state to all viewers that are behind and have an empty outbox, at most once per
// stateInterval.
func (s *Session) sendMissing() {
	now := s.runner.Now()
	if wait := stateInterval - now.Sub(s.resynced); wait > 0 {
		s.runner.Remind(wait)
		return
	}
	s.resyncing.Store(false) // first, so that a viewer that needs a state later asks again
	var behind []*Viewer
	for _, k := range s.viewers {
		if k.box.needsState() {
			behind = append(behind, k)
		}
	}
	if len(behind) > 0 {
		s.resynced = now
		s.sendState(!s.runner.Playing().On, behind...)
	}
}

// OnReminder is called when stateInterval has passed since the previous catch-up state, and sends a new one
// to the viewers that have missed frames.
func (s *Session) OnReminder() { s.sendMissing() }

// broadcast queues a message for all viewers. The message is never dropped.
func (s *Session) broadcast(data []byte) {
	for _, k := range s.viewers {
		k.box.keep(data)
	}
}

// The methods below implement cursor.Listener.

// OnOpen is called after the runner has opened another run. It retains that run instead of the previous
// one, and sends every viewer a hello.
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
		k.box.keep(s.hello(k))
		k.timeline = timelineSent{} // a page forgets its timeline at a hello
	}
}

// OnSeek is called with the complete state at the cursor after a seek, and records it for the next OnFrame.
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

// OnMove is called after the cursor has moved forward, with the events that it passed, and records them for
// the next OnFrame.
func (s *Session) OnMove(part *sim.EventRange) {
	s.seenSeq.Store(part.To)
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

// OnFrame implements cursor.Listener. It sends the viewers a delta or, if necessary, a state, and reports
// whether frames should be sent less often. It returns true only after a delta, if at least 1/LateViewersMin
// of the viewers have not received all earlier deltas.
func (s *Session) OnFrame() (late bool) {
	if s.frame.snap != nil || s.frame.over || s.exceedsLaneTimers() {
		s.decideModes(s.frame.over)
		s.sendState(false, s.viewers...)
		return false
	}
	delta, behind := s.delta(), 0
	for _, k := range s.viewers {
		if k.box.putDelta(delta) {
			behind++
		}
	}
	s.markSent()
	return behind > 0 && behind*LateViewersMin >= len(s.viewers)
}

// OnIdle is called when the cursor has not moved for some time. It sends the viewers what the last message
// omitted: for lanes in ModeCounts the first timers of each place, and the activity of the lanes.
func (s *Session) OnIdle() {
	if s.allFull() && !s.leaving && !s.bare {
		return
	}
	s.decideModes(false)
	s.sendState(true, s.viewers...)
}

// OnPlayback is called when playback has started, stopped, changed its rate or reached the end. It sends
// the viewers the playback state.
func (s *Session) OnPlayback(cursor.Playing) { s.broadcast(s.player()) }

// OnProgress is called when more of the run has been computed, and sends the viewers the timeline.
func (s *Session) OnProgress() {
	s.sendTimeline(s.viewers...)
}

// OnError is called with an error that is not the response to a command, and sends it to the viewers.
func (s *Session) OnError(err error) {
	if s.ctx.Err() != nil {
		return // the error was caused by the end of the session
	}
	s.log.Error("session stopped", "session", s.id, "run", s.short, "err", err)
	for _, k := range s.viewers {
		k.box.keep(s.ack(0, err, k.lang))
	}
}

// Detail returns the number of timers per place that the next snapshot must include: wheel.AllEntries if a lane may
// then be in ModeFull, and 0 otherwise. lanes are the lanes at the position of the snapshot; if nil, that is the
// position of the cursor.
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

// exceedsLaneTimers reports whether a lane in ModeFull has more than LaneTimersMax timers.
func (s *Session) exceedsLaneTimers() bool {
	for i := range s.lanes {
		if s.lanes[i].mode == protocol.ModeFull && s.lanes[i].counts.Live > protocol.LaneTimersMax {
			return true
		}
	}
	return false
}

func (s *Session) allFull() bool {
	for i := range s.lanes {
		if s.lanes[i].mode != protocol.ModeFull {
			return false
		}
	}
	return true
}

// decideModes selects the mode of each lane for the next state. many is true if the frame had too many events
// to send one by one. During playback a lane does not return to ModeFull, since it could then alternate between
// the modes.
func (s *Session) decideModes(many bool) {
	playing := s.runner.Playing().On
	for i := range s.lanes {
		v := &s.lanes[i]
		switch {
		case v.counts.Live > protocol.LaneTimersMax, many, playing && v.mode == protocol.ModeCounts:
			v.mode = protocol.ModeCounts
		default:
			v.mode = protocol.ModeFull
		}
	}
}

// markSent marks all changes of the lanes as sent and clears s.frame, so that the next message contains
// only later changes.
func (s *Session) markSent() {
	for i := range s.lanes {
		v := &s.lanes[i]
		v.counts.MarkSent()
		v.spent = v.cost.Total
	}
	s.frame = frame{}
}
