package timer

import (
	"math"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// Limits for the groups of timers that share a clock read; see sharing.
const (
	sharingProbe = 16               // number of scheduled timers over which the rate of scheduling is measured
	sharingMost  = 32               // maximum number of scheduled timers that share one clock read
	sharingGap   = time.Microsecond // maximum mean time between calls that schedule timers, if several are to share a clock read
	sharingPart  = 4                // a group lasts at most 1/sharingPart of a tick, or sharingLeast if that is longer
	sharingLeast = 50 * time.Microsecond
	sharingPause = 64 // number of measurements without sharing after a group that the driver had to end
)

// sharing lets timers that are scheduled or reset in quick succession share one clock read. Each is placed at once,
// with its slack: the time from its due time to the beginning of its due tick. The next clock read ends the group: if
// the time since the shared read is more than the slack of a timer, its due tick is postponed. The wheel is not
// advanced before that, so no timer fires early.
type sharing struct {
	able      bool          // whether timers may share clock reads: the wheel can postpone any timer by any time
	attended  bool          // whether the driver will wake within Wheel.sharingWait and end the group
	used      bool          // whether a group was begun since the driver last called shard.endSharing
	left      int           // number of further timers that may share the current clock read
	at        time.Duration // the shared clock read, as the time since the wheel was created
	least     time.Duration // least slack of the group
	since     time.Duration // beginning of the current measurement of the rate
	pause     int           // number of further measurements after which no group begins
	scheduled int           // number of timers scheduled during the current measurement
	timers    []shared      // the timers of the group, at most sharingMost
}

type shared struct {
	t     wheel.Timer
	due   wheel.Tick
	slack time.Duration
}

// reading returns the time from which the delay of a timer counts. If share is true, a group of timers shares
// this time, and the timer must be passed to sharing.add. s.mu must be held.
func (s *shard) reading() (at time.Duration, share bool) {
	c := &s.sharing
	if c.left > 0 {
		c.left--
		c.scheduled++
		return c.at, true
	}
	return s.readClock()
}

// readClock does the work of reading when the clock must be read.
func (s *shard) readClock() (at time.Duration, share bool) {
	c := &s.sharing
	now := s.owner.now()
	s.wakeIfOverdue(now)
	s.endGroup(now)
	c.scheduled++
	if c.scheduled < sharingProbe {
		return now, false
	}
	passed, scheduled := now-c.since, c.scheduled
	c.since, c.scheduled = now, 0
	s.balance()
	if !c.able || s.record != nil && !s.record.full() {
		return now, false
	}
	if passed <= 0 || passed > time.Duration(scheduled)*sharingGap {
		return now, false
	}
	if c.pause > 0 {
		c.pause--
		return now, false
	}
	c.used, c.at, c.left, c.least = true, now, sharingMost-1, math.MaxInt64
	if !c.attended {
		c.attended = true
		s.wake()
	}
	return now, true
}

// dueIn returns the due tick of a timer due d from now, and whether it shares a clock read: the timer must then be
// passed to sharing.add, with slack. s.mu must be held.
func (s *shard) dueIn(d time.Duration) (due wheel.Tick, slack time.Duration, share bool) {
	at, share := s.reading()
	due, slack = s.owner.due(after(at, d))
	return due, slack, share
}

// add adds t to the group.
func (c *sharing) add(t wheel.Timer, due wheel.Tick, slack time.Duration) {
	c.timers = append(c.timers, shared{t, due, slack})
	c.least = min(c.least, slack)
}

// endGroup ends the group, if there is one. It postpones timers whose due tick might begin too early. now is the
// current clock reading. s.mu must be held.
func (s *shard) endGroup(now time.Duration) {
	c := &s.sharing
	c.left = 0
	if len(c.timers) == 0 {
		return
	}
	if passed := now - c.at; passed > c.least {
		s.postpone(passed)
	}
	c.timers = c.timers[:0]
}

// postpone postpones the timers of the group whose slack is less than passed. A timer that was reset in the group is
// in it more than once; only the last entry counts, whose due tick is that of the timer.
func (s *shard) postpone(passed time.Duration) {
	c := &s.sharing
	for k := len(c.timers) - 1; k >= 0; k-- {
		m := &c.timers[k]
		over := passed - m.slack
		if over <= 0 {
			continue
		}
		if due, ok := s.rescheduler.Due(m.t); ok && due == m.due {
			by, _ := s.owner.due(over)
			s.rescheduler.Reschedule(m.t, due+by)
		}
	}
}

// endSharing ends the group. The driver calls it before it advances the wheel, at time now. soon is true if a group was
// begun since the last call: the driver must wake soon for those that follow. s.mu must be held.
func (s *shard) endSharing(now time.Duration) (soon bool) {
	c := &s.sharing
	if len(c.timers) > 0 && now-c.at > sharingMost*sharingGap { // a burst has ended: waking for each costs more than clock reads
		c.pause = sharingPause
	}
	s.endGroup(now)
	c.attended, c.used = c.used, false
	return c.attended
}

// sharingWait returns the time after which the driver ends a group (see sharing).
func (w *Wheel) sharingWait() time.Duration { return max(w.tick/sharingPart, sharingLeast) }
