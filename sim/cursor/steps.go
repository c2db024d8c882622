package cursor

import (
	"context"
	"errors"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// By is a unit by which Runner.Step moves the cursor.
type By int

const (
	ByTick  By = iota // all events of one tick
	ByStep            // all events of a sim.Step: an operation in all lanes, or the work of one lane at one position of a hand
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
	switch {
	case by == ByTick && n > 0:
		return r.ticksForward(ctx, n)
	case by == ByTick:
		return r.SeekTick(max(r.cursor.Tick+n, -1)) // the end of that tick, or before the first event
	case by == ByEvent && n > 0:
		return r.eventsForward(ctx, n)
	case by == ByEvent:
		return r.SeekSeq(max(r.cursor.Seq+n, 0))
	case n > 0:
		return r.stepsForward(ctx, n)
	}
	return r.stepsBack(ctx, -n)
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
	return r.forward(func() (*sim.EventRange, error) {
		return r.run.EventRange(r.ctx, r.cursor.Seq, last, FrameRangeRecordsMax)
	}, goal{tick: last})
}

func (r *Runner) eventsForward(ctx context.Context, n int64) error {
	last := r.cursor.Seq + n
	_, err := r.run.TickOf(ctx, last)
	var past *sim.PositionError
	switch {
	case errors.As(err, &past):
		if last = past.Last; last == r.cursor.Seq {
			return nil
		}
	case err != nil:
		if last = r.run.EventsComputed(); last <= r.cursor.Seq {
			return err
		}
	}
	return r.forwardSeq(last)
}

// stepsForward moves the cursor forward by n steps, or by fewer if the run ends or further steps are not computed
// in time. If the cursor is within a step, the rest of that step counts as the first one.
func (r *Runner) stepsForward(ctx context.Context, n int64) error {
	last := r.cursor.Seq
	for range n {
		s, ok, err := r.run.StepAfter(ctx, last)
		if err != nil && last == r.cursor.Seq {
			return err
		}
		if err != nil || !ok {
			break
		}
		last = s.End
	}
	if last == r.cursor.Seq {
		return nil
	}
	return r.forwardSeq(last)
}

func (r *Runner) stepsBack(ctx context.Context, n int64) error {
	first := r.cursor.Seq
	for range n {
		s, ok, err := r.run.StepBefore(ctx, first)
		if err != nil {
			return err
		}
		if !ok {
			return r.SeekSeq(0)
		}
		first = s.End
	}
	return r.SeekSeq(first)
}

func (r *Runner) forwardSeq(seq int64) error {
	return r.forward(func() (*sim.EventRange, error) {
		return r.run.EventRangeSeq(r.ctx, r.cursor.Seq, seq, FrameRangeRecordsMax)
	}, goal{tick: -1, seq: seq})
}

// forward moves the cursor to a later position, end, and reports the events in between to the listener. It
// obtains these events by calling eventRange. If eventRange returns sim.ErrTooMany, forward seeks to end instead,
// which reports only the state there.
func (r *Runner) forward(eventRange func() (*sim.EventRange, error), end goal) error {
	s, err := eventRange()
	if errors.Is(err, sim.ErrTooMany) {
		return r.seek(end)
	}
	if err != nil {
		return err
	}
	at, err := cursorAt(r.ctx, r.run, &engine.Snapshot{Tick: s.Tick, Seq: s.To}, end.tick >= 0)
	if err != nil {
		return err
	}
	r.cursor = at
	r.listener.OnMove(s)
	r.listener.OnFrame()
	r.moved()
	return nil
}
