package cursor

import "github.com/wheelscope/wheelscope/sim"

// readAhead starts a goroutine that computes the chunk after the one at the cursor, if the runner plays at no
// more than steadyRate and the chunk is not cached. Playback then does not have to wait for that chunk, which could
// take long to compute when many sessions are active.
func (r *Runner) readAhead() {
	if !r.steady() || r.reading.Load() {
		return
	}
	k, missing := r.run.MissingAfter(r.cursor.Seq)
	if !missing {
		return
	}
	r.reading.Store(true)
	go func(run *sim.Run) {
		defer r.reading.Store(false)
		_, _ = run.Chunk(r.base, k) // an error is reported when the chunk is needed
	}(r.run)
}
