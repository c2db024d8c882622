package sim

// readAhead has the chunk behind the cursor made while the one before it plays, in turns of the store's
// queue like any other: a frame would wait for it, and that takes long if many others compute.
func (r *Runner) readAhead() {
	if !r.steady() || r.reading.Load() {
		return
	}
	k, missing := r.run.missingAfter(r.cursor.Seq)
	if !missing {
		return
	}
	r.reading.Store(true)
	go func(run *Run) {
		defer r.reading.Store(false)
		_, _ = run.chunk(r.base, k) // an error comes again when the chunk is needed
	}(r.run)
}
