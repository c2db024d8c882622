package timer

import (
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// Timer is a call that was arranged with [Wheel.AfterFunc]. It is a value: the zero
// Timer is none, and copies are the same timer until one of them is Reset. A Timer may
// be used by one goroutine at a time.
type Timer struct {
	shard *shard
	t     wheel.Timer
	f     func()
}

// AfterFunc calls f once d has passed, where the wheel's executor runs it. A d of 0 or
// less means at the next tick. The error is [ErrNil], [ErrFull] or [ErrShutdown], or
// the algorithm's own where it refuses the distance (wheel.ErrRange).
func (w *Wheel) AfterFunc(d time.Duration, f func()) (Timer, error) {
	if f == nil {
		return Timer{}, ErrNil
	}
	s := w.pick()
	s.lock()
	t, err := s.armIn(d, f, nil, false)
	s.mu.Unlock()
	return Timer{s, t, f}, err
}

// Stop disarms the timer. True means that f will not run; false that it has run, runs,
// or is about to, or that the timer was stopped before. It does not wait for f.
func (t *Timer) Stop() bool {
	s := t.shard
	if s == nil {
		return false
	}
	s.mu.Lock()
	was := s.cancel(t.t)
	s.mu.Unlock()
	return was
}

// Reset arms the timer anew, to fire once d has passed from now, whether it was armed
// or not. It reports whether it was. The error is AfterFunc's; the timer is not armed
// then. It is [ErrNil] for the zero Timer.
func (t *Timer) Reset(d time.Duration) (bool, error) { return t.reset(d, nil) }

func (t *Timer) reset(d time.Duration, m *more) (was bool, err error) {
	s := t.shard
	if s == nil {
		return false, ErrNil
	}
	s.lock()
	defer s.mu.Unlock()
	was = s.disarm(t.t, false)
	t.t, err = s.armIn(d, t.f, m, was)
	return was, err
}
