package sim

import (
	"context"
	"errors"
	"sort"
)

// By says what a step goes by.
type By int

const (
	ByTick  By = iota // everything at one tick
	ByStep            // one cause: an operation in all lanes, or a lane's visit at one hand
	ByEvent           // one event
)

// errNotYet answers a step into what is not computed.
var errNotYet = fault("", "what comes next is not computed yet; try again in a while")

// Step pauses and moves the cursor by one tick, step or event, forward or back.
// Where there is none it stays. It waits StepWaitMax at most for what comes next
// to be computed.
func (r *Runner) Step(by By, forward bool) error {
	r.Pause()
	r.forget()
	ctx, cancel := context.WithTimeout(r.ctx, StepWaitMax)
	defer cancel()
	err := r.step(ctx, by, forward)
	if errors.Is(err, context.DeadlineExceeded) {
		return errNotYet
	}
	return err
}

func (r *Runner) step(ctx context.Context, by By, forward bool) error {
	switch {
	case by == ByTick && forward:
		return r.tickForward(ctx)
	case by == ByTick:
		return r.tickBack()
	case by == ByEvent && forward:
		return r.eventForward(ctx)
	case by == ByEvent:
		return r.eventBack()
	case forward:
		return r.stepForward(ctx)
	}
	return r.stepBack(ctx)
}

// tickForward finishes a tick that is not whole, else goes through the next.
func (r *Runner) tickForward(ctx context.Context) error {
	tick := r.cursor.Tick
	if r.cursor.Whole {
		tick++
	}
	if tick > r.run.Program().Until {
		return nil
	}
	return r.forward(ctx, func() (*Stretch, error) {
		return r.run.Stretch(ctx, r.cursor.Seq, tick, StretchRecordsMax)
	}, goal{tick: tick})
}

// tickBack goes to the end of the tick before, or before anything.
func (r *Runner) tickBack() error { return r.SeekTick(r.cursor.Tick - 1) }

func (r *Runner) eventForward(ctx context.Context) error {
	err := r.forwardSeq(ctx, r.cursor.Seq+1)
	var past *PositionError
	if errors.As(err, &past) {
		return nil
	}
	return err
}

func (r *Runner) eventBack() error {
	if r.cursor.Seq == 0 {
		return r.SeekSeq(0)
	}
	return r.SeekSeq(r.cursor.Seq - 1)
}

func (r *Runner) stepForward(ctx context.Context) error {
	s, ok, err := r.run.StepAfter(ctx, r.cursor.Seq)
	if err != nil || !ok {
		return err
	}
	return r.forwardSeq(ctx, s.End)
}

func (r *Runner) stepBack(ctx context.Context) error {
	s, ok, err := r.run.StepBefore(ctx, r.cursor.Seq)
	if err != nil {
		return err
	}
	if !ok {
		return r.SeekSeq(0)
	}
	return r.SeekSeq(s.End)
}

func (r *Runner) forwardSeq(ctx context.Context, seq int64) error {
	return r.forward(ctx, func() (*Stretch, error) {
		return r.run.StretchSeq(ctx, r.cursor.Seq, seq, StretchRecordsMax)
	}, goal{tick: -1, seq: seq})
}

// forward moves the cursor along a stretch, or to where it would end if too
// much happens on the way.
func (r *Runner) forward(ctx context.Context, stretch func() (*Stretch, error), end goal) error {
	s, err := stretch()
	if errors.Is(err, ErrTooMany) {
		return r.seek(end)
	}
	if err != nil {
		return err
	}
	at, err := r.run.cursorAt(ctx, &Snapshot{Tick: s.Tick, Seq: s.To}, end.tick >= 0)
	if err != nil {
		return err
	}
	r.cursor = at
	r.audience.Moved(s)
	r.audience.Framed()
	r.moved()
	return nil
}

// StepEnds lists the events in (from, to] with which a step ends. The caller
// bounds the distance.
func (r *Run) StepEnds(ctx context.Context, from, to int64) ([]int64, error) {
	var ends []int64
	for seq := from + 1; seq <= to; {
		c, err := r.chunkWith(ctx, seq)
		if err != nil {
			return nil, err
		}
		before := c.first - 1
		for k := sort.SearchInts(c.steps, int(seq-before)); k < len(c.steps); k++ {
			end := before + int64(c.steps[k])
			if end > to {
				break
			}
			ends = append(ends, end)
		}
		seq = c.first + int64(len(c.records))
	}
	return ends, nil
}
