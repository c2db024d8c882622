package sim

import (
	"context"
	"errors"
	"time"
)

// goal is a place sought: after everything at tick, or exactly event seq where
// tick is negative.
type goal struct {
	tick, seq int64
	since     time.Time // when the request for it arrived
	short     shortage
}

// SeekTick puts the cursor after everything at tick, or before anything where tick
// is negative. It goes on playing if it played. What is not computed yet is
// shown when it is; a later movement takes its place.
func (r *Runner) SeekTick(tick int64) error {
	if until := r.run.Program().Until; tick > until {
		return pastUntil(tick, until)
	}
	if tick < 0 {
		return r.seek(goal{tick: -1, seq: 0})
	}
	return r.seek(goal{tick: tick})
}

// SeekSeq puts the cursor after event seq exactly; 0: before anything.
func (r *Runner) SeekSeq(seq int64) error {
	if seq < 0 {
		return fault("seq", "%d is not an event's number, 0 or more", seq)
	}
	return r.seek(goal{tick: -1, seq: seq})
}

func pastUntil(tick, until int64) error {
	return fault("tick", "%d is past the end of the scenario at tick %d", tick, until)
}

func (r *Runner) seek(g goal) error {
	r.stopSearch()
	r.forget()
	g.since = r.asked
	r.goal = &g
	return r.tryGoal(r.clock.Now())
}

// Seeking tells whether the cursor is to go where nothing is computed yet.
func (r *Runner) Seeking() bool { return r.goal != nil }

// Arrived has f called once, while Seeking, with how that ended: nil when the cursor is
// there, or something else was asked for in its place, or after SeekAnswerMax, while the
// runner goes on seeking.
func (r *Runner) Arrived(f func(error)) { r.arrived = f }

// forget gives up what is sought: something else is asked for.
func (r *Runner) forget() {
	if r.goal == nil {
		return
	}
	r.goal = nil
	r.tellArrived(nil)
	if !r.on {
		r.rest()
	}
}

func (r *Runner) tellArrived(err error) (told bool) {
	f := r.arrived
	r.arrived = nil
	if f != nil {
		f(err)
	}
	return f != nil
}

// lookForGoal goes on with what is sought.
func (r *Runner) lookForGoal(now time.Time) {
	err := r.tryGoal(now)
	if r.goal != nil {
		return
	}
	if err != nil {
		r.Pause()
	}
	if !r.tellArrived(err) && err != nil {
		r.audience.Failed(err)
	}
	if err != nil {
		r.rest()
	}
}

// tryGoal goes to what is sought, if it has been computed within GoalInterval,
// and looks again later if not, or if there is no memory for it, for shortWait.
func (r *Runner) tryGoal(now time.Time) error {
	if r.goal == nil {
		return nil
	}
	ready, err := r.computed(*r.goal)
	if err == nil && !ready {
		r.wake.set(wakeGoal, now.Add(GoalInterval))
		r.audience.Progressed()
		if now.Sub(r.goal.since) >= SeekAnswerMax {
			r.tellArrived(nil)
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
	if err != nil && r.outOfTime() { // it goes on without the request, which is answered
		r.goal = g
		r.wake.set(wakeGoal, now.Add(GoalInterval))
		return nil
	}
	return err
}

// computed waits GoalInterval at most for a goal to be computed.
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

// reach puts the cursor at a goal that is computed.
func (r *Runner) reach(g goal) error {
	snap, err := r.run.snapshotAt(r.ctx, g, r.audience.Detail())
	if err != nil {
		return err
	}
	return r.stand(snap, g.tick >= 0)
}

// snapshotAt gives the state at a goal.
func (r *Run) snapshotAt(ctx context.Context, g goal, most int) (*Snapshot, error) {
	if g.tick >= 0 {
		return r.Seek(ctx, g.tick, most)
	}
	return r.SeekSeq(ctx, g.seq, most)
}

// stand puts the cursor where a snapshot was taken and shows it.
func (r *Runner) stand(snap *Snapshot, whole bool) error {
	at, err := r.run.cursorAt(r.ctx, snap, whole)
	if err != nil {
		return err
	}
	r.cursor = at
	r.show(snap)
	return nil
}

// show tells the audience the state at the cursor.
func (r *Runner) show(snap *Snapshot) {
	r.audience.Stood(snap)
	r.audience.Framed()
	r.moved()
}

// cursorAt makes the cursor of a snapshot, and finds out whether everything at
// its tick has happened where that is not known. Before anything that follows
// from the workload: a run can be opened there with nothing of it computed.
func (r *Run) cursorAt(ctx context.Context, s *Snapshot, whole bool) (Cursor, error) {
	if whole || s.Seq == 0 {
		return Cursor{s.Tick, s.Seq, whole || r.prog.silentStart()}, nil
	}
	last, err := r.SeqAt(ctx, s.Tick)
	return Cursor{s.Tick, s.Seq, s.Seq == last}, err
}

// silentStart says whether nothing happens at tick 0, where the wheels are empty
// and only an operation on a timer tells anything.
func (p *Program) silentStart() bool {
	for i := 0; i < len(p.Ops) && p.Ops[i].At == 0; i++ {
		if p.Ops[i].Kind.Named() {
			return false
		}
	}
	return true
}

// moved follows every movement that was asked for.
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
