package cursor

import (
	"errors"
	"time"

	"github.com/wheelscope/wheelscope/sim"
)

// woken does the work of every wake-up that is due at time now.
func (r *Runner) woken(now time.Time) {
	if r.wake.take(wakeGoal, now) {
		r.trySeek(now)
	}
	if r.wake.take(wakeSearch, now) && r.search != nil {
		if err := r.searchPart(now); err != nil {
			r.fail(err)
		}
	}
	due := r.wake[wakeFrame]
	if r.wake.take(wakeFrame, now) && r.on && r.goal == nil { // playback waits for a seek and continues at its destination
		r.frame(now, due)
	}
	if r.wake.take(wakeRest, now) && !r.on && r.goal == nil {
		r.listener.OnIdle()
	}
	if r.wake.take(wakeProgress, now) {
		r.progress(now)
	}
	if r.wake.take(wakeReminder, now) {
		r.listener.OnReminder()
	}
}

// progress calls Listener.OnProgress. Unless the first pass of the run has ended, it schedules the next call after
// ProgressInterval.
func (r *Runner) progress(now time.Time) {
	if _, done := r.run.Computed(); !done && r.run.Err() == nil {
		r.wake.set(wakeProgress, now.Add(ProgressInterval))
	}
	r.listener.OnProgress()
}

// frame computes one frame of playback: it moves the cursor to the tick that is due at time now, or as far as the
// limits of a frame permit. If the cursor has moved, it calls Listener.OnFrame. at is the time for which the frame
// was scheduled.
func (r *Runner) frame(now, at time.Time) {
	due := min(r.pace.due(now), r.run.Program().Until)
	moved, err := r.advance(due)
	if moved {
		r.readAhead()
		late := r.listener.OnFrame()
		r.rate.frame(now, late || now.Sub(at) > FrameInterval)
	}
	if r.short.retries(err, now, memoryWaitMax) {
		r.pace.anchor(now, r.shown()+1)
		r.wake.set(wakeFrame, now.Add(sim.MemoryRetry))
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
	if shown < due { // it is too slow: the missed time is not made up for, and the next tick is due now
		r.pace.anchor(now, shown+1)
	}
	interval := r.rate.interval()
	interval -= min(now.Sub(at), interval/2) // otherwise the delay of each frame would add to that of the next
	after := max(interval, r.pace.next(now, shown))
	r.wake.set(wakeFrame, now.Add(after))
}

// shown returns the last tick whose events all precede the cursor.
func (r *Runner) shown() int64 {
	if r.cursor.Whole {
		return r.cursor.Tick
	}
	return r.cursor.Tick - 1
}

// advance moves the cursor forward to the end of tick target, or as far as the run has been computed and the limits
// of a frame permit. It reports each range of events to the listener. moved reports whether the cursor moved.
func (r *Runner) advance(target int64) (moved bool, err error) {
	computed, done := r.run.Computed()
	if !done {
		if err := r.run.Err(); err != nil && r.cursor.Whole && r.cursor.Tick >= computed && target > computed {
			return false, err // the rest is never computed
		}
		target = min(target, computed)
	}
	start := r.clock.Now()
	for range FrameRangesMax {
		if r.cursor.Tick > target || r.cursor.Tick == target && r.cursor.Whole {
			break
		}
		if err := r.piece(target); err != nil {
			return moved, err
		}
		moved = true
		if r.clock.Since(start) >= FrameWorkMax {
			break
		}
	}
	return moved, nil
}

// piece moves the cursor forward by one range of at most FrameRangeRecordsMax events, which ends no later than tick
// target. If a single tick has more events, piece moves the cursor to the end of that tick and reports only the state
// there.
func (r *Runner) piece(target int64) error {
	span := min(target-r.cursor.Tick, r.span)
	for {
		s, err := r.run.EventRange(r.ctx, r.cursor.Seq, sim.EndOf(r.cursor.Tick+span), FrameRangeRecordsMax)
		if err == nil {
			if span == r.span && len(s.Records) < FrameRangeRecordsMax/2 && span < spanMax {
				r.span *= 2
			}
			r.cursor = s.To
			r.listener.OnMove(s)
			return nil
		}
		if !errors.Is(err, sim.ErrTooMany) {
			return err
		}
		if span <= 1 { // a single tick with more records than a stretch may have
			return r.jump(r.cursor.Tick + span)
		}
		span /= 2
		r.span = span
	}
}

// spanMax is the maximum value of Runner.span, the number of ticks whose events are expected to fit into one event
// range. It prevents overflow when the span is doubled.
const spanMax = 1 << 60

// jump moves the cursor to the end of tick. It reports the state there to the listener instead of the
// events in between.
func (r *Runner) jump(tick int64) error {
	snap, err := r.run.Seek(r.ctx, sim.EndOf(tick), r.listener.Detail(nil))
	if err != nil {
		return err
	}
	r.cursor = sim.Position{Tick: tick, Seq: snap.Seq, Whole: true}
	r.listener.OnSeek(snap)
	return nil
}

// fail stops playback and reports err to the listener.
func (r *Runner) fail(err error) {
	r.Pause()
	r.listener.OnError(err)
}
