package timer

import (
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// Timer is a call scheduled by [Wheel.AfterFunc], in 24 bytes. Its methods may be called concurrently. Keep it in the
// struct that it is the timeout of. It must not be copied after its first use; go vet reports copies. A copy and the
// original are the same timer until one of them is Reset after it has fired, and two timers after that.
type Timer struct {
	_     noCopy
	shard *shard
	t     wheel.Timer // guarded by shard.mu
	f     func()
}

// noCopy makes go vet report copies of a value that contains it.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// AfterFunc calls f after the duration d, or at the next tick if d is 0 or less, where the executor of the wheel runs
// it. It panics if f is nil. On a closed wheel the timer never fires, and neither does one that would be more than 2^28
// pending timers in a shard, or one that a wheel set by [WithWheel] rejects; [Stats] counts the latter two.
func (w *Wheel) AfterFunc(d time.Duration, f func()) Timer {
	w.check(f != nil)
	s := w.pick().lockOne()
	t := s.scheduleIn(d, f)
	s.mu.Unlock()
	return Timer{shard: s, t: t, f: f}
}

// check panics if w was not created by New, or if f, whether a function is not nil, is false.
func (w *Wheel) check(f bool) {
	switch {
	case !w.made():
		panic("timer: use of a Wheel that was not created by New")
	case !f:
		panic("timer: the function is nil")
	}
}

// Stop prevents the timer from firing. It returns true if the call stops the timer, whose function will then not run.
// It returns false if the timer has already fired or been stopped; its function may have run, be running or be about
// to run. Stop does not wait for the function.
func (t *Timer) Stop() bool {
	s := t.shard
	if s == nil {
		panic("timer: Stop of a Timer that was not created by AfterFunc")
	}
	s.mu.Lock()
	was := s.cancel(t.t)
	s.mu.Unlock()
	if was {
		s.makeCurrent()
	}
	return was
}

// Reset changes the timer to fire after duration d, counted from now. It returns true if the timer was pending, and
// false if it had fired or been stopped; it is scheduled in either case. A call to its function that is running or
// about to run is not affected.
func (t *Timer) Reset(d time.Duration) bool {
	s := t.shard
	if s == nil {
		panic("timer: Reset of a Timer that was not created by AfterFunc")
	}
	s.lock()
	was := s.reschedule(t.t, d)
	if !was {
		was = s.unschedule(t.t)
		t.t = s.scheduleIn(d, t.f)
	}
	s.mu.Unlock()
	return was
}

// Deadline returns the time at which the timer fires: the beginning of the first tick at or after its due time. ok is
// false if the timer is not pending, or if the wheel set by [WithWheel] is not a wheel.Rescheduler.
func (t *Timer) Deadline() (at time.Time, ok bool) {
	s := t.shard
	if s == nil {
		return at, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.deadline(t.t)
}

// deadline returns the result of Timer.Deadline for timer t of the shard. s.mu must be held.
func (s *shard) deadline(t wheel.Timer) (at time.Time, ok bool) {
	if s.rescheduler == nil || s.closed {
		return at, false
	}
	s.endGroup(s.owner.now())
	due, ok := s.rescheduler.Due(t)
	if !ok {
		return at, false
	}
	return s.owner.instant(due), true
}
