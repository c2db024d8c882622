package cursor

import (
	"context"
	"slices"

	"github.com/wheelscope/wheelscope/sim"
)

// StepChunksMax is the maximum length, in chunks, of a run for which StepNumber returns a number.
// For a longer run, StepNumber would take too long, because it reads every chunk.
const StepChunksMax = 8

// StepNumber returns the number of the step that contains event seq of run r, and the number of steps of
// the run. Steps are numbered from 1; step is 0 if seq is 0. ok is false if the run is not completely
// computed, if it has more than StepChunksMax chunks, or if a chunk cannot be read.
func StepNumber(ctx context.Context, r *sim.Run, seq int64) (step, steps int64, ok bool) {
	borders, over, err := r.Borders()
	if !over || err != nil || len(borders)-1 > StepChunksMax {
		return 0, 0, false
	}
	for k := range len(borders) - 1 {
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
