package locate

import (
	"context"
	"net/url"
	"strconv"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// Position is a position in a run, as given in a URL.
type Position struct {
	Tick, Seq int64 // tick, and number of the last event before the position; negative means not given
}

// Start is the position before the first event, which a URL without a position selects.
var Start = Position{-1, -1}

// Parse returns the position given by the "t" and "seq" parameters in q, the query of a URL.
func Parse(q url.Values) (Position, error) {
	at := Start
	for _, f := range [...]struct {
		name string
		to   *int64
	}{{"t", &at.Tick}, {"seq", &at.Seq}} {
		text := q.Get(f.name)
		if text == "" {
			continue
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return Start, usererr.New(f.name, "%q is not a whole number, 0 or more", usererr.Clip(text))
		}
		*f.to = n
	}
	return at, nil
}

// Resolve converts p to a position to which a session can seek. Such a position does not have both a Tick and a Seq. If
// p has both, the result has only one of them:
//
//   - only Tick, which selects the end of that tick, if event Seq is the last event up to the end of Tick;
//   - only Seq in all other cases, and also if Tick and Seq are both 0.
//
// If p does not have both, Resolve returns p. It first waits until the run is computed up to the position. It returns
// an error if the position is after the end of the run.
func (p Position) Resolve(ctx context.Context, run *sim.Run) (Position, error) {
	if until := run.Program().Until; p.Tick > until {
		return p, usererr.New("t", "%d is past the end of the scenario at tick %d", p.Tick, until)
	}
	if p.Seq < 0 {
		return p, run.Wait(ctx, p.Tick)
	}
	if _, err := run.TickOf(ctx, p.Seq); err != nil {
		return p, err
	}
	if p.Tick >= 0 {
		last, err := run.SeqAt(ctx, p.Tick)
		if err != nil {
			return p, err
		}
		if last == p.Seq && p.Tick+p.Seq > 0 {
			return Position{p.Tick, -1}, nil
		}
	}
	return Position{-1, p.Seq}, nil
}

// Snapshot returns the state of run at p, with the first n timers of each place. p must be a result of Resolve.
func (p Position) Snapshot(ctx context.Context, run *sim.Run, n int) (*engine.Snapshot, error) {
	if p.Tick >= 0 {
		return run.Seek(ctx, p.Tick, n)
	}
	return run.SeekSeq(ctx, max(p.Seq, 0), n)
}

// stepUnknown is returned instead of a step number if the steps of a run are not numbered, because the run is
// not computed to its end or has too many steps.
const stepUnknown = -1

// StepNumber returns the number of the step that contains event seq, counting from 1, and the number of
// steps of run. step is 0 if seq is 0. Both are stepUnknown if the steps of run are not numbered.
func StepNumber(ctx context.Context, run *sim.Run, seq int64) (step, steps int64) {
	if step, steps, ok := cursor.StepNumber(ctx, run, seq); ok {
		return step, steps
	}
	return stepUnknown, stepUnknown
}
