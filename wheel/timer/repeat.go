package timer

import (
	"context"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/goroutine"
)

// Repeat is a repeated function call, started by [Wheel.TickFunc]. Its methods may be called
// concurrently, also by the repeated function itself.
type Repeat struct {
	f     func()
	delay bool // whether the interval counts from the end of a run; see WithFixedDelay

	mu       sync.Mutex
	timer    Timer
	more     timerOptions  // additional state of the timer, which counts against WithMaxPending even between runs
	interval time.Duration // interval between due times, more than 0; if delay is true, it counts from the end of a run
	next     time.Duration // due time of the next run, as the time since the wheel was created
	stopped  bool
	dropped  int     // number of calls in the executor that must not run, because Stop or Reset was called after the timer fired
	running  bool    // whether a run is in progress
	runs     uintptr // goroutine.ID of the goroutine of the run in progress; only valid while running is true
	moved    bool    // whether Reset was called during the run in progress
}

// A RepeatOption configures a [Repeat] that is started by [Wheel.TickFunc].
type RepeatOption func(*Repeat)

// WithFixedDelay makes the interval count from the end of a run instead of from its due time.
func WithFixedDelay() RepeatOption { return func(r *Repeat) { r.delay = true } }

// TickFunc calls f repeatedly, at d, 2d, 3d, … from now. Due times are computed exactly: if the interval is not a
// multiple of the wheel's tick, it is still right on average and there is no drift. Runs never overlap, and missed
// runs are skipped: if f is still running at a due time, or the process was stopped, the next run is at the first due
// time after that. The error is [ErrInterval] if d is 0 or less, or an error of [Wheel.AfterFunc]. The repeat ends if
// a wheel set by [WithWheel] rejects a later run.
func (w *Wheel) TickFunc(d time.Duration, f func(), options ...RepeatOption) (*Repeat, error) {
	if f == nil {
		return nil, ErrNil
	}
	if !w.made() {
		return nil, ErrZero
	}
	r := &Repeat{f: f, timer: Timer{shard: w.pick()}, more: timerOptions{keeps: true}, stopped: true}
	r.timer.f = r.run
	for _, set := range options {
		set(r)
	}
	if _, err := r.Reset(d); err != nil {
		return nil, err
	}
	return r, nil
}

// Stop ends the repeat: no further run begins, not even one that was about to begin. It returns
// true if this call has ended the repeat and no run was in progress. It returns false if a run is
// in progress, which is not interrupted, or if the repeat had already ended.
func (r *Repeat) Stop() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stop()
}

// stop ends the repeat and returns the result of Repeat.Stop. r.mu must be held.
func (r *Repeat) stop() bool {
	if r.timer.shard == nil || r.stopped {
		return false
	}
	r.stopped = true
	if r.running {
		r.timer.shard.releaseReservation(&r.more)
		return false
	}
	if !r.timer.Stop() {
		r.dropped++ // the next run is in the executor
	}
	r.timer.shard.releaseReservation(&r.more)
	return true
}

// hold removes timer t from the wheel, so that it can be scheduled again. It records in m that the
// timer still counts against WithMaxPending until then. It returns false if the timer is not pending.
func (s *shard) hold(t wheel.Timer, m *timerOptions) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.unschedule(t, false)
	m.held = m.held || was
	return was
}

// StopWait is like [Repeat.Stop], but then waits until a run in progress has ended. If ctx is done
// first, it returns ctx.Err(). If the repeated function itself calls StopWait, it does not wait but
// returns [ErrInCallback], and the repeat ends with the current run.
func (r *Repeat) StopWait(ctx context.Context) (bool, error) {
	if r.timer.shard == nil {
		return false, ErrZero
	}
	r.mu.Lock()
	was, inside := r.stop(), r.running && r.runs == goroutine.ID()
	r.mu.Unlock()
	if inside {
		return was, ErrInCallback
	}
	return was, until(ctx, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return !r.running
	})
}

// Reset changes the interval to d, counted from now: the next run begins after d, but not before a run in progress has
// ended. It returns true if the repeat had not ended; otherwise it restarts the repeat and returns false. If d is 0 or
// less, Reset returns [ErrInterval] and changes nothing. After an error of [Wheel.AfterFunc], the repeat has ended.
func (r *Repeat) Reset(d time.Duration) (bool, error) {
	if d <= 0 {
		return false, ErrInterval
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.timer.shard == nil {
		return false, ErrZero
	}
	was := !r.stopped
	if was && !r.running && !r.timer.shard.hold(r.timer.t, &r.more) {
		r.dropped++
	}
	r.interval, r.next, r.stopped = d, r.timer.shard.owner.now()+d, false
	if r.running {
		r.moved = true
		return was, nil
	}
	return was, r.schedule()
}

// run is called by the executor for each run. Unless the run was cancelled, it calls r.f and schedules the next run.
func (r *Repeat) run() {
	if !r.begin() {
		return
	}
	defer r.end() // f may panic
	r.f()
}

// begin records that a run begins. It returns false if the run must not happen, because of Stop, Reset or Wheel.Close.
func (r *Repeat) begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dropped > 0 {
		r.dropped--
		return false
	}
	if r.stopped || r.running { // stopped: the wheel was closed
		return false
	}
	r.running, r.runs, r.moved = true, goroutine.ID(), false
	return true
}

// end records that a run has ended and schedules the next one.
func (r *Repeat) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running = false
	if r.stopped {
		r.timer.shard.releaseReservation(&r.more)
		return
	}
	w := r.timer.shard.owner
	switch now := w.now(); {
	case r.moved:
	case r.delay:
		r.next = now + r.interval
	default:
		r.next = r.following(now, w.tick)
	}
	r.schedule()
}

// following returns the due time of the next run after a run that ended at now. tick is the length of a tick. Missed
// runs are skipped, but not one that is due after the current tick began, because it can still fire at the next tick.
func (r *Repeat) following(now, tick time.Duration) time.Duration {
	begun := now - now%tick
	return r.next + max(1, (begun-r.next)/r.interval+1)*r.interval
}

// schedule schedules the next run at r.next. If it returns an error, r has ended. r.mu must be held.
func (r *Repeat) schedule() error {
	s := r.timer.shard
	due, _ := s.owner.due(max(0, r.next), 0)
	s.lock()
	var err error
	r.timer.t, err = s.schedule(due, r.timer.f, &r.more, false)
	s.mu.Unlock()
	if err != nil {
		r.stopped = true
		s.releaseReservation(&r.more)
	}
	return err
}
