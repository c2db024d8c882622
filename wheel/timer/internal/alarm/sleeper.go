// Package alarm provides sleeps of up to a millisecond that are more precise than those of package
// time, on systems that support it.
package alarm

import "time"

// Max is the longest sleep of a [Sleeper]. To wait for longer, the caller first sleeps with package
// time until Max is left, because package time may be late by up to Max, and then uses the Sleeper for
// the rest.
const Max = time.Millisecond

// Sleeper sleeps for the last part of a wait, at most [Max]. It uses a system alarm, which is on
// time, whereas package time may be late by up to a millisecond. It is not safe for concurrent use.
type Sleeper struct {
	now   func() time.Duration
	max   time.Duration
	able  bool
	alarm *alarm // system alarm; nil until it is needed, because it uses a file descriptor
}

// New returns a Sleeper for sleeps of at most limit, or [Max] if limit is longer. The Sleeper calls
// now, which returns the time since a fixed instant, to measure its sleeps. If now reads a clock
// other than the machine's, machine must be false, and the Sleeper never sleeps.
func New(now func() time.Duration, limit time.Duration, machine bool) Sleeper {
	return Sleeper{now: now, max: min(Max, limit), able: available && machine}
}

// Able reports whether s can sleep on this system and with its clock. If it returns false, [Sleeper.Sleep] always
// returns false immediately.
func (s *Sleeper) Able() bool { return s.able }

// Sleep sleeps for d. It returns false, without sleeping, if d exceeds the limit given to New or s is not
// [Sleeper.Able], and also if it did not sleep for all of d. The caller must then wait with package time or its own
// clock.
func (s *Sleeper) Sleep(d time.Duration) bool {
	if !s.able || d > s.max {
		return false
	}
	if s.alarm == nil {
		s.alarm = newAlarm()
	}
	begun := s.now()
	if s.alarm != nil && s.alarm.sleep(d) && s.now()-begun >= d {
		return true
	}
	s.End() // no more files, or a clock that has not moved: that of a synctest bubble
	return false
}

// End releases the alarm. After that, [Sleeper.Sleep] always returns false.
func (s *Sleeper) End() {
	s.able = false
	if s.alarm != nil {
		s.alarm.close()
		s.alarm = nil
	}
}
