package timer

import "time"

// Scheduler wraps a [Wheel]. Its AfterFunc returns no error, like time.AfterFunc. A program that depends on an
// interface with this method, such as simtest.Clock, can use a wheel in production and a recorder of package simtest in
// tests.
type Scheduler struct {
	w      *Wheel
	failed func(error)
}

// Scheduler returns a [Scheduler] of w. The Scheduler calls failed, which must not be nil, with each
// error of AfterFunc and Reset. After an error the timer is not pending.
func (w *Wheel) Scheduler(failed func(error)) Scheduler { return Scheduler{w, failed} }

// AfterFunc is like [Wheel.AfterFunc], but passes an error to the function given to [Wheel.Scheduler].
func (s Scheduler) AfterFunc(d time.Duration, f func()) *Scheduled {
	t := &Scheduled{failed: s.failed}
	var err error
	if t.t, err = s.w.AfterFunc(d, f); err != nil {
		s.failed(err)
	}
	return t
}

// Scheduled is a timer scheduled by a [Scheduler]. Its methods may be called concurrently.
type Scheduled struct {
	t      Timer
	failed func(error)
}

// Stop is like [Timer.Stop].
func (s *Scheduled) Stop() bool { return s.t.Stop() }

// Reset is like [Timer.Reset], but passes an error to the function given to [Wheel.Scheduler].
func (s *Scheduled) Reset(d time.Duration) bool {
	was, err := s.t.Reset(d)
	if err != nil {
		s.failed(err)
	}
	return was
}
