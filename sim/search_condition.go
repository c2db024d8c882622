package sim

import (
	"context"
	"slices"
	"strings"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// condition returns the matches in chunk number k of its run, in order.
type condition func(ctx context.Context, k int) ([]match, error)

// wholeTicks reports whether the condition needs all events of a tick.
func (w What) wholeTicks() bool { return w == WhatSlot || w == WhatCost || w == WhatDiffer }

// condition returns the condition for w, or an *InputError if w is invalid.
func conditionOf(r *Run, w Sought) (condition, error) {
	if w.What == 0 || int(w.What) >= len(whatNames) {
		return nil, scenario.Fault("what", "nothing to look for; expected one of %s", whatList())
	}
	if w.Over < 0 {
		return nil, scenario.Fault("over", "%d is not 0 or more", w.Over)
	}
	switch w.What {
	case WhatTimer:
		return timerCondition(r, w)
	case WhatSlot:
		return func(ctx context.Context, k int) ([]match, error) { return crowded(ctx, r, k, w) }, nil
	case WhatCost:
		return scanned(r, func(ctx context.Context, c *chunk) ([]match, error) { return costly(ctx, r, c, w) }), nil
	case WhatDiffer:
		if n := len(r.Prog.Scenario.Lanes); n < 2 {
			return nil, scenario.Fault("what", "differ compares lanes; this scenario has %d", n)
		}
		return scanned(r, func(_ context.Context, c *chunk) ([]match, error) {
			return differing(c, len(r.Prog.Scenario.Lanes)), nil
		}), nil
	}
	kind := eventOf[w.What]
	return stepsWith(r, func(rec *engine.Record) bool { return rec.Kind == kind && w.covers(rec.Lane) }), nil
}

func whatList() string { return strings.Join(whatNames[1:], ", ") }

// eventOf maps conditions to the kind of event that meets them.
var eventOf = map[What]wheel.Kind{
	WhatExpire: wheel.KindExpire, WhatCascade: wheel.KindCascade, WhatReject: wheel.KindReject, WhatFinding: wheel.KindFinding,
}

// covers reports whether the condition applies to a lane.
func (w *Sought) covers(lane uint16) bool { return w.Lane < 0 || w.Lane == int(lane) }

// timerCondition returns a condition that matches the events of all timers of a name.
func timerCondition(r *Run, w Sought) (condition, error) {
	named, ok := r.Prog.Named(w.Timer)
	if !ok {
		return nil, scenario.Fault("timer", "no timer of this scenario is called %q", w.Timer)
	}
	return stepsWith(r, func(rec *engine.Record) bool {
		return named(rec.ID) && w.covers(rec.Lane)
	}), nil
}

// scanned returns a condition that is decided by a chunk's records.
func scanned(r *Run, list func(context.Context, *chunk) ([]match, error)) condition {
	return func(ctx context.Context, k int) ([]match, error) {
		c, err := scanChunk(ctx, r, k)
		if err != nil {
			return nil, err
		}
		return list(ctx, c)
	}
}

// stepsWith returns a condition that matches the events for which holds returns true.
func stepsWith(r *Run, holds func(*engine.Record) bool) condition {
	return scanned(r, func(_ context.Context, c *chunk) ([]match, error) {
		var list []match
		for i := range c.records {
			if holds(&c.records[i]) {
				list = append(list, matchOf(c, i))
			}
		}
		return list, nil
	})
}

// match returns the match of record i. Its position is the end of the record's step.
func matchOf(c *chunk, i int) match {
	m := match{tick: c.records[i].Tick, seq: c.first + int64(i)}
	if k, _ := slices.BinarySearch(c.steps, i+1); k < len(c.steps) {
		m.at = goal{tick: -1, seq: c.first - 1 + int64(c.steps[k])}
	} else {
		m.open = c
	}
	return m
}

// ticks calls f with the records of each tick that has some in the chunk.
func eachTick(c *chunk, f func(tick int64, recs []engine.Record)) {
	for from := 0; from < len(c.records); {
		to := from + 1
		for to < len(c.records) && c.records[to].Tick == c.records[from].Tick {
			to++
		}
		f(c.records[from].Tick, c.records[from:to])
		from = to
	}
}

// costly returns the ticks with events in which a lane spends more than Over.
func costly(ctx context.Context, r *Run, c *chunk, w Sought) (list []match, err error) {
	var e *engine.Engine // for a chunk with too many ticks to keep their costs
	eachTick(c, func(tick int64, _ []engine.Record) {
		row, ok := c.costs.at(tick)
		if !ok && err == nil {
			if e == nil {
				e, err = r.engineAt(ctx, c.costs.first-1)
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
		r.leave(e)
	}
	return list, err
}

// exceeded reports whether a covered lane has spent more than Over in the tick of row.
func (w *Sought) exceeded(row []engine.LaneCost) bool {
	for lane := range row {
		if w.covers(uint16(lane)) && row[lane].Tick > w.Over {
			return true
		}
	}
	return false
}

// differing returns the ticks in which the lanes did not fire and reject the same timers. The
// order within a tick does not matter.
func differing(c *chunk, lanes int) []match {
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
