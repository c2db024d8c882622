package sim

import (
	"context"
	"sort"
)

// StepEnds lists the events in (from, to] with which a step ends. The caller
// bounds the distance.
func (r *Run) StepEnds(ctx context.Context, from, to int64) ([]int64, error) {
	var ends []int64
	for seq := from + 1; seq <= to; {
		c, err := r.chunkWith(ctx, seq)
		if err != nil {
			return nil, err
		}
		before := c.first - 1
		for k := sort.SearchInts(c.steps, int(seq-before)); k < len(c.steps); k++ {
			end := before + int64(c.steps[k])
			if end > to {
				break
			}
			ends = append(ends, end)
		}
		seq = c.first + int64(len(c.records))
	}
	return ends, nil
}
