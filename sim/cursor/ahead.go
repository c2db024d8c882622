package cursor

import "github.com/wheelscope/wheelscope/sim"

// readAhead starts to compute the chunk after the one at the cursor, in a goroutine of its own. Playback at
// a steady pace then need not wait for the chunk, which can take long if many sessions are computing.
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
