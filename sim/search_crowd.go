package sim

import "context"

// crowded lists the steps in which a slot comes to contain more than Over timers.
func (r *Run) crowded(ctx context.Context, k int, w Sought) ([]match, error) {
	r.mu.Lock()
	from := r.borders[k].tick
	r.mu.Unlock()
	e, err := r.engineAt(ctx, from)
	if err != nil {
		return nil, err
	}
	lanes := make([]SlotCounts, len(e.lanes))
	for i, l := range e.lanes {
		s := l.snapshot(0)
		lanes[i] = NewSlotCounts(&s.State, false)
	}
	r.leave(e) // warm where the chunk begins: it is made from there
	c, err := r.scan(ctx, k)
	if err != nil {
		return nil, err
	}
	var list []match
	for i := range c.records {
		rec := &c.records[i]
		if w.covers(rec.Lane) && int64(lanes[rec.Lane].Fold(&rec.Event)) == w.Over+1 {
			list = append(list, c.match(i))
		}
	}
	return list, nil
}
