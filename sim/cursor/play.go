package cursor

import "github.com/wheelscope/wheelscope/sim"

// Play starts playback. If the cursor is at the end of the run, Play first seeks to the beginning. If a
// seek is in progress, playback starts when the cursor has reached its destination.
func (r *Runner) Play() error {
	if r.atEnd() && r.goal == nil {
		if err := r.Seek(sim.Start); err != nil {
			return err
		}
	}
	r.stopSearch()
	if !r.on {
		r.on, r.short = true, shortage{}
		r.pace.anchor(r.clock.Now(), r.cursor.Tick)
	}
	r.wake.set(wakeFrame, r.clock.Now())
	r.wake.clear(wakeRest)
	r.reportPlayback()
	return nil
}

// Pause stops playback and ends a search that is in progress.
func (r *Runner) Pause() {
	r.stopSearch()
	if r.on {
		r.on = false
		r.wake.clear(wakeFrame)
		r.rest()
	}
	r.reportPlayback()
}

// SetRate sets the playback rate in base ticks per second; 0 means as fast as possible. It returns a
// *scenario.InputError if rate is neither 0 nor between RateMin and RateMax.
func (r *Runner) SetRate(rate float64) error {
	if err := checkRate(rate); err != nil {
		return err
	}
	r.pace.rate = rate
	r.pace.anchor(r.clock.Now(), r.cursor.Tick)
	if r.on {
		r.wake.set(wakeFrame, r.clock.Now())
	}
	r.reportPlayback()
	return nil
}

// atEnd reports whether the cursor is at the end of the run.
func (r *Runner) atEnd() bool { return r.cursor.Whole && r.cursor.Tick >= r.run.Program().Until }

func (r *Runner) reportPlayback() {
	if p := r.Playing(); p != r.reported {
		r.reported = p
		r.listener.OnPlayback(p)
	}
}

// rest makes the runner call Listener.OnIdle after RestDelay, unless the cursor moves before then.
func (r *Runner) rest() { r.wake.set(wakeRest, r.clock.Now().Add(RestDelay)) }
