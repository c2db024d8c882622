package cursor

import (
	"context"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
)

// crowded returns the steps in which a slot comes to contain more than Over timers.
func crowded(ctx context.Context, r *sim.Run, k int, w Sought) ([]match, error) {
	from, _ := r.BordersOf(k)
	lanes, err := slotCounts(ctx, r, from.Tick)
	if err != nil {
		return nil, err
	}
	c, err := r.ScanChunk(ctx, k)
	if err != nil {
		return nil, err
	}
	return crowdedIn(c, lanes, w), nil
}

// slotCounts counts the timers in the slots of every lane at the end of a tick.
func slotCounts(ctx context.Context, r *sim.Run, tick int64) ([]engine.SlotCounts, error) {
	e, err := r.EngineAt(ctx, tick)
	if err != nil {
		return nil, err
	}
	defer r.Leave(e) // warm at the start of the chunk, which is made from there
	lanes := make([]engine.SlotCounts, len(e.Lanes))
	for i, l := range e.Lanes {
		s := l.Snapshot(0)
		lanes[i] = engine.NewSlotCounts(&s.State, false)
	}
	return lanes, nil
}

// crowded applies the records of a chunk to lanes, the counts at its start.
func crowdedIn(c *sim.Chunk, lanes []engine.SlotCounts, w Sought) (list []match) {
	for i := range c.Records {
		rec := &c.Records[i]
		if w.covers(rec.Lane) && int64(lanes[rec.Lane].Fold(&rec.Event)) == w.Over+1 {
			list = append(list, matchOf(c, i))
		}
	}
	return list
}
