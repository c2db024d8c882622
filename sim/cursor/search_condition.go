package cursor

import (
	"context"
	"slices"
	"strings"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// condition is a function that returns the matches of a search condition in chunk k of a run, in order of
// seq.
type condition func(ctx context.Context, k int) ([]match, error)

// wholeTicks reports whether all events of a tick are needed to evaluate the condition.
func (w Condition) wholeTicks() bool {
	return w == ConditionSlot || w == ConditionCost || w == ConditionDiffer
}

// conditionOf returns the condition described by w, or a *scenario.InputError if w is invalid.
func conditionOf(r *sim.Run, w Query) (condition, error) {
	if w.Condition == 0 || int(w.Condition) >= len(conditionNames) {
		return nil, scenario.Fault("what", "the condition is missing; expected one of %s", strings.Join(conditionNames[1:], ", "))
	}
	if w.Over < 0 {
		return nil, scenario.Fault("over", "%d is not 0 or more", w.Over)
	}
	switch w.Condition {
	case ConditionTimer:
		return timerCondition(r, w)
	case ConditionSlot:
		return func(ctx context.Context, k int) ([]match, error) { return slotMatches(ctx, r, k, w) }, nil
	case ConditionCost:
		return scanned(r, func(ctx context.Context, c *sim.Chunk) ([]match, error) { return costly(ctx, r, c, w) }), nil
	case ConditionDiffer:
		if n := len(r.Program().Scenario.Lanes); n < 2 {
			return nil, scenario.Fault("what", "differ compares lanes; this scenario has %d", n)
		}
		return scanned(r, func(_ context.Context, c *sim.Chunk) ([]match, error) {
			return differing(c, len(r.Program().Scenario.Lanes)), nil
		}), nil
	}
	kind := eventOf[w.Condition]
	return stepsWith(r, func(rec *engine.Record) bool { return rec.Kind == kind && w.covers(rec.Lane) }), nil
}

// eventOf maps conditions that depend on the kind of an event alone to that kind.
var eventOf = map[Condition]wheel.Kind{
	ConditionExpire: wheel.KindExpire, ConditionCascade: wheel.KindCascade, ConditionReject: wheel.KindReject, ConditionFinding: wheel.KindFinding,
}

// covers reports whether the query includes the given lane.
func (w *Query) covers(lane uint16) bool { return w.Lane < 0 || w.Lane == int(lane) }

// timerCondition returns a condition that matches the events of all timers with the name w.Timer.
func timerCondition(r *sim.Run, w Query) (condition, error) {
	named, ok := r.Program().Named(w.Timer)
	if !ok {
		return nil, scenario.Fault("timer", "no timer of this scenario is called %q", w.Timer)
	}
	return stepsWith(r, func(rec *engine.Record) bool {
		return named(rec.ID) && w.covers(rec.Lane)
	}), nil
}

// scanned returns a condition that reads a chunk of run r and returns the matches that list finds in it.
func scanned(r *sim.Run, list func(context.Context, *sim.Chunk) ([]match, error)) condition {
	return func(ctx context.Context, k int) ([]match, error) {
		c, err := r.ScanChunk(ctx, k)
		if err != nil {
			return nil, err
		}
		return list(ctx, c)
	}
}

// stepsWith returns a condition that matches the events for which holds returns true.
func stepsWith(r *sim.Run, holds func(*engine.Record) bool) condition {
	return scanned(r, func(_ context.Context, c *sim.Chunk) ([]match, error) {
		var list []match
		for i := range c.Records {
			if holds(&c.Records[i]) {
				list = append(list, matchOf(c, i))
			}
		}
		return list, nil
	})
}

// matchOf returns the match of record i of chunk c. Its position is the end of the record's step.
func matchOf(c *sim.Chunk, i int) match {
	m := match{tick: c.Records[i].Tick, seq: c.First + int64(i)}
	if k, _ := slices.BinarySearch(c.Steps, i+1); k < len(c.Steps) {
		m.at = goal{tick: -1, seq: c.First - 1 + int64(c.Steps[k])}
	} else {
		m.open = c
	}
	return m
}

// eachTick calls f for each tick of chunk c that has records, with these records.
func eachTick(c *sim.Chunk, f func(tick int64, recs []engine.Record)) {
	for from := 0; from < len(c.Records); {
		to := from + 1
		for to < len(c.Records) && c.Records[to].Tick == c.Records[from].Tick {
			to++
		}
		f(c.Records[from].Tick, c.Records[from:to])
		from = to
	}
}

// costly returns a match for each tick of chunk c that has events and in which the cost of any lane
// exceeds the threshold of query w.
func costly(ctx context.Context, r *sim.Run, c *sim.Chunk, w Query) (list []match, err error) {
	var e *engine.Engine // for a chunk with too many ticks to keep their costs
	eachTick(c, func(tick int64, _ []engine.Record) {
		row, ok := c.Costs.At(tick)
		if !ok && err == nil {
			if e == nil {
				e, err = r.EngineAt(ctx, c.Costs.First-1)
			}
			if err == nil {
				row, err = e.CostsOf(tick)
			}
		}
		if err == nil && w.exceeded(row) {
			list = append(list, match{tick: tick, at: goal{tick: tick}})
		}
	})
	if e != nil {
		r.Leave(e)
	}
	return list, err
}

// exceeded reports whether the cost of a tick exceeds w.Over in any lane that w covers. row contains the
// costs of the lanes at the end of the tick.
func (w *Query) exceeded(row []engine.LaneCost) bool {
	for lane := range row {
		if w.covers(uint16(lane)) && row[lane].Tick > w.Over {
			return true
		}
	}
	return false
}

// differing returns a match for each tick of chunk c in which the lanes did not fire and reject the same
// timers. The order of the timers within the tick does not matter.
func differing(c *sim.Chunk, lanes int) []match {
	var list []match
	outcomes := make([][]engine.Outcome, lanes)
	eachTick(c, func(tick int64, recs []engine.Record) {
		for i := range outcomes {
			outcomes[i] = outcomes[i][:0]
		}
		for i := range recs {
			if o, ok := engine.OutcomeOf(&recs[i]); ok {
				outcomes[recs[i].Lane] = append(outcomes[recs[i].Lane], o)
			}
		}
		if !engine.AllAlike(outcomes) {
			list = append(list, match{tick: tick, at: goal{tick: tick}})
		}
	})
	return list
}
