package sim

import (
	"context"
	"slices"
)

// StepChunksMax bounds the chunks of a run whose steps are numbered. Numbering the steps of a
// longer run would take a replay of all of it, for a number of little use.
const StepChunksMax = 8

// StepNumber returns the number of the step that holds event seq, counted from 1 (0 before the
// first event), and the number of steps of the run. It returns false if the run is not
// computed to its end or has more than StepChunksMax chunks.
func (r *Run) StepNumber(ctx context.Context, seq int64) (step, steps int64, ok bool) {
	r.mu.Lock()
	done, chunks := r.done, len(r.borders)-1
	r.mu.Unlock()
	if !done || chunks > StepChunksMax {
		return 0, 0, false
	}
	for k := range chunks {
		c, err := r.Chunk(ctx, k)
		if err != nil {
			return 0, 0, false
		}
		if n := min(seq-c.First+1, int64(len(c.Records))); n > 0 { // number of records of this chunk up to seq
			ended, _ := slices.BinarySearch(c.Steps, int(n)) // steps of this chunk before the one that holds seq
			step = steps + int64(ended) + 1
		}
		steps += int64(len(c.Steps))
	}
	return step, steps, true
}
