package sim

import (
	"context"
	"slices"
)

// StepChunksMax bounds the chunks of a run whose steps are numbered. In a longer
// run a step's number tells nobody anything, and to know it all would have to be
// replayed.
const StepChunksMax = 8

// StepNumber tells which step event seq belongs to, 1 for the first, and how many
// the run has; 0 before anything. It is false for a run that is not computed to
// its end yet or has more than StepChunksMax chunks.
func (r *Run) StepNumber(ctx context.Context, seq int64) (step, steps int64, ok bool) {
	r.mu.Lock()
	done, chunks := r.done, len(r.borders)-1
	r.mu.Unlock()
	if !done || chunks > StepChunksMax {
		return 0, 0, false
	}
	for k := range chunks {
		c, err := r.chunk(ctx, k)
		if err != nil {
			return 0, 0, false
		}
		if n := min(seq-c.first+1, int64(len(c.records))); n > 0 { // records of this chunk up to seq
			ended, _ := slices.BinarySearch(c.steps, int(n)) // before the last of them
			step = steps + int64(ended) + 1
		}
		steps += int64(len(c.steps))
	}
	return step, steps, true
}
