package cursor

import (
	"context"
	"errors"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// By is a unit by which Runner.Step moves the cursor.
type By int

const (
	ByTick  By = iota // all events of one tick
	ByStep            // all events of a step (see sim.Chunk.Step): an operation in all lanes, or the work of one lane at one position of a hand
	ByEvent           // one event
)

// errNotYet is returned by Runner.Step if it cannot move the cursor because the next events have not been computed yet.
var errNotYet = scenario.Fault("", "the next events are not computed yet; try again in a while")

// Step pauses playback and moves the cursor by n ticks, steps or events in one movement, backward if n is
// negative. It stops at either end of the run. It waits up to StepWaitMax for the events to be computed. If
// some have not been computed by then, it moves as far as possible; if it cannot move at all, it returns
// errNotYet.
func (r *Runner) Step(by By, n int64) error {
	r.Pause()
	r.forget()
	ctx, cancel := context.WithTimeout(r.ctx, StepWaitMax)
	defer cancel()
	err := r.step(ctx, by, n)
	if errors.Is(err, context.DeadlineExceeded) && !r.outOfTime() {
		return errNotYet
	}
	return err
}

func (r *Runner) step(ctx context.Context, by By, n int64) error {
	at := r.cursor
	switch {
	case by == ByTick && n > 0:
		return r.ticksForward(ctx, n)
	case by == ByTick:
		return r.Seek(sim.EndOf(at.Tick + n)) // or before the first event
	case by == ByEvent && n > 0:
		return r.eventsForward(ctx, n)
	case by == ByEvent:
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
	_, err := r.run.ChunkOfSeq(ctx, last)
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
