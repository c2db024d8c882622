package api

import (
	"context"
	"net/url"
	"strconv"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
)

// Position returns the position given by the "t" and "seq" parameters in q, the query of a URL: the end of a tick, the
// position directly after an event, or both, of which [Resolve] selects one. Without them, it is the start of a run.
func Position(q url.Values) (sim.Position, error) {
	tick, seq := int64(-1), int64(-1)
	for _, f := range [...]struct {
		name string
		to   *int64
	}{{"t", &tick}, {"seq", &seq}} {
		text := q.Get(f.name)
		if text == "" {
			continue
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return sim.Start, texts.Errorf(texts.Invalid, f.name, "%q is not a whole number, 0 or more", texts.Clip(text))
		}
		*f.to = n
	}
	if seq < 0 {
		return sim.EndOf(tick), nil
	}
	return sim.Position{Tick: tick, Seq: seq}, nil
}

// Resolve returns the position of run that p selects, after it has waited until the run is computed up to there. If p
// has both a tick and an event, the result is the end of that tick if the event is the last one before it, and otherwise
// the position directly after the event. Resolve returns an error if the position is after the end of the run.
func Resolve(ctx context.Context, run *sim.Run, p sim.Position) (sim.Position, error) {
	if until := run.Program().Until; p.Tick > until {
		return p, texts.Errorf(texts.Invalid, "t", "%d is past the end of the scenario at tick %d", p.Tick, until)
	}
	if p.ByTick() {
		return p, run.Wait(ctx, p.Tick)
	}
	return run.Locate(ctx, p)
}
