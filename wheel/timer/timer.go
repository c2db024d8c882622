package timer

import (
	"context"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// Timer is a call scheduled by [Wheel.AfterFunc]. Its methods may be called concurrently. A Timer
// must not be copied after its first use; go vet reports copies. A copy and the original are the
// same timer until one of them is Reset, and two timers after that.
type Timer struct {
	_     noCopy
	shard *shard
	t     wheel.Timer
	f     func()
}

// noCopy makes go vet report copies of a value that contains it.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// AfterFunc schedules f to be called by the wheel's executor after the duration d, or at the next tick if d is 0 or
// less. The error is [ErrNil], [ErrFull], [ErrClosed], [ErrZero], or an error of the wheel selected by [WithSlots] or
// [WithWheel], such as wheel.ErrRange if d is beyond its range.
func (w *Wheel) AfterFunc(d time.Duration, f func()) (Timer, error) {
	if f == nil {
		return Timer{}, ErrNil
	}
	if !w.made() {
		return Timer{}, ErrZero
	}
	s := w.pick().lockOne()
	t, err := s.scheduleIn(d, f, nil, false)
	s.mu.Unlock()
	return Timer{shard: s, t: t, f: f}, err
}

// Stop prevents the timer from firing. It returns true if the call stops the timer, whose function will then not run.
// It returns false if the timer has already fired or been stopped; its function may have run, be running or be about
// to run. Stop does not wait for the function; see [Timer.StopWait].
func (t *Timer) Stop() bool {
	s := t.shard
	if s == nil {
		return false
	}
	s.mu.Lock()
	was := s.cancel(t.t)
	s.mu.Unlock()
	if was {
		s.makeCurrent()
	}
	return was
}

// StopWait is like [Timer.Stop], but then waits until no call of the timer's function is running or
// about to run. If ctx is done first, it returns ctx.Err(). In a callback of the same wheel,
// StopWait does not wait, because the function may have to wait for that callback: if a call to the
// function has not ended, StopWait stops the timer and returns [ErrInCallback].
//
// Calls are identified by their function value. If several timers share a function value, instead
// of having a closure or method value each, StopWait waits for the calls of all of them.
func (t *Timer) StopWait(ctx context.Context) (bool, error) {
	s := t.shard
	if s == nil {
		return false, ErrZero
	}
	was := t.Stop()
	who := identity(t.f)
	if !s.callsOf(who) {
		return was, nil
	}
	if s.owner.inCallback() {
		return was, ErrInCallback
	}
	return was, until(ctx, func() bool { return !s.callsOf(who) })
}

// Reset changes the timer to fire after duration d, counted from now. It returns true if the timer was pending, and
// false if it had fired or been stopped; it is scheduled in either case. A call to its function that is running or
// about to run is not affected. The errors are those of [Wheel.AfterFunc]. After an error the timer is not pending.
func (t *Timer) Reset(d time.Duration) (bool, error) {
	s := t.shard
	if s == nil {
		return false, ErrZero
	}
	s.lock()
	if s.reschedule(t.t, d) {
		s.mu.Unlock()
		return true, nil
	}
	defer s.mu.Unlock()
	was := s.unschedule(t.t, false)
	var err error
	t.t, err = s.scheduleIn(d, t.f, nil, was)
	return was, err
}

// Deadline returns the time at which the timer fires: the beginning of the first tick at or after its due time. ok is
// false if the timer is not pending, or if the wheel set by [WithWheel] is not a [wheel.Rescheduler].
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
	d, ok := s.wheel.(wheel.Rescheduler)
	if !ok {
		return at, false
	}
	s.endGroup(s.owner.now())
	due, ok := d.Due(t)
	if !ok {
		return at, false
	}
	return s.owner.instant(due), true
}
