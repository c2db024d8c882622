package sim

import (
	"context"
	"unsafe"
)

// costTicksMax bounds the ticks of a chunk whose costs are kept. A longer chunk
// has few events for its ticks, so its engine is small and asked instead.
const costTicksMax = 1 << 13

// costTable holds what every lane has spent at the end of each tick of a chunk.
// Frames of many sessions on one run ask for that all the time, each at a tick of
// its own, and an engine stands at one tick only.
type costTable struct {
	first int64 // tick of the first row
	lanes int
	rows  []LaneCost // a row of lanes a tick
}

// add appends the row of the engine's tick.
func (t *costTable) add(e *Engine) {
	for _, l := range e.lanes {
		t.rows = append(t.rows, l.Cost())
	}
}

// at gives the row of a tick; it must not be changed.
func (t *costTable) at(tick int64) ([]LaneCost, bool) {
	k := (tick - t.first) * int64(t.lanes)
	if k < 0 || k >= int64(len(t.rows)) {
		return nil, false
	}
	return t.rows[k : k+int64(t.lanes) : k+int64(t.lanes)], true
}

func (t *costTable) bytes() int64 { return int64(cap(t.rows)) * int64(unsafe.Sizeof(LaneCost{})) }

// replay runs the engine from border to border and keeps the records. Where the
// ticks are few enough it goes tick by tick and keeps the costs of each.
func (c *chunk) replay(e *Engine, from, to border) {
	dense := to.tick-from.tick <= costTicksMax
	c.costs = costTable{first: from.tick + 1, lanes: len(e.lanes)}
	if dense {
		c.costs.rows = make([]LaneCost, 0, (to.tick-from.tick)*int64(len(e.lanes)))
	}
	for at := from.tick; at < to.tick; {
		next, ok := e.Next()
		if !ok || next > to.tick {
			next = to.tick + 1
		}
		for at++; dense && at < next; at++ {
			for _, l := range e.lanes {
				l.finishTick(at)
			}
			c.costs.add(e)
		}
		if at = next; next > to.tick {
			break
		}
		c.tickOf(e, next)
		if dense {
			c.costs.add(e)
		}
	}
	for _, l := range e.lanes {
		l.idle(to.tick)
	}
}

// tickOf runs a busy tick and keeps its records and where its steps end.
func (c *chunk) tickOf(e *Engine, t int64) {
	had := len(c.records)
	c.records = e.Tick(t, c.records)
	for _, m := range e.Marks {
		c.steps = append(c.steps, had+m)
	}
}

// costsAfter gives what every lane has spent at the end of a tick (-1: before
// anything). The list must not be changed.
func (r *Run) costsAfter(ctx context.Context, tick int64) ([]LaneCost, error) {
	if tick < 0 {
		return r.start().costs(), nil
	}
	k, err := r.chunkOfTick(ctx, tick)
	if err != nil {
		return nil, err
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
	return e.costs(), nil
}
