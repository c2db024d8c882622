package timer

import "time"

// Scheduler has an AfterFunc that returns no error, like that of package time. A program that uses
// an interface with this method, such as simtest.Clock, can run on a wheel, and in its tests on a
// recorder of package simtest.
type Scheduler struct {
	w      *Wheel
	failed func(error)
}

// Scheduler returns w as a Scheduler. It calls failed, which must not be nil, with each error
// of AfterFunc and Reset. After an error the timer is not pending.
func (w *Wheel) Scheduler(failed func(error)) Scheduler { return Scheduler{w, failed} }

// AfterFunc is like [Wheel.AfterFunc] without the error, which is passed to the function of the Scheduler.
func (s Scheduler) AfterFunc(d time.Duration, f func()) *Scheduled {
	t := &Scheduled{failed: s.failed}
	var err error
	if t.t, err = s.w.AfterFunc(d, f); err != nil {
		s.failed(err)
	}
	return t
}

// Scheduled is a [Timer] of a Scheduler. Pointers to it may be copied. Its methods may be called by
// several goroutines at once.
type Scheduled struct {
	t      Timer
	failed func(error)
}

// Stop is like [Timer.Stop].
func (s *Scheduled) Stop() bool { return s.t.Stop() }

// Reset is like [Timer.Reset] without the error, which is passed to the function of the Scheduler.
func (s *Scheduled) Reset(d time.Duration) bool {
	was, err := s.t.Reset(d)
	if err != nil {
		s.failed(err)
	}
	return was
}
