package web

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/locate"
	"github.com/wheelscope/wheelscope/web/usererr"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// session is one cursor on a run and the sockets that show it. The fields below runner are used on
// the runner's goroutine only, without a lock; other goroutines use do.
type session struct {
	id     string
	secret secret // of its driver
	hub    *hub
	books  *locate.Library
	log    *slog.Logger
	runner *sim.Runner
	ctx    context.Context
	stop   context.CancelCauseFunc // cancels ctx, which ends the runner

	sockets   []*socket
	joined    atomic.Bool // whether a socket has ever joined
	run       *sim.Run
	lookAway  context.CancelFunc // releases run
	short     string             // of the run's digest
	custom    bool               // the scenario is not built-in, or edited
	info      []algorithms.Facts
	lanes     []laneView
	names     nameBook
	frame     frame
	mem       *budget.Reservation
	problem   error     // why the cursor is not at the requested position
	bare      bool      // the last state or delta left out what the lanes did
	didAt     time.Time // when a delta last included it
	leaving   bool      // the last state was sent during a seek, as not at rest
	sizeHint  int       // of the next state, in bytes
	deltaHint int       // of the next delta, in bytes

	seenRun atomic.Pointer[string] // short, for other goroutines
	seenSeq atomic.Int64           // the cursor's last event, for other goroutines

	statesSent int         // to all sockets
	resyncing  atomic.Bool // a call of sendMissing is pending
	resynced   time.Time   // when sendMissing sent the last state
}

// laneView is the state of a lane as last sent to the sockets.
type laneView struct {
	mode  string
	tally tally
	cost  engine.LaneCost
	spent int64 // total cost in the last row or message
}

// do runs f on the runner's goroutine. It returns an error if the session has ended.
func (s *session) do(f func()) error { return s.runner.Do(f) }

// end ends the session.
func (s *session) end() { s.stop(nil) }

// fail ends the session with an error, which closes its sockets.
func (s *session) fail(err error) { s.stop(err) }

// ending returns the code and the reason for closing a socket after the session has ended.
func (s *session) ending(lang string) (code int, reason string) {
	cause := context.Cause(s.ctx)
	if cause == nil || cause == context.Canceled {
		return websocket.CloseGoingAway, "the session has ended"
	}
	line := usererr.Describe(cause, lang).Error()
	return websocket.CloseTryAgainLater, strings.ToValidUTF8(line[:min(len(line), closeReasonMax)], "")
}

// closeReasonMax is the longest reason for closing a WebSocket, in bytes (RFC 6455, section 5.5).
const closeReasonMax = 123

