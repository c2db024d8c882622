package sim

import (
	"context"
	"unsafe"

	"github.com/wheelscope/wheelscope/sim/engine"
)

// costTicksMax is the maximum number of ticks of a chunk that stores the costs of each tick. A chunk with
// more ticks has few events per tick, so an engine can quickly recompute the costs.
const costTicksMax = 1 << 13

// costTable contains the costs of each lane at the end of each tick of a chunk. Without the table, each
// session would need an engine of its own to compute the costs at its tick.
type costTable struct {
	First int64             // tick of the first row
	lanes int               // number of lanes
	rows  []engine.LaneCost // costs in rows, one row per tick with one element per lane; nil if the costs are not stored
}

// add appends a row with the current costs of e's lanes.
func (t *costTable) add(e *engine.Engine) {
	for _, l := range e.Lanes {
		t.rows = append(t.rows, l.Cost())
	}
}

// At returns the costs of the lanes at the end of tick, or false if the table does not contain them. The
// caller must not change the slice.
func (t *costTable) At(tick int64) ([]engine.LaneCost, bool) {
	k := (tick - t.First) * int64(t.lanes)
	if k < 0 || k >= int64(len(t.rows)) {
		return nil, false
	}
	return t.rows[k : k+int64(t.lanes) : k+int64(t.lanes)], true
}

func (t *costTable) bytes() int64 { return int64(cap(t.rows)) * laneCostBytes }

const laneCostBytes = int64(unsafe.Sizeof(engine.LaneCost{}))

// dense reports whether a chunk between the given borders has at most costTicksMax ticks. Such a chunk
// stores the costs of each tick.
func dense(from, to Border) bool { return to.Tick-from.Tick <= costTicksMax }

// newChunk returns an empty chunk for the events between two borders, for a run with the given number of lanes.
func newChunk(from, to Border, lanes int) *Chunk {
	c := &Chunk{First: from.Seq + 1, Records: make([]engine.Record, 0, to.Seq-from.Seq)}
	c.Costs = costTable{First: from.Tick + 1, lanes: lanes}
	if dense(from, to) {
		c.Costs.rows = make([]engine.LaneCost, 0, (to.Tick-from.Tick)*int64(lanes))
	}
	return c
}

// replay runs engine e up to the end of the given tick and stores the records in c. If c has a cost table,
// replay also stores the costs of each tick.
func (c *Chunk) replay(e *engine.Engine, to int64) error {
	dense := c.Costs.rows != nil
	for at := e.At(); at < to; {
		next, ok := e.Next()
		if !ok || next > to {
			next = to + 1
		}
		for at++; dense && at < next; at++ {
			if err := e.FinishTick(at); err != nil {
				return err
			}
			c.Costs.add(e)
		}
		if at = next; next > to {
			break
		}
		c.tickOf(e, next)
		if err := e.Err(); err != nil {
			return err
		}
		if dense {
			c.Costs.add(e)
		}
	}
	for _, l := range e.Lanes {
		l.Idle(to)
	}
	return e.Err()
}

// tickOf runs engine e through tick t, in which events occur, and appends the records and the ends of the steps to c.
func (c *Chunk) tickOf(e *engine.Engine, t int64) {
	had := len(c.Records)
	c.Records = e.Tick(t, c.Records)
	for _, m := range e.Marks {
		c.Steps = append(c.Steps, had+m)
	}
}

// CostsAfter returns the costs of the lanes at the end of tick, or before the first event if tick
// is -1. The caller must not change the slice.
func (r *Run) CostsAfter(ctx context.Context, tick int64) ([]engine.LaneCost, error) {
	if tick < 0 {
		return r.Start().Costs(), nil
	}
	k, err := r.ChunkOfTick(ctx, tick)
	if err != nil {
		return nil, err
	}
	c, err := r.Chunk(ctx, k)
	if err != nil {
		return nil, err
	}
	if row, ok := c.Costs.At(tick); ok {
		return row, nil
	}
	e, leave, err := r.engineAfter(ctx, tick)
	if err != nil {
		return nil, err
	}
	defer leave()
	return e.Costs(), nil
}
