package timer

import (
	"math/rand/v2"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer/recording"
)

// Repeat is a repeated function call, started by [Wheel.TickFunc]. Its methods may be called
// concurrently, also by the repeated function itself.
type Repeat struct {
	f      func()
	delay  bool          // whether the interval counts from the end of a run; see WithFixedDelay
	phase  time.Duration // time until the first run, if phased is true; see WithPhase
	phased bool
	jitter float64 // see WithJitter

	mu       sync.Mutex
	timer    Timer
	interval time.Duration // interval between due times, more than 0; if delay is true, it counts from the end of a run
	next     time.Duration // due time of the next run, as the time since the wheel was created
	stopped  bool
	dropped  int  // number of calls in the executor that must not run, because Stop or Reset was called after the timer fired
	running  bool // whether a run is in progress
	moved    bool // whether Reset was called during the run in progress
}

// A RepeatOption configures a [Repeat] that is started by [Wheel.TickFunc].
type RepeatOption func(*Repeat)

// WithFixedDelay makes the interval count from the end of a run instead of from its due time.
func WithFixedDelay() RepeatOption { return func(r *Repeat) { r.delay = true } }

// WithPhase sets the time until the first run, 0 or more, which otherwise is the interval.
func WithPhase(d time.Duration) RepeatOption {
	return func(r *Repeat) { r.phase, r.phased = max(0, d), true }
}

// WithJitter delays the first run, and the next one after a Reset, by a random part of the given fraction of the
// interval, from 0 to 1. Later runs follow at the interval. With it, many repeats that are started together do not all
// run in the same tick.
func WithJitter(fraction float64) RepeatOption {
	return func(r *Repeat) { r.jitter = min(1, max(0, fraction)) }
}

// TickFunc calls f repeatedly, at d, 2d, 3d, … from now; [WithPhase] and [WithJitter] change the first of these times
// and thereby all. Due times are computed exactly: if the interval is not a multiple of the wheel's tick, it is still
// right on average and there is no drift. Runs never overlap, and missed runs are skipped: if f is still running at a due
// time, or the process was stopped, the next run is at the first due time after that. TickFunc panics if d is 0 or less,
// as time.NewTicker does, or if f is nil. On a closed wheel f is never called.
func (w *Wheel) TickFunc(d time.Duration, f func(), options ...RepeatOption) *Repeat {
	w.check(f != nil)
	r := &Repeat{f: f, timer: Timer{shard: w.pick()}, stopped: true}
	r.timer.f = r.run
	for _, set := range options {
		set(r)
	}
	first := d
	if r.phased {
		first = r.phase
	}
	r.start(d, first)
	return r
}

// Stop ends the repeat: no further run begins, not even one that was about to begin. It returns
// true if this call has ended the repeat and no run was in progress. It returns false if a run is
// in progress, which is not interrupted, or if the repeat had already ended.
func (r *Repeat) Stop() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped {
		return false
	}
	r.stopped = true
	if r.running {
		return false
	}
	if !r.timer.Stop() {
		r.dropped++ // the next run is in the executor
	}
	return true
}

// Reset changes the interval to d, counted from now: the next run begins after d (later with [WithJitter]), but not
// before a run in progress has ended, and the others follow at this interval. The phase of [WithPhase] does not apply
// again. Reset returns true if the repeat had not ended; otherwise it restarts the repeat and returns false. It panics if
// d is 0 or less, as Reset of a time.Ticker does.
func (r *Repeat) Reset(d time.Duration) bool { return r.start(d, d) }

// start sets the interval and the time until the next run, to which it adds the jitter. It returns true if the repeat
// had not ended.
func (r *Repeat) start(interval, first time.Duration) (was bool) {
	if interval <= 0 {
		panic("timer: the interval of a repeat must be positive")
	}
	if r.timer.shard == nil {
		panic("timer: Reset of a Repeat that was not created by TickFunc")
	}
	if r.jitter > 0 {
		first = after(first, time.Duration(rand.Float64()*r.jitter*float64(interval-1)))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	was = !r.stopped
	now := r.timer.shard.owner.now()
	r.interval, r.next, r.stopped = interval, after(now, first), false
	switch {
	case r.running:
		r.moved = true
	case !r.schedule(now) && was:
		r.dropped++ // the run that was due is in the executor
	}
	return was
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
	if r.stopped || r.running {
		return false
	}
	r.running, r.moved = true, false
	return true
}

// end records that a run has ended and schedules the next one.
func (r *Repeat) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running = false
	if r.stopped {
		return
	}
	w := r.timer.shard.owner
	now := w.now()
	switch {
	case r.moved:
	case r.delay:
		r.next = after(now, r.interval)
	default:
		r.next = r.following(now, w.tick)
	}
	r.schedule(now)
}

// following returns the due time of the next run after a run that ended at now. tick is the length of a tick. Missed
// runs are skipped, but not one that is due after the current tick began, because it can still fire at the next tick.
func (r *Repeat) following(now, tick time.Duration) time.Duration {
	if behind := now - now%tick - r.next; behind > 0 {
		return after(r.next+behind-behind%r.interval, r.interval)
	}
	return after(r.next, r.interval)
}

// schedule schedules the next run at r.next, instead of the pending one if there is one. It returns whether there was
// one. now is the current clock reading. r.mu must be held.
func (r *Repeat) schedule(now time.Duration) (was bool) {
	s := r.timer.shard
	due, _ := s.owner.due(r.next)
	s.lock()
	defer s.mu.Unlock()
	s.wakeIfOverdue(now)
	kind := recording.Reset
	if was = s.move(r.timer.t, due); !was {
		was = s.unschedule(r.timer.t)
		r.timer.t = s.schedule(due, r.timer.f)
		kind = recording.Schedule
	}
	if s.tape != nil && !r.timer.t.IsZero() {
		s.tape.note(kind, r.timer.t.Index(), r.next-now)
	}
	return was
}
