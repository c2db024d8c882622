package cursor

import "github.com/wheelscope/wheelscope/sim"

// readAhead starts to compute the chunk after that of the cursor on another goroutine, so that playback
// does not have to wait for it. With many sessions computing, that can take a long time.
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
