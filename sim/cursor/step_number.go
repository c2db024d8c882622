package cursor

import (
	"context"
	"slices"

	"github.com/wheelscope/wheelscope/sim"
)

// StepChunksMax is the maximum number of chunks of a run whose steps are numbered. Numbering the
// steps of a longer run would take too long, since it replays the whole run.
const StepChunksMax = 8

// StepNumber returns the number of the step of run r that contains event seq, counted from 1, or 0 if seq
// is 0, and the number of steps of the run. ok is false if the run is not completely computed or has more
// than StepChunksMax chunks.
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
