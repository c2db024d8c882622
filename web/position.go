package web

import (
	"context"
	"net/url"
	"strconv"

	"github.com/wheelscope/wheelscope/sim"
)

// position is a position in a run as given in a URL.
type position struct {
	tick, seq int64 // negative: not given
}

// beforeAnything is the position of a page whose URL gives none.
var beforeAnything = position{-1, -1}

// readPosition parses the parameters t and seq of a URL.
func readPosition(q url.Values) (position, error) {
	at := beforeAnything
	for _, f := range [...]struct {
		name string
		to   *int64
	}{{"t", &at.tick}, {"seq", &at.seq}} {
		text := q.Get(f.name)
		if text == "" {
			continue
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return beforeAnything, refuse(f.name, "%q is not a whole number, 0 or more", clip(text))
		}
		*f.to = n
	}
	return at, nil
}

// locate returns the position to which a runner can seek, after waiting until the run is computed
// that far. If both tick and seq are given, and seq is the last event at that tick (or 0 at a tick
// before the first event), the result is the end of the tick; otherwise seq has precedence.
func (p position) locate(ctx context.Context, run *sim.Run) (position, error) {
	if until := run.Program().Until; p.tick > until {
		return p, refuse("t", "%d is past the end of the scenario at tick %d", p.tick, until)
	}
	if p.seq < 0 {
		return p, run.Wait(ctx, p.tick)
	}
	if _, err := run.TickOf(ctx, p.seq); err != nil {
		return p, err
	}
	if p.tick >= 0 {
		last, err := run.SeqAt(ctx, p.tick)
		if err != nil {
			return p, err
		}
		if last == p.seq && p.tick+p.seq > 0 {
			return position{p.tick, -1}, nil
		}
	}
	return position{-1, p.seq}, nil
}

// snapshot returns the state at a position returned by locate.
func (p position) snapshot(ctx context.Context, run *sim.Run, most int) (*sim.Snapshot, error) {
	if p.tick >= 0 {
		return run.Seek(ctx, p.tick, most)
	}
	return run.SeekSeq(ctx, max(p.seq, 0), most)
}

// stepUnknown is sent if a run's steps are not numbered: it is not computed to its end yet, or has
// too many steps.
const stepUnknown = -1

// stepsOf returns the number of the step of event seq and the number of steps.
func stepsOf(ctx context.Context, run *sim.Run, seq int64) (step, steps int64) {
	if step, steps, ok := run.StepNumber(ctx, seq); ok {
		return step, steps
	}
	return stepUnknown, stepUnknown
}
