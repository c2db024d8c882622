package player

import (
	"context"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel"
)

// laneCosts holds the costs of a lane at each stop. A stop is a tick at which the cursor can be placed. If
// every tick is a stop, Total is absent, because it can be computed from Tick. Worst is a flat list with
// three numbers for each change of the highest cost of a tick, and Lag is a flat list with two numbers for
// each change of the lag.
type laneCosts struct {
	Tick  []int64 `json:"tick"`            // for each stop, the cost of the tick
	Total []int64 `json:"total,omitempty"` // for each stop, the cost since the previous one, including ticks in between
	Worst []int64 `json:"worst"`           // for each change of the highest cost: index in Tick, cost, tick with that cost
	Lag   []int64 `json:"lag"`             // for each change of the lag: index in Tick, ticks by which the clock is behind
}

// source provides the events, states and costs from which a score is made. It takes them from an engine that
// computes the run, or from a recorded trace.
type source interface {
	Next() (tick int64, ok bool)                        // next tick that may have events
	At() int64                                          // tick passed to the last call of Tick; -1 before the first call
	Tick(t int64, recs []engine.Record) []engine.Record // advances to the end of tick t and appends its events to recs
	StepEnds() []int                                    // for each step of the tick At(), the number of events up to the end of the step
	Cost(lane int) engine.LaneCost                      // cost of a lane up to the end of tick At()
	Waiting(lane int) int                               // number of pending timers of a lane
	Snapshot(most int) *engine.Snapshot                 // state of all lanes, with up to most timers per place
	Err() error                                         // error that ended the source, or nil
}

var (
	_ source = computed{}
	_ source = (*compare.Recorded)(nil)
)

// computed is the source whose events come from an engine, which computes them as the source advances.
type computed struct{ *engine.Engine }

func (c computed) StepEnds() []int               { return c.Marks }
func (c computed) Cost(lane int) engine.LaneCost { return c.Lane(lane).Cost() }
func (c computed) Waiting(lane int) int          { return c.Lane(lane).Waiting() }

// recorder advances a source and collects the data of a score, which a page needs in addition to the trace.
type recorder struct {
	*score
	p     *program.Program
	e     source
	every bool               // whether the cursor can stop at every tick
	stop  int64              // last tick that noteStop recorded; -1 means none
	last  []engine.LaneCost  // costs of the lanes at tick stop, indexed by lane
	busy  int64              // last tick with events
	recs  []engine.Record    // events of the current tick
	since int64              // number of events since the last frame
	work  *protocol.CostRuns // costs of the ticks for the entry view; nil means none are collected
}

// lookEvents is the number of events, or of ticks without events, after which the recorder checks the
// context.
const lookEvents = 1 << 12

// run advances the source to the end of the run and records its events, costs and states in the score.
func (r *recorder) run(ctx context.Context) error {
	r.Costs = make([]laneCosts, len(r.Lanes))
	snap := r.e.Snapshot(wheel.AllEntries)
	for i := range snap.Lanes {
		r.last = append(r.last, snap.Lanes[i].Cost)
		r.Costs[i] = laneCosts{Tick: []int64{}, Worst: []int64{0, 0, 0}, Lag: []int64{}}
	}
	r.Frames = append(r.Frames, frameOf(r.p, snap))
	for t, ok := r.e.Next(); ok; t, ok = r.e.Next() {
		if err := r.idle(ctx, t-1); err != nil {
			return err
		}
		if err := r.tick(ctx, t); err != nil {
			return err
		}
	}
	return r.idle(ctx, r.p.Until)
}

// idle advances the source to the end of tick t and records the costs of the lanes. The caller must ensure that
// there are no more events up to tick t. If r.every is set, the cursor can stop at each of the ticks up to t, and
// otherwise only at t.
func (r *recorder) idle(ctx context.Context, t int64) error {
	from := t
	if r.every {
		from = r.e.At() + 1
	}
	for at := from; at <= t && at > r.stop; at++ {
		if at%lookEvents == 0 {
			if err := fairqueue.Pace(ctx); err != nil {
				return err
			}
		}
		r.recs = r.e.Tick(at, r.recs[:0])
		if err := r.e.Err(); err != nil {
			return err
		}
		r.noteStop(at)
	}
	return nil
}

// tick advances the source to tick t, which may have events, and records the events and steps of the tick,
// its costs and, if a frame is due, the state.
func (r *recorder) tick(ctx context.Context, t int64) error {
	if err := fairqueue.Pace(ctx); err != nil {
		return err
	}
	r.recs = r.e.Tick(t, r.recs[:0])
	if err := r.e.Err(); err != nil {
		return err
	}
	if n := int64(len(r.recs)); n > 0 {
		r.Ticks = append(r.Ticks, t-r.busy)
		r.Counts = append(r.Counts, n)
		r.busy = t
	}
	from := 0
	for _, mark := range r.e.StepEnds() {
		r.Steps = append(r.Steps, int64(mark-from))
		from = mark
	}
	if err := r.noteRecords(ctx); err != nil {
		return err
	}
	r.noteStop(t)
	r.noteFrame()
	return nil
}

// noteRecords records the cost of each event in recs. For each miss, an operation that found no timer, it
// also records the ID of the timer.
func (r *recorder) noteRecords(ctx context.Context) error {
	spent := make([]int64, len(r.last))
	for i := range r.last {
		spent[i] = r.last[i].Total
	}
	for k := range r.recs {
		if k%lookEvents == 0 {
			if err := fairqueue.Pace(ctx); err != nil {
				return err
			}
		}
		rec := &r.recs[k]
		if r.Events++; r.Events > EventsMax {
			return errTooLong(r.Events)
		}
		r.Spent = append(r.Spent, rec.Cost-spent[rec.Lane])
		spent[rec.Lane] = rec.Cost
		if rec.Kind == wheel.KindMiss {
			r.Missed = append(r.Missed, r.Events, int64(rec.ID))
		}
	}
	return nil
}

// noteStop records the costs of the lanes at the end of tick t, at which the cursor can then stop.
func (r *recorder) noteStop(t int64) {
	at := int64(len(r.Costs[0].Tick))
	if !r.every {
		r.Stops = append(r.Stops, t-max(r.stop, 0))
	}
	for i := range r.Costs {
		c, now := &r.Costs[i], r.e.Cost(i)
		c.Tick = append(c.Tick, now.Tick)
		if !r.every {
			c.Total = append(c.Total, now.Total-r.last[i].Total)
		}
		if now.Worst != r.last[i].Worst {
			c.Worst = append(c.Worst, at, now.Worst, now.WorstAt)
		}
		if lag := t - now.Clock; len(c.Lag) == 0 || lag != c.Lag[len(c.Lag)-1] {
			c.Lag = append(c.Lag, at, lag)
		}
		r.last[i] = now
	}
	if r.work != nil {
		r.work.Add(t, r.last)
	}
	r.stop = t
}

// noteFrame adds a frame with the state of all lanes, but only if there have been enough events since the
// last frame: at least frameEvents, and at least twice the number of pending timers. All frames together are
// therefore smaller than the trace.
func (r *recorder) noteFrame() {
	r.since += int64(len(r.recs))
	waiting := int64(0)
	for i := range r.Lanes {
		waiting += int64(r.e.Waiting(i))
	}
	if r.since < max(frameEvents, 2*waiting) {
		return
	}
	r.since = 0
	r.Frames = append(r.Frames, frameOf(r.p, r.e.Snapshot(wheel.AllEntries)))
}
