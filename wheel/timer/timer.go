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
	id    uint32
	f     func()
}

// AfterFunc calls f once d has passed, where the wheel's executor runs it. A d of 0 or
// less means at the next tick. The error is [ErrNil], [ErrFull] or [ErrShutdown], or
// the algorithm's own where it refuses the distance (wheel.ErrRange).
func (w *Wheel) AfterFunc(d time.Duration, f func()) (Timer, error) {
	if f == nil {
		return Timer{}, ErrNil
	}
	t := Timer{shard: w.pick(), f: f}
	return t, t.arm(d, nil)
}

// arm schedules the timer, which is not armed.
func (t *Timer) arm(d time.Duration, m *more) error {
	s := t.shard
	due := s.owner.due(d)
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	t.t, t.id, err = s.arm(due, 0, t.f, m)
	return err
}

// Stop disarms the timer. True means that f will not run; false that it has run, runs,
// or is about to, or that the timer was stopped before. It does not wait for f.
func (t *Timer) Stop() bool {
	s := t.shard
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cancel(t.t, t.id)
}

// Reset arms the timer anew, to fire once d has passed from now, whether it was armed
// or not. It reports whether it was. The error is AfterFunc's; the timer is not armed
// then.
func (t *Timer) Reset(d time.Duration) (bool, error) {
	s := t.shard
	if s == nil {
		return false, ErrNil
	}
	due := s.owner.due(d)
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.cancel(t.t, t.id)
	var err error
	t.t, t.id, err = s.arm(due, 0, t.f, nil)
	return was, err
}
