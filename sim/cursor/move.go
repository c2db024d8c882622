package cursor

import (
	"context"
	"errors"
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// goal is the destination of a seek: the end of tick or, if tick is negative, the position directly after
// event seq.
type goal struct {
	tick, seq int64
	since     time.Time // arrival time of the seek request
	short     shortage
}

// SeekTick moves the cursor to the end of tick, or before the first event if tick is negative. If tick has
// not been computed yet, the seek continues after SeekTick has returned, until tick has been computed or
// another movement is requested. Playback waits until the cursor has moved and continues from there. If tick
// is after the end of the run, SeekTick returns a *scenario.InputError.
func (r *Runner) SeekTick(tick int64) error {
	if until := r.run.Program().Until; tick > until {
		return pastUntil(tick, until)
	}
	if tick < 0 {
		return r.seek(goal{tick: -1, seq: 0})
	}
	return r.seek(goal{tick: tick})
}

// SeekSeq is like SeekTick, but moves the cursor to the position directly after event seq, or before the first event
// if seq is 0.
func (r *Runner) SeekSeq(seq int64) error {
	if seq < 0 {
		return scenario.Fault("seq", "%d is not an event's number, 0 or more", seq)
	}
	return r.seek(goal{tick: -1, seq: seq})
}

func pastUntil(tick, until int64) error {
	return scenario.Fault("tick", "%d is past the end of the scenario at tick %d", tick, until)
}

func (r *Runner) seek(g goal) error {
	r.stopSearch()
	r.forget()
	g.since = r.asked
	r.goal = &g
	return r.tryGoal(r.clock.Now())
}

// Seeking reports whether a seek is in progress.
func (r *Runner) Seeking() bool { return r.goal != nil }

// Arrived arranges for f to be called once, when the current seek ends. The argument of f is nil if the
// cursor has arrived or another movement has been requested. Otherwise it is the error that ended the seek.
// If the seek takes longer than SeekAnswerMax, f is called with nil at that time and the seek continues.
// Arrived may only be called while Seeking returns true.
func (r *Runner) Arrived(f func(error)) { r.arrived = f }

// forget cancels the current seek, if there is one. If the runner is playing, playback then continues from the cursor.
// forget is called when another movement is requested.
func (r *Runner) forget() {
	if r.goal == nil {
		return
	}
	r.goal = nil
	r.reportArrived(nil)
	r.resume()
}

func (r *Runner) reportArrived(err error) (called bool) {
	f := r.arrived
	r.arrived = nil
	if f != nil {
		f(err)
	}
	return f != nil
}

// trySeek makes the next attempt of the current seek. If the seek fails, trySeek stops playback and passes the error to
// the function set by Arrived or, if there is none, to the listener. trySeek is called when the attempt is due.
func (r *Runner) trySeek(now time.Time) {
	err := r.tryGoal(now)
	if r.goal != nil {
		return
	}
	if err != nil {
		r.Pause()
	}
	if !r.reportArrived(err) && err != nil {
		r.listener.OnError(err)
	}
	if err != nil {
		r.rest()
	}
}

// tryGoal tries to complete the current seek, if there is one: it waits up to GoalInterval for the destination to
// be computed, and moves the cursor there. It schedules another attempt if the destination has not been computed by
// then, if the current request has run out of time, or if there is not enough memory. If memory is still short after
// sim.ShortWait, the seek fails.
func (r *Runner) tryGoal(now time.Time) error {
	if r.goal == nil {
		return nil
	}
	ready, err := r.computed(*r.goal)
	if err == nil && !ready {
		r.wake.set(wakeGoal, now.Add(GoalInterval))
		r.listener.OnProgress()
		if now.Sub(r.goal.since) >= SeekAnswerMax {
			r.reportArrived(nil)
		}
		return nil
	}
	g := r.goal
	r.goal = nil
	if err == nil {
		err = r.reach(*g)
	}
	if g.short.retries(err, now, sim.ShortWait) {
		r.goal = g
		r.wake.set(wakeGoal, now.Add(sim.MemoryRetry))
		return nil
	}
	if err != nil && r.outOfTime() { // the request is answered, but the seek continues
		r.goal = g
		r.wake.set(wakeGoal, now.Add(GoalInterval))
		return nil
	}
	return err
}

// computed reports whether destination g has been computed. It waits for up to GoalInterval.
func (r *Runner) computed(g goal) (bool, error) {
	ctx, cancel := context.WithTimeout(r.ctx, GoalInterval)
	defer cancel()
	var err error
	if g.tick >= 0 {
		err = r.run.Wait(ctx, g.tick)
	} else if g.seq > 0 {
		_, err = r.run.TickOf(ctx, g.seq)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return false, nil
	}
	return err == nil, err
}

// reach moves the cursor to destination g, which must be computed.
func (r *Runner) reach(g goal) error {
	snap, err := snapshotAt(r.ctx, r.run, g, r.listener.Detail)
	if err != nil {
		return err
	}
	return r.setState(snap, g.tick >= 0)
}

// snapshotAt returns the state of run r at destination g. detail has the same meaning as Listener.Detail.
func snapshotAt(ctx context.Context, r *sim.Run, g goal, detail func([]*engine.Lane) int) (*engine.Snapshot, error) {
	if g.tick >= 0 {
		return r.SeekWithChunk(ctx, g.tick, detail)
	}
	return r.SeekSeq(ctx, g.seq, detail(nil))
}

// setState moves the cursor to the position of snap and reports snap to the listener. whole is true if snap
// is known to be at the end of a tick; if it is false, setState determines whether it is.
func (r *Runner) setState(snap *engine.Snapshot, whole bool) error {
	at, err := cursorAt(r.ctx, r.run, snap, whole)
	if err != nil {
		return err
	}
	r.cursor = at
	r.show(snap)
	return nil
}

// show reports snap, the state at the cursor, to the listener.
func (r *Runner) show(snap *engine.Snapshot) {
	r.listener.OnSeek(snap)
	r.listener.OnFrame()
	r.moved()
}

// cursorAt returns the position of snapshot s. whole is true if s is known to be at the end of a tick;
// otherwise cursorAt determines whether all events of the tick have occurred. For the position before the
// first event, it reads only the workload, so that a run can be opened there before any tick has been
// computed.
func cursorAt(ctx context.Context, r *sim.Run, s *engine.Snapshot, whole bool) (Position, error) {
	if whole || s.Seq == 0 {
		return Position{s.Tick, s.Seq, whole || startsSilent(r.Program())}, nil
	}
	last, err := r.SeqAt(ctx, s.Tick)
	return Position{s.Tick, s.Seq, s.Seq == last}, err
}

// startsSilent reports whether no events occur at tick 0. Because the wheels are empty at that time, only operations
// on timers emit events.
func startsSilent(p *program.Program) bool {
	for i := 0; i < len(p.Ops) && p.Ops[i].At == 0; i++ {
		if p.Ops[i].Kind.Named() {
			return false
		}
	}
	return true
}

// moved continues playback from the new position, if the runner is playing, and reports the playback state. It is
// called after each requested movement.
func (r *Runner) moved() {
	r.resume()
	r.reportPlayback()
}

// resume continues playback at the cursor or, if the runner is not playing, sets the time of the next call to
// OnIdle.
func (r *Runner) resume() {
	if !r.on {
		r.rest()
		return
	}
	now := r.clock.Now()
	r.pace.anchor(now, r.cursor.Tick)
	r.wake.set(wakeFrame, now)
}
