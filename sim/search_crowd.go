package sim

import "context"

// crowded returns the steps in which a slot comes to contain more than Over timers.
func crowded(ctx context.Context, r *Run, k int, w Sought) ([]match, error) {
	from, _ := r.bordersOf(k)
	lanes, err := slotCounts(ctx, r, from.tick)
	if err != nil {
		return nil, err
	}
	c, err := scanChunk(ctx, r, k)
	if err != nil {
		return nil, err
	}
	return crowdedIn(c, lanes, w), nil
}

// slotCounts counts the timers in the slots of every lane at the end of a tick.
func slotCounts(ctx context.Context, r *Run, tick int64) ([]SlotCounts, error) {
	e, err := r.engineAt(ctx, tick)
	if err != nil {
		return nil, err
	}
	defer r.leave(e) // warm at the start of the chunk, which is made from there
	lanes := make([]SlotCounts, len(e.Lanes))
	for i, l := range e.Lanes {
		s := l.Snapshot(0)
		lanes[i] = NewSlotCounts(&s.State, false)
	}
	return lanes, nil
}

// crowded applies the records of a chunk to lanes, the counts at its start.
func crowdedIn(c *chunk, lanes []SlotCounts, w Sought) (list []match) {
	for i := range c.records {
		rec := &c.records[i]
		if w.covers(rec.Lane) && int64(lanes[rec.Lane].Fold(&rec.Event)) == w.Over+1 {
			list = append(list, matchOf(c, i))
		}
	}
	return list
}
