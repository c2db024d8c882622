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
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// Session is a cursor on a run, with the viewers that show it. The fields from viewers onward, except for the atomic
// ones, are used only on the runner's goroutine, so they need no lock. Other goroutines use Do to access them.
type Session struct {
	id      string
	secret  secret // authenticates the driver
	hub     *Hub
	library *Library
	log     Logger
	runner  *cursor.Runner
	ctx     context.Context
	stop    context.CancelCauseFunc // cancels ctx, which ends the runner

	viewers   []*Viewer
	joined    atomic.Bool // whether a viewer has ever joined
	run       *sim.Run
	release   context.CancelFunc // makes the store stop retaining the current run
	short     string             // first sim.DigestShort digits of the run's digest
	custom    bool               // whether the scenario differs from every built-in one
	info      []algorithms.Facts // fixed properties of each lane's wheel
	lanes     []laneView
	names     protocol.NameTable
	frame     frame
	mem       *budget.Reservation // memory reserved for the session; see SessionBytes
	problem   error               // error that prevented the session from beginning at the requested position; reset to nil when it is sent to the first viewer that joins
	bare      bool                // whether the last state or delta omitted the activity of the lanes because of playback
	didAt     time.Time           // time at which the activity of the lanes was last requested for a delta during playback; see DidInterval
	midSeek   bool                // whether the last state, whose "rest" field is then false, was sent before a seek had reached its target
	doing     *reply              // reply to the command that is being executed, if it may open another run; otherwise nil
	deltaHint int                 // expected size of the next delta, in bytes

	seenRun atomic.Pointer[string] // copy of the digits in short, for use on goroutines other than the runner's
	seenSeq atomic.Int64           // number of the last event before the cursor, for use on goroutines other than the runner's

	statesSent int         // number of states sent to all viewers; an increase during a command means that the command has sent a state (see mergeable.Do)
	resyncing  atomic.Bool // whether a call to sendMissing is pending, so that resync need not request another
	resynced   time.Time   // time at which sendMissing sent the last state
}

// laneView holds the counts and the cost of a lane at the cursor, and how the lane was last sent to the
// viewers.
type laneView struct {
	mode   string // mode in which the lane is sent: protocol.ModeFull or protocol.ModeCounts
	counts protocol.LaneCounts
	cost   engine.LaneCost
	spent  int64 // total cost of the lane that has been reported in rows and messages; the next row reports what has been added since
}

// Do queues f to be run on the runner's goroutine, and must not be called on that goroutine. It does not wait for f to
// run, but blocks while the queue is full. It returns cursor.ErrRunnerEnded if the session has ended.
func (s *Session) Do(f func()) error { return s.runner.Do(f) }

// end ends the session without an error.
func (s *Session) end() { s.stop(nil) }

// fail ends the session because of err, which Viewer.Ending then reports.
func (s *Session) fail(err error) { s.stop(err) }

// begin opens run at the position in kept, within cursor.RequestWaitMax, and sets the playback rate in kept. If run
// cannot be opened at that position, begin opens it before the first event, and the error is sent to the first viewer
// that joins.
func (s *Session) begin(run *sim.Run, kept keptSession) {
	if err := s.open(s.runner.Context(), run, kept.at); err != nil {
		s.problem = err
		if err := s.open(s.runner.Context(), run, sim.Start); err != nil {
			s.log.Warn("session not opened", "session", s.id, "err", err)
			s.fail(err)
			return
		}
	}
	if kept.rate >= 0 {
		s.runner.SetRate(kept.rate) // a rate accepted before
	}
}

// open moves the session to run, at the position at. If the run is not computed up to there within cursor.OpenWaitMax,
// the session first shows the start of the run, and the cursor moves to the position later. The store retains run while
// open waits. If open returns an error, the session is unchanged.
func (s *Session) open(ctx context.Context, run *sim.Run, at sim.Position) error {
	mem, err := s.library.Store.ReserveWhenFree(ctx, SessionBytes(run.Program()))
	if err != nil {
		return err
	}
	retained, release := context.WithCancel(ctx)
	defer release()
	s.library.Store.Retain(retained, run)
	if err := s.runner.Open(ctx, run, at); err != nil {
		mem.Release()
		return err
	}
	s.mem.Release()
	s.mem = mem
	return nil
}

// SessionBytes returns the number of bytes of memory that a session on a run of p needs: for the counts of each slot,
// the set of names that have been sent, and the queued states.
func SessionBytes(p *program.Program) int64 {
	const fixed, share = 256 << 10, 4 // a slot takes 14 bytes here and 56 in an engine
	return fixed + p.Estimate().EmptyBytes/share
}

// join adds k and sends it the current state. If k is a driver and is not the first viewer, playback is paused, and k
// replaces the previous driver, whose connection may be broken without having been closed.
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

// leave removes k. If it was the last viewer, the session ends. For protocol.SessionKeep, the hub keeps what is
// needed to open it again.
func (s *Session) leave(k *Viewer) {
	s.viewers = slices.DeleteFunc(s.viewers, func(o *Viewer) bool { return o == k })
	s.close()
}

// Abandon ends the session unless it has viewers. It must be called if the connection for which the session was opened
// could not be established.
func (s *Session) Abandon() { s.Do(s.close) }

// close ends the session if it has no viewers. If a viewer has ever joined, its client knows the ID of the
// session and may return, so the hub keeps the session, paused, for protocol.SessionKeep.
func (s *Session) close() {
	if len(s.viewers) > 0 || s.ctx.Err() != nil {
		return
	}
	if s.joined.Load() && s.run != nil {
		s.hub.keep(s)
	}
	s.end()
}

// resync makes the session send a state to all viewers that have missed a delta or a state and have an empty outbox.
// It is called on the goroutines that send the messages of the viewers. Several calls may result in one state.
func (s *Session) resync() {
	if s.resyncing.CompareAndSwap(false, true) {
		s.Do(s.sendMissing)
	}
}

// sendMissing sends one state to all viewers that have missed a delta or a state and have an empty outbox. If less than
// stateInterval has passed since it last did so, it sends nothing, and OnReminder calls it again later.
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

// OnReminder calls sendMissing again. The runner calls OnReminder at the time that sendMissing has requested.
func (s *Session) OnReminder() { s.sendMissing() }

// broadcast queues a message for all viewers. Unlike a state or a delta, the message must not be dropped.
func (s *Session) broadcast(data []byte) {
	for _, k := range s.viewers {
		k.box.keep(data)
	}
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
		k.box.keep(s.hello(k))
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
		if k.box.putDelta(delta) {
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
		k.box.keep(s.ack(0, err, k.lang))
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
