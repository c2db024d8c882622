package sim

import (
	"context"
	"github.com/wheelscope/wheelscope/sim/engine"
	"unsafe"
)

// costTicksMax bounds the ticks of a chunk whose costs are kept. A longer chunk has few events
// for its ticks, so the costs are quickly recomputed by an engine instead.
const costTicksMax = 1 << 13

// costTable holds each lane's costs at the end of each tick of a chunk. Many sessions on one
// run ask for the costs of each frame, each at a different tick, and an engine is at one tick
// only.
type costTable struct {
	first int64 // tick of the first row
	lanes int
	rows  []engine.LaneCost // one LaneCost per lane for each tick
}

// add appends the row of the engine's tick.
func (t *costTable) add(e *engine.Engine) {
	for _, l := range e.Lanes {
		t.rows = append(t.rows, l.Cost())
	}
}

// at returns the costs at the end of a tick, which must not be changed, and false if the table
// does not have them.
func (t *costTable) at(tick int64) ([]engine.LaneCost, bool) {
	k := (tick - t.first) * int64(t.lanes)
	if k < 0 || k >= int64(len(t.rows)) {
		return nil, false
	}
	return t.rows[k : k+int64(t.lanes) : k+int64(t.lanes)], true
}

func (t *costTable) bytes() int64 { return int64(cap(t.rows)) * laneCostBytes }

const laneCostBytes = int64(unsafe.Sizeof(engine.LaneCost{}))

// replay runs the engine between two borders and keeps the records. If there are at most
// costTicksMax ticks, it also keeps the costs of each tick.
func (c *chunk) replay(e *engine.Engine, from, to border) error {
	dense := to.tick-from.tick <= costTicksMax
	c.costs = costTable{first: from.tick + 1, lanes: len(e.Lanes)}
	if dense {
		c.costs.rows = make([]engine.LaneCost, 0, (to.tick-from.tick)*int64(len(e.Lanes)))
	}
	for at := from.tick; at < to.tick; {
		next, ok := e.Next()
		if !ok || next > to.tick {
			next = to.tick + 1
		}
		for at++; dense && at < next; at++ {
			if err := e.FinishTick(at); err != nil {
				return err
			}
			c.costs.add(e)
		}
		if at = next; next > to.tick {
			break
		}
		c.tickOf(e, next)
		if err := e.Err(); err != nil {
			return err
		}
		if dense {
			c.costs.add(e)
		}
	}
	for _, l := range e.Lanes {
		l.Idle(to.tick)
	}
	return e.Err()
}

// tickOf runs a busy tick and keeps its records and the ends of its steps.
func (c *chunk) tickOf(e *engine.Engine, t int64) {
	had := len(c.records)
	c.records = e.Tick(t, c.records)
	for _, m := range e.Marks {
		c.steps = append(c.steps, had+m)
	}
}

// costsAfter returns each lane's costs at the end of a tick (-1: before the first event). The
// slice must not be changed.
func (r *Run) costsAfter(ctx context.Context, tick int64) ([]engine.LaneCost, error) {
	if tick < 0 {
		return r.Start().Costs(), nil
	}
	k, err := r.chunkOfTick(ctx, tick)
	if err != nil {
		return nil, err
	}
	if _, to := r.bordersOf(k); to.costs != nil && to.tick == tick {
		return to.costs, nil
	}
	c, err := r.chunk(ctx, k)
	if err != nil {
		return nil, err
	}
	if row, ok := c.costs.at(tick); ok {
		return row, nil
	}
	ctx, leave, err := r.store.queue.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	e, err := r.engineAfter(ctx, tick)
	if err != nil {
		return nil, err
	}
	defer r.leave(e)
	return e.Costs(), nil
}
