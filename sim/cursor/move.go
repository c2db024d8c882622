package cursor

import (
	"context"
	"errors"
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// Unit is a unit by which Runner.MoveBy moves the cursor.
type Unit int

const (
	UnitTick  Unit = iota // all events of one tick
	UnitStep              // all events of a step (see sim.Chunk.Step): an operation in all lanes, or the work of one lane at one position of a hand
	UnitEvent             // one event
)

// errNotYet is returned by Runner.MoveBy if it cannot move the cursor because the next events have not been computed yet.
var errNotYet = scenario.Fault("", "the next events are not computed yet; try again in a while")

// MoveBy pauses playback and moves the cursor by n ticks, steps or events in one movement, backward if n is
// negative. It stops at either end of the run. It waits up to StepWaitMax for the events to be computed. If
// some have not been computed by then, it moves as far as possible; if it cannot move at all, it returns
// errNotYet.
func (r *Runner) MoveBy(by Unit, n int64) error {
	r.Pause()
	r.forget()
	ctx, cancel := context.WithTimeout(r.ctx, StepWaitMax)
	defer cancel()
	err := r.moveBy(ctx, by, n)
	if errors.Is(err, context.DeadlineExceeded) && !r.outOfTime() {
		return errNotYet
	}
	return err
}

func (r *Runner) moveBy(ctx context.Context, by Unit, n int64) error {
	at := r.cursor
	switch {
	case by == UnitTick && n > 0:
		return r.ticksForward(ctx, n)
	case by == UnitTick:
		return r.Seek(sim.EndOf(at.Tick + n)) // or before the first event
	case by == UnitEvent && n > 0:
		return r.eventsForward(ctx, n)
	case by == UnitEvent:
		return r.Seek(sim.After(max(at.Seq+n, 0)))
	}
	seq, err := r.run.Steps(ctx, at.Seq, n)
	switch {
	case err != nil || seq == at.Seq && n > 0:
		return err
	case n > 0:
		return r.forward(sim.After(seq))
	}
	return r.Seek(sim.After(seq))
}

// ticksForward moves the cursor forward by n ticks. If the cursor is within a tick, the rest of that tick
// counts as the first one.
func (r *Runner) ticksForward(ctx context.Context, n int64) error {
	first := r.cursor.Tick
	if r.cursor.Whole {
		first++
	}
	last := min(first+n-1, r.run.Program().Until)
	if last < first {
		return nil
	}
	if err := r.run.Wait(ctx, last); err != nil {
		if last, _ = r.run.Computed(); last < first {
			return err
		}
	}
	return r.forward(sim.EndOf(last))
}

func (r *Runner) eventsForward(ctx context.Context, n int64) error {
	last := r.cursor.Seq + n
	_, err := r.run.ChunkOf(ctx, sim.After(last))
	if computed := r.run.EventsComputed(); computed < last {
		if last = computed; last <= r.cursor.Seq {
			return err
		}
	}
	return r.forward(sim.After(last))
}

// forward moves the cursor to a later position and reports the events in between to the listener. If there are too many
// of them, forward seeks instead, which reports only the state there.
func (r *Runner) forward(to sim.Position) error {
	s, err := r.run.EventRange(r.ctx, r.cursor.Seq, to, FrameRangeRecordsMax)
	if errors.Is(err, sim.ErrTooMany) {
		return r.Seek(to)
	}
	if err != nil {
		return err
	}
	r.cursor = s.To
	r.listener.OnMove(s)
	r.listener.OnFrame()
	r.moved()
	return nil
}

// goal is the destination of a seek.
type goal struct {
	to    sim.Position
	since time.Time // arrival time of the seek request
	short shortage
}

// Seek moves the cursor to the position to. If it has not been computed yet, the seek continues after Seek has
// returned, until it has been computed or another movement is requested. Playback waits until the cursor has moved and
// continues from there. If there is no such position in the run, the error is a *scenario.InputError or a
// *sim.PositionError.
func (r *Runner) Seek(to sim.Position) error {
	if until := r.run.Program().Until; to.Tick > until {
		return pastUntil(to.Tick, until)
	}
	if to.Tick < 0 && to.Seq < 0 {
		return scenario.Fault("seq", "%d is not an event's number, 0 or more", to.Seq)
	}
	r.stopSearch()
	r.forget()
	r.goal = &goal{to: to, since: r.asked}
	return r.tryGoal(r.clock.Now())
}

func pastUntil(tick, until int64) error {
	return scenario.Fault("tick", "%d is past the end of the scenario at tick %d", tick, until)
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
	ready, err := r.computed(r.goal.to)
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
		err = r.reach(g.to)
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

// computed reports whether the position to has been computed. It waits for up to GoalInterval.
func (r *Runner) computed(to sim.Position) (bool, error) {
	ctx, cancel := context.WithTimeout(r.ctx, GoalInterval)
	defer cancel()
	err := awaitPosition(ctx, r.run, to)
	if errors.Is(err, context.DeadlineExceeded) {
		return false, nil
	}
	return err == nil, err
}

// awaitPosition waits until run is computed up to the position to.
func awaitPosition(ctx context.Context, run *sim.Run, to sim.Position) error {
	if to.IsStart() {
		return nil
	}
	_, err := run.ChunkOf(ctx, to)
	return err
}

// reach moves the cursor to the position to, which must be computed, and reports the state there to the listener.
func (r *Runner) reach(to sim.Position) error {
	snap, at, err := snapshotAt(r.ctx, r.run, to, r.listener.Detail)
	if err != nil {
		return err
	}
	r.cursor = at
	r.show(snap)
	return nil
}

// snapshotAt returns the state of run r at p, and p with all fields set. detail has the same meaning as
// Listener.Detail.
func snapshotAt(ctx context.Context, r *sim.Run, p sim.Position, detail func([]*engine.Lane) int) (*engine.Snapshot, sim.Position, error) {
	if p.ByTick() {
		snap, err := r.SeekWithChunk(ctx, p.Tick, detail)
		if err != nil {
			return nil, p, err
		}
		return snap, sim.Position{Tick: p.Tick, Seq: snap.Seq, Whole: true}, nil
	}
	snap, err := r.Seek(ctx, p, detail(nil))
	if err != nil {
		return nil, p, err
	}
	p, err = r.Locate(ctx, p)
	return snap, p, err
}

// show reports snap, the state at the cursor, to the listener.
func (r *Runner) show(snap *engine.Snapshot) {
	r.listener.OnSeek(snap)
	r.listener.OnFrame()
	r.moved()
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
