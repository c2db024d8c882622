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
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// session is one cursor on a run and the sockets that look at it. Everything
// below the runner is touched on the runner's goroutine only, so there is no
// lock; others ask through do.
type session struct {
	id     string
	secret secret // of its driver
	hub    *hub
	books  *library
	log    *slog.Logger
	runner *sim.Runner
	ctx    context.Context
	stop   context.CancelCauseFunc // ends ctx, and with it the runner

	sockets   []*socket
	joined    atomic.Bool // by a socket, now or before
	run       *sim.Run
	lookAway  context.CancelFunc // from run
	short     string             // of the run's digest
	custom    bool               // the scenario is no built-in, or an edited one
	info      []algorithms.Facts
	lanes     []laneView
	names     nameBook
	frame     frame
	mem       *budget.Reservation
	problem   error     // why it does not stand where it was asked to
	bare      bool      // the last message that moved the picture did not say what the lanes did
	didAt     time.Time // when one did last
	leaving   bool      // the last state was said not to be at rest, since it was to go on from there
	sizeHint  int       // of the next state, in bytes
	deltaHint int       // of the next delta

	seenRun atomic.Pointer[string] // short, for other goroutines
	seenSeq atomic.Int64           // the cursor's last event, the same

	statesSent int         // to all sockets
	resyncing  atomic.Bool // a call of sendMissing is under way
	resynced   time.Time   // when sendMissing sent the last state
}

// laneView is how a lane was last told.
type laneView struct {
	mode  string
	tally tally
	cost  sim.LaneCost
	spent int64 // total cost as the last row, or message, told it
}

// do has f run on the runner's goroutine. The error says that the session has
// ended.
func (s *session) do(f func()) error { return s.runner.Do(f) }

// end ends the session.
func (s *session) end() { s.stop(nil) }

// fail ends the session with an error, with which its sockets are closed.
func (s *session) fail(err error) { s.stop(err) }

// ending returns the code and the reason with which a socket of a session that has ended is closed.
func (s *session) ending(lang string) (code int, reason string) {
	cause := context.Cause(s.ctx)
	if cause == nil || cause == context.Canceled {
		return websocket.CloseGoingAway, "the session has ended"
	}
	line := userError(cause, lang).Error()
	return websocket.CloseTryAgainLater, strings.ToValidUTF8(line[:min(len(line), closeReasonMax)], "")
}

// closeReasonMax is the number of bytes that the reason of a closed WebSocket has at most (RFC 6455, section 5.5).
const closeReasonMax = 123

// begin puts a session on its run, by sim.RequestWaitMax. What is wrong with the position is told
// to the first who joins.
func (s *session) begin(run *sim.Run, as keptSession) {
	if err := s.open(s.runner.Context(), run, as.at.tick); err != nil {
		s.problem = err
		if err := s.open(s.runner.Context(), run, -1); err != nil {
			s.log.Warn("session not opened", "session", s.id, "err", err)
			s.fail(err)
			return
		}
	} else if as.at.seq > 0 {
		s.problem = s.runner.SeekSeq(as.at.seq)
	}
	if as.rate >= 0 {
		s.runner.SetRate(as.rate) // which was accepted before
	}
}

// open puts the session on another run, which is kept while it is computed so far. What it waits for ends
// with ctx; after an error the session is as it was.
func (s *session) open(ctx context.Context, run *sim.Run, tick int64) error {
	mem, err := s.books.store.ReserveWhenFree(ctx, sessionBytes(run.Program()))
	if err != nil {
		return err
	}
	look, away := context.WithCancel(ctx)
	defer away()
	s.books.store.Look(look, run)
	if err := s.runner.Open(ctx, run, tick); err != nil {
		mem.Release()
		return err
	}
	s.mem.Release()
	s.mem = mem
	return nil
}

// sessionBytes is the memory that a session on a run takes: counts of slots, names that
// were sent, and states that wait to be read.
func sessionBytes(p *sim.Program) int64 {
	const fixed, share = 256 << 10, 4 // a slot takes 14 bytes here and 56 in an engine
	return fixed + p.Estimate().EmptyBytes/share
}

// join adds a socket and tells it where things stand. One that drives takes the place of the
// driver before it, whose connection may be half open; it finds the session paused, as it would
// if that had been closed in time.
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

// close ends a session without sockets. If a client knows its id, it is kept for a while, paused.
func (s *session) close() {
	if len(s.sockets) > 0 || s.ctx.Err() != nil {
		return
	}
	if s.joined.Load() && s.run != nil {
		s.hub.keep(s)
	}
	s.end()
}

