package timer

import "time"

// sleeperMax is the longest sleep of a sleeper. To wait for longer, the caller first sleeps with package
// time until sleeperMax is left, because package time may be late by up to sleeperMax, and then uses the sleeper for
// the rest.
const sleeperMax = time.Millisecond

// sleeper sleeps for the last part of a wait, at most sleeperMax. It uses a system alarm, which is on
// time, whereas package time may be late by up to a millisecond. It is not safe for concurrent use.
type sleeper struct {
	now   func() time.Duration
	max   time.Duration
	able  bool
	alarm *alarm // system alarm; nil until it is needed, because it uses a file descriptor
}

// newSleeper returns a sleeper for sleeps of at most limit, or sleeperMax if limit is longer. The sleeper calls
// now, which returns the time since a fixed instant, to measure its sleeps. If now reads a clock
// other than the machine's, machine must be false, and the sleeper never sleeps.
func newSleeper(now func() time.Duration, limit time.Duration, machine bool) sleeper {
	return sleeper{now: now, max: min(sleeperMax, limit), able: alarmAvailable && machine}
}

// mayWork reports whether s can sleep on this system and with its clock. If it returns false, sleeper.sleep always
// returns false immediately.
func (s *sleeper) mayWork() bool { return s.able }

// sleep sleeps for d. It returns false, without sleeping, if d exceeds the limit given to newSleeper or s is not
// sleeper.able, and also if it did not sleep for all of d. The caller must then wait with package time or its own
// clock.
func (s *sleeper) sleep(d time.Duration) bool {
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
	s.end() // no more files, or a clock that has not moved: that of a synctest bubble
	return false
}

// end releases the alarm. After that, sleeper.sleep always returns false.
func (s *sleeper) end() {
	s.able = false
	if s.alarm != nil {
		s.alarm.close()
		s.alarm = nil
	}
}
