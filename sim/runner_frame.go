package sim

import (
	"errors"
	"time"
)

// woken does what is due at now.
func (r *Runner) woken(now time.Time) {
	if r.wake.take(wakeGoal, now) {
		r.lookForGoal(now)
	}
	if r.wake.take(wakeSearch, now) && r.search != nil {
		if err := r.look(now); err != nil {
			r.fail(err)
		}
	}
	due := r.wake[wakeFrame]
	if r.wake.take(wakeFrame, now) && r.on {
		r.frame(now, due)
	}
	if r.wake.take(wakeRest, now) && !r.on && r.goal == nil {
		r.audience.Rested()
	}
	if r.wake.take(wakeProgress, now) {
		r.progress(now)
	}
	if r.wake.take(wakeReminder, now) {
		r.audience.Reminded()
	}
}

// progress tells how far the run is computed, and looks again later unless that
// is over.
func (r *Runner) progress(now time.Time) {
	if _, done := r.run.Computed(); !done && r.run.failed() == nil {
		r.wake.set(wakeProgress, now.Add(ProgressInterval))
	}
	r.audience.Progressed()
}

// failed is why the first pass ended before the end, nil if it has not.
func (r *Run) failed() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// frame moves the cursor to the tick that is due at now, or as near to it as a
// frame's work allows, and shows that. It was to be woken at `at`.
func (r *Runner) frame(now, at time.Time) {
	due := min(r.pace.due(now), r.run.Program().Until)
	moved, err := r.advance(due)
	if moved {
		r.readAhead()
		late := r.audience.Framed()
		r.rate.frame(now, late || now.Sub(at) > FrameInterval)
	}
	if r.short.retries(err, now, memoryWaitMax) {
		r.pace.anchor(now, r.shown()+1)
		r.wake.set(wakeFrame, now.Add(memoryRetry))
		return
	}
	if err != nil {
		r.fail(err)
		return
	}
	if r.atEnd() {
		r.Pause()
		return
	}
	shown := r.shown()
	if shown < due { // it could not keep up: what is lost is lost, and the next tick is due now
		r.pace.anchor(now, shown+1)
	}
	interval := r.rate.interval()
	interval -= min(now.Sub(at), interval/2) // or each frame would come later after the one before by as much as that was late
	after := max(interval, r.pace.next(now, shown))
	r.wake.set(wakeFrame, now.Add(after))
}

// shown is the last tick of which the cursor is behind every event.
func (r *Runner) shown() int64 {
	if r.cursor.Whole {
		return r.cursor.Tick
	}
	return r.cursor.Tick - 1
}

// advance moves the cursor forward to `to`, as far as the run is computed and
// the work of a frame allows, and tells the audience each stretch.
func (r *Runner) advance(to int64) (moved bool, err error) {
	computed, done := r.run.Computed()
	if !done {
		if err := r.run.failed(); err != nil && r.cursor.Whole && r.cursor.Tick >= computed && to > computed {
			return false, err // what comes is never computed
		}
		to = min(to, computed)
	}
	start := r.clock.Now()
	for range FramePiecesMax {
		if r.cursor.Tick > to || r.cursor.Tick == to && r.cursor.Whole {
			break
		}
		if err := r.piece(to); err != nil {
			return moved, err
		}
		moved = true
		if r.clock.Since(start) >= FrameWorkMax {
			break
		}
	}
	return moved, nil
}

// piece moves the cursor by one stretch: to `to`, or to an earlier tick where
// there is too much on the way.
func (r *Runner) piece(to int64) error {
	span := min(to-r.cursor.Tick, r.span)
	for {
		s, err := r.run.Stretch(r.ctx, r.cursor.Seq, r.cursor.Tick+span, StretchRecordsMax)
		if err == nil {
			if span == r.span && len(s.Records) < StretchRecordsMax/2 && span < spanMax {
				r.span *= 2
			}
			r.cursor = Cursor{Tick: s.Tick, Seq: s.To, Whole: true}
			r.audience.Moved(s)
			return nil
		}
		if !errors.Is(err, ErrTooMany) {
			return err
		}
		if span <= 1 { // a single tick with more than a stretch holds
			return r.jump(r.cursor.Tick + span)
		}
		span /= 2
		r.span = span
	}
}

// spanMax keeps a doubling span from overflowing.
const spanMax = 1 << 60

// jump puts the cursor after everything at tick without what happened on the
// way.
func (r *Runner) jump(tick int64) error {
	snap, err := r.run.Seek(r.ctx, tick, r.audience.Detail())
	if err != nil {
		return err
	}
	r.cursor = Cursor{Tick: snap.Tick, Seq: snap.Seq, Whole: true}
	r.audience.Stood(snap)
	return nil
}

// fail stops playing because of err.
func (r *Runner) fail(err error) {
	r.Pause()
	r.audience.Failed(err)
}
