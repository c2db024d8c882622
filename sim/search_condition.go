package sim

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/wheelscope/wheelscope/wheel"
)

// condition lists where it comes true in chunk number k of its run, in order.
type condition func(ctx context.Context, k int) ([]match, error)

// condition makes the test for what is sought, or says what is wrong with it.
func (r *Run) condition(w Sought) (condition, error) {
	if w.What == 0 || int(w.What) >= len(whatNames) {
		return nil, fault("what", "nothing to look for; expected one of %s", whatList())
	}
	if w.Over < 0 {
		return nil, fault("over", "%d is not 0 or more", w.Over)
	}
	switch w.What {
	case WhatTimer:
		return r.timerCondition(w)
	case WhatSlot:
		return func(ctx context.Context, k int) ([]match, error) { return r.crowded(ctx, k, w) }, nil
	case WhatCost:
		return r.inChunks(func(ctx context.Context, c *chunk) ([]match, error) { return r.costly(ctx, c, w) }), nil
	case WhatDiffer:
		if n := len(r.prog.Scenario.Lanes); n < 2 {
			return nil, fault("what", "differ compares lanes; this scenario has %d", n)
		}
		return r.inChunks(func(_ context.Context, c *chunk) ([]match, error) {
			return differing(c, len(r.prog.Scenario.Lanes)), nil
		}), nil
	}
	kind := eventOf[w.What]
	return r.stepsWith(func(rec *Record) bool { return rec.Kind == kind && w.covers(rec.Lane) }), nil
}

func whatList() string { return strings.Join(whatNames[1:], ", ") }

// eventOf is the kind of event that a search for it looks for.
var eventOf = map[What]wheel.Kind{
	WhatExpire: wheel.KindExpire, WhatCascade: wheel.KindCascade, WhatReject: wheel.KindReject, WhatFinding: wheel.KindFinding,
}

// covers says whether a lane counts.
func (w *Sought) covers(lane uint16) bool { return w.Lane < 0 || w.Lane == int(lane) }

// timerCondition looks for events of all timers of a name.
func (r *Run) timerCondition(w Sought) (condition, error) {
	name, ok := r.prog.names.lookup(w.Timer)
	if !ok {
		return nil, fault("timer", "no timer of this scenario is called %q", w.Timer)
	}
	ids := r.prog.ids
	return r.stepsWith(func(rec *Record) bool {
		return rec.ID > 0 && ids[rec.ID-1] == name && w.covers(rec.Lane)
	}), nil
}

// stepsWith lists the steps that hold an event; the cursor stands at their ends.
func (r *Run) stepsWith(holds func(*Record) bool) condition {
	return r.inChunks(func(_ context.Context, c *chunk) ([]match, error) {
		var list []match
		for i := range c.records {
			if holds(&c.records[i]) {
				list = append(list, c.match(i))
			}
		}
		return list, nil
	})
}

// inChunks makes a condition of one that needs the chunk only.
func (r *Run) inChunks(matches func(context.Context, *chunk) ([]match, error)) condition {
	return func(ctx context.Context, k int) ([]match, error) {
		c, err := r.scan(ctx, k)
		if err != nil {
			return nil, err
		}
		return matches(ctx, c)
	}
}

// match is the place of record i: the end of its step.
func (c *chunk) match(i int) match {
	k, _ := slices.BinarySearch(c.steps, i+1)
	before := c.first - 1
	return match{c.records[i].Tick, before + int64(i) + 1, goal{tick: -1, seq: before + int64(c.steps[k])}}
}

// ticks calls f with the records of every tick of a chunk that has some.
func (c *chunk) ticks(f func(tick int64, recs []Record)) {
	for from := 0; from < len(c.records); {
		to := from + 1
		for to < len(c.records) && c.records[to].Tick == c.records[from].Tick {
			to++
		}
		f(c.records[from].Tick, c.records[from:to])
		from = to
	}
}

// costly lists the ticks at which something happens and a lane spends more than
// Over.
func (r *Run) costly(ctx context.Context, c *chunk, w Sought) (list []match, err error) {
	var e *Engine // for a chunk of too many ticks to keep their costs
	c.ticks(func(tick int64, _ []Record) {
		row, ok := c.costs.at(tick)
		if !ok {
			if e == nil && err == nil {
				e, err = r.engineAt(ctx, c.costs.first-1)
			}
			if err != nil {
				return
			}
			row = e.costsOf(tick)
		}
		for lane := range row {
			if w.covers(uint16(lane)) && row[lane].Tick > w.Over {
				list = append(list, match{tick: tick, at: goal{tick: tick}})
				return
			}
		}
	})
	if e != nil {
		err = e.Err()
		r.leave(e)
	}
	return list, err
}

// costsOf runs the engine to the end of a tick and gives the lanes' costs there.
func (e *Engine) costsOf(tick int64) []LaneCost {
	e.runTo(tick - 1)
	for _, l := range e.lanes {
		l.finishTick(tick)
	}
	return e.costs()
}

// outcome is an expiry or a refusal as lanes are compared by it.
type outcome struct {
	kind    wheel.Kind
	id, run uint32
}

func (o outcome) compare(p outcome) int {
	return cmp.Or(cmp.Compare(o.kind, p.kind), cmp.Compare(o.id, p.id), cmp.Compare(o.run, p.run))
}

// differing lists the ticks in which the lanes did not fire and refuse the same
// timers. In which order they did within the tick does not count.
func differing(c *chunk, lanes int) []match {
	var list []match
	told := make([][]outcome, lanes)
	c.ticks(func(tick int64, recs []Record) {
		for i := range told {
			told[i] = told[i][:0]
		}
		for i := range recs {
			if r := &recs[i]; r.Kind == wheel.KindExpire || r.Kind == wheel.KindReject {
				told[r.Lane] = append(told[r.Lane], outcome{r.Kind, r.ID, r.Run})
			}
		}
		if !allAlike(told) {
			list = append(list, match{tick: tick, at: goal{tick: tick}})
		}
	})
	return list
}

func allAlike(told [][]outcome) bool {
	for i := range told {
		if len(told[i]) != len(told[0]) {
			return false
		}
	}
	for i := range told {
		slices.SortFunc(told[i], outcome.compare)
	}
	for i := 1; i < len(told); i++ {
		if !slices.Equal(told[i], told[0]) {
			return false
		}
	}
	return true
}