// begin opens the session's run, within sim.RequestWaitMax. An error in the position is sent to the
// first socket that joins.
func (s *session) begin(run *sim.Run, as keptSession) {
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

// open moves the session to another run at a tick. It waits for the run to be computed that far, at
// most until ctx is done, and keeps it in the store meanwhile. After an error the session is
// unchanged.
func (s *session) open(ctx context.Context, run *sim.Run, tick int64) error {
	mem, err := s.books.Store.ReserveWhenFree(ctx, sessionBytes(run.Program()))
	if err != nil {
		return err
	}
	look, away := context.WithCancel(ctx)
	defer away()
	s.books.Store.Look(look, run)
	if err := s.runner.Open(ctx, run, tick); err != nil {
		mem.Release()
		return err
	}
	s.mem.Release()
	s.mem = mem
	return nil
}

// sessionBytes returns the memory in bytes that a session on a run takes: slot counts, names that
// were sent, and states that wait to be sent.
func sessionBytes(p *program.Program) int64 {
	const fixed, share = 256 << 10, 4 // a slot takes 14 bytes here and 56 in an engine
	return fixed + p.Estimate().EmptyBytes/share
}

// join adds a socket and sends it the current state. A driver replaces the previous driver, whose
// connection may be half open, and pauses the session, as closing that connection would have done.
func (s *session) join(k *socket) {
	k.greeting.Stop()
	if k.driver && s.joined.Load() {
		s.runner.Pause()
		s.sockets = slices.DeleteFunc(s.sockets, func(o *socket) bool {
			if o.driver {
				o.close(closeReplaced, replacedReason)
			}
			return o.driver
		})
	}
	s.joined.Store(true)
	s.sockets = append(s.sockets, k)
	k.box.keep(s.hello(k))
	k.box.keep(s.player())
	s.sendState(!s.runner.Playing().On, k)
	s.tellTimeline(k)
	if s.problem != nil {
		k.box.keep(s.ack(0, s.problem, k.lang))
		s.problem = nil
	}
}

// leave removes a socket.
func (s *session) leave(k *socket) {
	s.sockets = slices.DeleteFunc(s.sockets, func(o *socket) bool { return o == k })
	s.close()
}

// close ends a session without sockets. If a client knows its id, the session is kept for a while,
// paused.
func (s *session) close() {
	if len(s.sockets) > 0 || s.ctx.Err() != nil {
		return
	}
	if s.joined.Load() && s.run != nil {
		s.hub.keep(s)
	}
	s.end()
}

// position returns the position of the cursor, in the form that [locate.Position.Resolve] returns.
func (s *session) position() locate.Position {
	at := s.runner.Cursor()
	switch {
	case at.Whole && at.Tick+at.Seq > 0:
		return locate.Position{Tick: at.Tick, Seq: -1}
	case at.Seq > 0:
		return locate.Position{Tick: -1, Seq: at.Seq}
	}
	return locate.Start
}

// resync requests a state for the sockets that are behind and idle again. Their writers call it;
// one request serves all.
func (s *session) resync() {
	if s.resyncing.CompareAndSwap(false, true) {
		s.do(s.sendMissing)
	}
}

// sendMissing sends one state to every socket that is behind and idle again, at most once per
// stateInterval.
func (s *session) sendMissing() {
	now := s.runner.Now()
	if wait := stateInterval - now.Sub(s.resynced); wait > 0 {
		s.runner.Remind(wait)
		return
	}
	s.resyncing.Store(false) // first, so that a socket that starves later asks again
	var starved []*socket
	for _, k := range s.sockets {
		if k.box.starved() {
			starved = append(starved, k)
		}
	}
	if len(starved) > 0 {
		s.resynced = now
		s.sendState(!s.runner.Playing().On, starved...)
	}
}

// Reminded sends the states that sendMissing postponed.
func (s *session) Reminded() { s.sendMissing() }

// broadcast queues a message for every socket; it is not dropped.
func (s *session) broadcast(data []byte) {
	for _, k := range s.sockets {
		k.box.keep(data)
	}
}

// The methods below implement sim.Audience.

// Opened is called when the runner has opened another run.
func (s *session) Opened(run *sim.Run) {
	before := s.lookAway
	var ctx context.Context
	ctx, s.lookAway = context.WithCancel(s.ctx)
	s.books.Store.Look(ctx, run)
	if before != nil {
		before()
	}
	s.run = run
	short := run.Digest()[:sim.DigestShort]
	s.short = short
	s.seenRun.Store(&short)
	s.custom = !s.books.IsBuiltin(run.Program())
	s.info = run.Program().Scenario.Facts()
	s.names = newNameBook(run.Program())
	s.lanes = make([]laneView, len(run.Program().Scenario.Lanes))
	s.frame = frame{}
	for _, k := range s.sockets {
		k.box.keep(s.hello(k))
		k.timeline = timelineTold{} // a page forgets its timeline at a hello
	}
}

// Stood is called with the whole state after the cursor was placed.
func (s *session) Stood(at *engine.Snapshot) {
	s.seenSeq.Store(at.Seq)
	for i := range at.Lanes {
		l := &at.Lanes[i]
		v := &s.lanes[i]
		v.tally, v.cost = newTally(&l.State), l.Cost
	}
	s.frame = frame{snap: at}
}

// Moved is called with the events after the cursor moved forward.
func (s *session) Moved(part *sim.Stretch) {
	s.seenSeq.Store(part.To)
	start := s.run.Program().Start
	full := 0
	for i := range part.Records {
		r := &part.Records[i]
		v := &s.lanes[r.Lane]
		v.tally.fold(r, start)
		if v.mode == modeFull {
			full++
		}
	}
	for i := range part.Lanes {
		s.lanes[i].cost = part.Lanes[i]
	}
	s.frame.add(part, full)
}

// Framed sends a frame: a delta or, if necessary, a state. It reports whether viewers are late;
// after a state none is.
func (s *session) Framed() (late bool) {
	if s.frame.snap != nil || s.frame.over || s.outgrown() {
		s.decideModes(s.frame.over)
		s.sendState(false, s.sockets...)
		return false
	}
	delta, behind := s.delta(), 0
	for _, k := range s.sockets {
		if k.box.putDelta(delta) {
			behind++
		}
	}
	s.markSent()
	return behind > 0 && behind*LateViewersMin >= len(s.sockets)
}

// Rested is called when the cursor has not moved for a while. Sockets get what the last message
// left out: the first timers of lanes in modeCounts, and what the lanes did.
func (s *session) Rested() {
	if s.allFull() && !s.leaving && !s.bare {
		return
	}
	s.decideModes(false)
	s.sendState(true, s.sockets...)
}

// Played is called when playing, its rate or its end has changed.
func (s *session) Played(sim.Playing) { s.broadcast(s.player()) }

// Progressed is called when more of the run is computed.
func (s *session) Progressed() {
	s.tellTimeline(s.sockets...)
}

// Failed is called with an error that answers no command.
func (s *session) Failed(err error) {
	if s.ctx.Err() != nil {
		return // the error was caused by the end of the session
	}
	s.log.Error("session stopped", "session", s.id, "run", s.short, "err", err)
	for _, k := range s.sockets {
		k.box.keep(s.ack(0, err, k.lang))
	}
}

// Detail returns how many timers of each place the next state needs.
func (s *session) Detail() int {
	for i := range s.lanes {
		if s.lanes[i].tally.live <= LaneTimersMax {
			return wheel.AllEntries
		}
	}
	return 0
}

// outgrown reports whether a lane in modeFull has more than LaneTimersMax timers.
func (s *session) outgrown() bool {
	for i := range s.lanes {
		if s.lanes[i].mode == modeFull && s.lanes[i].tally.live > LaneTimersMax {
			return true
		}
	}
	return false
}

func (s *session) allFull() bool {
	for i := range s.lanes {
		if s.lanes[i].mode != modeFull {
			return false
		}
	}
	return true
}

// decideModes chooses each lane's mode for the next state. crowded means that the frame had too
// many events to send one by one. While the cursor plays, a lane does not return to modeFull, or it
// would alternate.
func (s *session) decideModes(crowded bool) {
	playing := s.runner.Playing().On
	for i := range s.lanes {
		v := &s.lanes[i]
		switch {
		case v.tally.live > LaneTimersMax, crowded, playing && v.mode == modeCounts:
			v.mode = modeCounts
		default:
			v.mode = modeFull
		}
	}
}

// markSent marks all changes as sent.
func (s *session) markSent() {
	for i := range s.lanes {
		v := &s.lanes[i]
		v.tally.markSent()
		v.spent = v.cost.Total
	}
	s.frame = frame{}
}