// position returns where the cursor is, as locate would.
func (s *session) position() position {
	at := s.runner.Cursor()
	switch {
	case at.Whole && at.Tick+at.Seq > 0:
		return position{at.Tick, -1}
	case at.Seq > 0:
		return position{-1, at.Seq}
	}
	return beforeAnything
}

// resync asks for a state for the sockets that have fallen behind and are free
// again. It is called by their writers, all of which one request serves.
func (s *session) resync() {
	if s.resyncing.CompareAndSwap(false, true) {
		s.do(s.sendMissing)
	}
}

// sendMissing sends one state to every socket that has fallen behind and is free
// again, stateInterval after the last one at the earliest.
func (s *session) sendMissing() {
	now := s.runner.Now()
	if wait := stateInterval - now.Sub(s.resynced); wait > 0 {
		s.runner.Remind(wait)
		return
	}
	s.resyncing.Store(false) // before the look: a socket that starves after it asks again
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

// Reminded sends the states that were put off.
func (s *session) Reminded() { s.sendMissing() }

// broadcast keeps one message for every socket.
func (s *session) broadcast(data []byte) {
	for _, k := range s.sockets {
		k.box.keep(data)
	}
}

// The methods below make session a sim.Audience.

// Opened is told of another run.
func (s *session) Opened(run *sim.Run) {
	before := s.lookAway
	var ctx context.Context
	ctx, s.lookAway = context.WithCancel(s.ctx)
	s.books.store.Look(ctx, run)
	if before != nil {
		before()
	}
	s.run = run
	short := run.Digest()[:RunDigits]
	s.short = short
	s.seenRun.Store(&short)
	s.custom = !s.books.isBuiltin(run.Program())
	s.info = run.Program().Scenario.Facts()
	s.names = newNameBook(run.Program())
	s.lanes = make([]laneView, len(run.Program().Scenario.Lanes))
	s.frame = frame{}
	for _, k := range s.sockets {
		k.box.keep(s.hello(k))
		k.timeline = timelineTold{} // a page forgets its timeline at a hello
	}
}

// Stood is told the whole state where the cursor stands now.
func (s *session) Stood(at *sim.Snapshot) {
	s.seenSeq.Store(at.Seq)
	for i := range at.Lanes {
		l := &at.Lanes[i]
		v := &s.lanes[i]
		v.tally, v.cost = newTally(&l.State), l.Cost
	}
	s.frame = frame{snap: at}
}

// Moved is told what happened while the cursor went forward.
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

// Framed sends what is to be shown now. A state counts as taken in time.
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
	s.told()
	return behind > 0 && behind*LateViewersMin >= len(s.sockets)
}

// Rested is called when the cursor has not moved for a while. Sockets get what the last
// message left out: the first timers of lanes in mode "counts", and what the lanes did.
func (s *session) Rested() {
	if s.allFull() && !s.leaving && !s.bare {
		return
	}
	s.decideModes(false)
	s.sendState(true, s.sockets...)
}

// Played is told how the cursor moves by itself.
func (s *session) Played(sim.Playing) { s.broadcast(s.player()) }

// Progressed is told that more of the run is computed.
func (s *session) Progressed() {
	s.tellTimeline(s.sockets...)
}

// Failed is told an error that answers no command.
func (s *session) Failed(err error) {
	if s.ctx.Err() != nil {
		return // it has ended, and what it did was cut short by that
	}
	s.log.Error("session stopped", "session", s.id, "run", s.short, "err", err)
	for _, k := range s.sockets {
		k.box.keep(s.ack(0, err, k.lang))
	}
}

// Detail says how many timers of each place the next state will tell.
func (s *session) Detail() int {
	for i := range s.lanes {
		if s.lanes[i].tally.live <= LaneTimersMax {
			return wheel.AllEntries
		}
	}
	return 0
}

// outgrown says whether a lane told in full has become too large for that.
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

// decideModes chooses each lane's mode for the state that is about to be sent.
// crowded says that the frame had too many events to be told one by one. While
// the cursor moves by itself a lane does not go back to full, or it would flap.
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

// told notes that everything has been told.
func (s *session) told() {
	for i := range s.lanes {
		v := &s.lanes[i]
		v.tally.told()
		v.spent = v.cost.Total
	}
	s.frame = frame{}
}
