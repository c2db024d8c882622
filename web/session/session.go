package session

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/session/protocol"
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
	k.keep(s.hello(k))
	k.keep(s.player())
	s.sendState(!s.runner.Playing().On, k)
	s.sendTimeline(k)
	if s.problem != nil {
		k.keep(s.ack(0, s.problem, k.lang))
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
		if k.needsState() {
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
		k.keep(data)
	}
}
