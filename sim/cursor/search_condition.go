package cursor

import (
	"context"
	"strings"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// condition is a function that returns the matches of a search in chunk k of a run, in the order of the run.
type condition func(ctx context.Context, k int) ([]match, error)

// conditionOf returns the function that finds the matches of query q in a chunk, or a *scenario.InputError if q is
// invalid.
func conditionOf(r *sim.Run, q Query) (condition, error) {
	if q.Condition == 0 || int(q.Condition) >= len(conditionNames) {
		return nil, scenario.Fault("what", "the condition is missing; expected one of %s", strings.Join(conditionNames[1:], ", "))
	}
	if q.Over < 0 {
		return nil, scenario.Fault("over", "%d is not 0 or more", q.Over)
	}
	switch q.Condition {
	case ConditionTimer:
		return timerCondition(r, q)
	case ConditionSlot:
		return func(ctx context.Context, k int) ([]match, error) { return slotMatches(ctx, r, k, q) }, nil
	case ConditionCost:
		return scanned(r, func(c *sim.Chunk) []match { return costly(c, q) }), nil
	case ConditionDiffer:
		if n := len(r.Program().Scenario.Lanes); n < 2 {
			return nil, scenario.Fault("what", "differ compares lanes; this scenario has %d", n)
		}
		return scanned(r, func(c *sim.Chunk) []match { return differing(c, len(r.Program().Scenario.Lanes)) }), nil
	}
	kind := eventOf[q.Condition]
	return stepsWith(r, func(rec *engine.Record) bool { return rec.Kind == kind && q.covers(rec.Lane) }), nil
}

// eventOf maps the conditions that depend only on the kind of an event to that kind.
var eventOf = map[Condition]wheel.Kind{
	ConditionExpire: wheel.KindExpire, ConditionCascade: wheel.KindCascade, ConditionReject: wheel.KindReject, ConditionFinding: wheel.KindFinding,
}

// covers reports whether the query applies to the given lane.
func (q *Query) covers(lane uint16) bool { return q.Lane < 0 || q.Lane == int(lane) }

// timerCondition returns a condition that matches the events of all timers named q.Timer.
func timerCondition(r *sim.Run, q Query) (condition, error) {
	named, ok := r.Program().Named(q.Timer)
	if !ok {
		return nil, scenario.Fault("timer", "no timer of this scenario is called %q", q.Timer)
	}
	return stepsWith(r, func(rec *engine.Record) bool {
		return named(rec.ID) && q.covers(rec.Lane)
	}), nil
}

// scanned returns a condition that reads a chunk of run r and returns the matches that find returns for that chunk.
func scanned(r *sim.Run, find func(*sim.Chunk) []match) condition {
	return func(ctx context.Context, k int) ([]match, error) {
		c, err := r.ScanChunk(ctx, k)
		if err != nil {
			return nil, err
		}
		return find(c), nil
	}
}

// stepsWith returns a condition that matches each event for which f returns true. The position of the match is the end
// of the event's step.
func stepsWith(r *sim.Run, f func(*engine.Record) bool) condition {
	return scanned(r, func(c *sim.Chunk) []match {
		var list []match
		for i := range c.Records {
			if f(&c.Records[i]) {
				list = append(list, matchOf(c, i))
			}
		}
		return list
	})
}

// matchOf returns record i of chunk c as a match whose position is the end of the record's step.
func matchOf(c *sim.Chunk, i int) match {
	seq := c.First + int64(i)
	_, end := c.Step(seq)
	return match{tick: c.Records[i].Tick, seq: seq, at: sim.After(end)}
}

// eachTick calls f for each tick of chunk c that has records. recs are the records of the tick.
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
// exceeds the threshold of query q.
func costly(c *sim.Chunk, q Query) (list []match) {
	eachTick(c, func(tick int64, _ []engine.Record) {
		if row, _ := c.CostsOf(tick); q.exceeded(row) {
			list = append(list, match{tick: tick, at: sim.EndOf(tick)})
		}
	})
	return list
}

// exceeded reports whether the cost of a tick exceeds q.Over in any lane to which q applies. row contains
// the costs of the lanes at the end of the tick.
func (q *Query) exceeded(row []engine.LaneCost) bool {
	for lane := range row {
		if q.covers(uint16(lane)) && row[lane].Tick > q.Over {
			return true
		}
	}
	return false
}

// differing returns a match for each tick of chunk c in which the lanes do not all fire and reject the same
// timers. The order of the timers does not matter. lanes is the number of lanes.
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
			list = append(list, match{tick: tick, at: sim.EndOf(tick)})
		}
	})
	return list
}
