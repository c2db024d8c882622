package cursor

import (
	"context"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
)

// slotMatches returns a match for each event in chunk k of run r that makes the number of timers in a slot
// exceed q.Over.
func slotMatches(ctx context.Context, r *sim.Run, k int, q Query) ([]match, error) {
	from, _ := r.BordersOf(k)
	lanes, err := slotCounts(ctx, r, from.Tick)
	if err != nil {
		return nil, err
	}
	c, err := r.ScanChunk(ctx, k)
	if err != nil {
		return nil, err
	}
	var list []match
	for i := range c.Records {
		rec := &c.Records[i]
		if q.covers(rec.Lane) && int64(lanes[rec.Lane].Fold(&rec.Event)) == q.Over+1 {
			list = append(list, matchOf(c, i))
		}
	}
	return list, nil
}

// slotCounts returns the number of timers in each slot at the end of tick, indexed by lane.
func slotCounts(ctx context.Context, r *sim.Run, tick int64) ([]engine.SlotCounts, error) {
	e, err := r.EngineAt(ctx, tick)
	if err != nil {
		return nil, err
	}
	defer r.Leave(e) // warm at the start of the chunk, which is made from there
	lanes := make([]engine.SlotCounts, len(e.Lanes))
	for i, l := range e.Lanes {
		s := l.Snapshot(0)
		lanes[i].Reset(&s.State, false)
	}
	return lanes, nil
}
