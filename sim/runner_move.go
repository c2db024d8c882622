package sim

import (
	"context"
	"errors"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"time"
)

// goal is the destination of a seek: the end of tick, or directly after event seq if tick is
// negative.
type goal struct {
	tick, seq int64
	since     time.Time // when the request for it arrived
	short     shortage
}

// SeekTick moves the cursor to the end of a tick, or before the first event if tick is
// negative. Playback continues. If the tick is not computed yet, the cursor moves as soon as
// it is, unless another movement is requested first.
func (r *Runner) SeekTick(tick int64) error {
	if until := r.run.Program().Until; tick > until {
		return pastUntil(tick, until)
	}
	if tick < 0 {
		return r.seek(goal{tick: -1, seq: 0})
	}
	return r.seek(goal{tick: tick})
}

// SeekSeq moves the cursor directly after event seq, or before the first event if seq is 0.
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

// Seeking reports whether the destination of a seek is not computed yet.
func (r *Runner) Seeking() bool { return r.goal != nil }

// Arrived sets a function that is called once, when the current seek ends: with nil when the
// cursor is there, when another movement is requested, or after SeekAnswerMax while the seek
// continues; otherwise with the error. It must be called while Seeking returns true.
func (r *Runner) Arrived(f func(error)) { r.arrived = f }

// forget cancels a seek because another movement is requested.
func (r *Runner) forget() {
	if r.goal == nil {
		return
	}
	r.goal = nil
	r.reportArrived(nil)
	if !r.on {
		r.rest()
	}
}

func (r *Runner) reportArrived(err error) (called bool) {
	f := r.arrived
	r.arrived = nil
	if f != nil {
		f(err)
	}
	return f != nil
}

// lookForGoal continues the current seek.
func (r *Runner) lookForGoal(now time.Time) {
	err := r.tryGoal(now)
	if r.goal != nil {
		return
	}
	if err != nil {
		r.Pause()
	}
	if !r.reportArrived(err) && err != nil {
		r.audience.Failed(err)
	}
	if err != nil {
		r.rest()
	}
}

// tryGoal moves to the goal if it is computed within GoalInterval. If it is not, or if there
// is no memory, which is retried for shortWait, it sets the time of the next attempt.
func (r *Runner) tryGoal(now time.Time) error {
	if r.goal == nil {
		return nil
	}
	ready, err := r.computed(*r.goal)
	if err == nil && !ready {
		r.wake.set(wakeGoal, now.Add(GoalInterval))
		r.audience.Progressed()
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
	if g.short.retries(err, now, shortWait) {
		r.goal = g
		r.wake.set(wakeGoal, now.Add(memoryRetry))
		return nil
	}
	if err != nil && r.outOfTime() { // the request is answered, but the seek continues
		r.goal = g
		r.wake.set(wakeGoal, now.Add(GoalInterval))
		return nil
	}
	return err
}

// computed reports whether a goal is computed. It waits for that at most GoalInterval.
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

// reach moves the cursor to a goal that is computed.
func (r *Runner) reach(g goal) error {
	snap, err := snapshotAt(r.ctx, r.run, g, r.audience.Detail())
	if err != nil {
		return err
	}
	return r.stand(snap, g.tick >= 0)
}

// snapshotAt returns the state at a goal.
func snapshotAt(ctx context.Context, r *Run, g goal, most int) (*engine.Snapshot, error) {
	if g.tick >= 0 {
		return r.Seek(ctx, g.tick, most)
	}
	return r.SeekSeq(ctx, g.seq, most)
}

// stand moves the cursor to the position of a snapshot and shows it.
func (r *Runner) stand(snap *engine.Snapshot, whole bool) error {
	at, err := cursorAt(r.ctx, r.run, snap, whole)
	if err != nil {
		return err
	}
	r.cursor = at
	r.show(snap)
	return nil
}

// show reports the state at the cursor to the audience.
func (r *Runner) show(snap *engine.Snapshot) {
	r.audience.Stood(snap)
	r.audience.Framed()
	r.moved()
}

// cursorAt returns the cursor of a snapshot. If whole is false, it finds out whether every
// event at the tick has happened. Before the first event it derives that from the workload, so
// that a run can be opened there with nothing computed.
func cursorAt(ctx context.Context, r *Run, s *engine.Snapshot, whole bool) (Cursor, error) {
	if whole || s.Seq == 0 {
		return Cursor{s.Tick, s.Seq, whole || startsSilent(r.Prog)}, nil
	}
	last, err := r.SeqAt(ctx, s.Tick)
	return Cursor{s.Tick, s.Seq, s.Seq == last}, err
}

// startsSilent reports whether there are no events at tick 0. The wheels are empty then, so
// that only operations on timers emit events.
func startsSilent(p *program.Program) bool {
	for i := 0; i < len(p.Ops) && p.Ops[i].At == 0; i++ {
		if p.Ops[i].Kind.Named() {
			return false
		}
	}
	return true
}

// moved follows every requested movement.
func (r *Runner) moved() {
	now := r.clock.Now()
	if r.on {
		r.pace.anchor(now, r.cursor.Tick)
		r.wake.set(wakeFrame, now)
	} else {
		r.rest()
	}
	r.tellPlaying()
}
