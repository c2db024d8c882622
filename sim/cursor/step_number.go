package sim

import (
	"context"
	"slices"
)

// StepChunksMax is the maximum number of chunks of a run whose steps are numbered. Numbering the
// steps of a longer run would take too long, since it replays the whole run.
const StepChunksMax = 8

// StepNumber returns the number of the step that contains event seq, counted from 1 (0 if seq is
// 0), and the number of steps of the run. ok is false if the run is not completely computed or has
// more than StepChunksMax chunks.
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
