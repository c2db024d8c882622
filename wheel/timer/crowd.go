package timer

import (
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// Bounds of a crowd.
const (
	crowdProbe = 16                    // schedules over which their rate is measured
	crowdShare = 32                    // schedules that share one clock read
	crowdGap   = 250 * time.Nanosecond // their maximum distance on average
	crowdPart  = 4                     // the driver ends a crowd after a tick ÷ crowdPart …
	crowdLeast = 50 * time.Microsecond
)

// crowd collects timers scheduled in quick succession so that they share one clock read and
// are put into the wheel together. A clock read costs nearly as much as the rest of scheduling
// and stopping a timer, and putting it into a slot a fifth of that. If a million timers are
// scheduled per second, the clock is read for every 32nd, and only the timers that have not
// been stopped by then are put into a slot.
//
// With a clock read that is too old a timer would be due too early. Each timer is therefore
// only staged (wheel.Stager), with its slack: how long after its due time its tick begins. The
// next clock read ends the crowd. If the time since the first read is less than the slack of a
// timer, its tick is right for any instant in between; otherwise the tick is delayed. Then the
// timer is placed. The wheel is not advanced before that, so no timer fires early.
//
// The price: a timer whose tick changed counts from the end of the crowd. While timers keep
// coming that is microseconds; when they stop, the driver ends the crowd after a quarter of a
// tick. There is no crowd if the clock does not move between two reads (a mock, or a bubble of
// synctest) or moves slowly, or while the wheel is being recorded.
type crowd struct {
	wheel    wheel.Stager  // nil: this wheel has no crowds
	attended bool          // the driver will wake within crowdWait
	used     bool          // since the driver's last turn
	left     int           // schedules that may still share the clock read
	at       time.Duration // the clock read
	far      wheel.Tick    // a timer due later can't be staged, and has its own clock read
	since    time.Duration // the clock read before
	armed    int           // … and the number of schedules since
	members  []member      // in order of scheduling; at most crowdShare
}

// member is a timer that was scheduled with a shared clock read.
type member struct {
	t     wheel.Timer
	slack time.Duration
}

// reading returns the time since the origin from which a timer is scheduled, and whether it is a
// shared clock read. If so, the timer must be passed to note. The lock is held.
func (s *shard) reading() (at time.Duration, shared bool) {
	c := &s.crowd
	if c.left > 0 {
		c.left--
		c.armed++
		return c.at, true
	}
	now := s.owner.now()
	s.settle(now)
	c.armed++
	if c.armed < crowdProbe {
		return now, false
	}
	passed, armed := now-c.since, c.armed
	c.since, c.armed = now, 0
	s.balance()
	if c.wheel == nil || s.record != nil && !s.record.full() {
		return now, false
	}
	if passed <= 0 || passed > time.Duration(armed)*crowdGap {
		return now, false
	}
	s.gather(now)
	return now, true
}

// gather begins a crowd at the clock read now. The lock is held.
func (s *shard) gather(now time.Duration) {
	c := &s.crowd
	c.used, c.at, c.left = true, now, crowdShare-1
	c.far = s.wheel.Now() + wheel.StageMax
	if !c.attended {
		c.attended = true
		s.nudge()
	}
}

// note records that the timer t was scheduled with the shared clock read.
func (c *crowd) note(t wheel.Timer, slack time.Duration) {
	c.members = append(c.members, member{t, slack})
}

// settle ends a crowd at the clock read now: it places the timers, with a later due tick if the
// tick might begin too early. The lock is held.
func (s *shard) settle(now time.Duration) {
	c := &s.crowd
	passed := now - c.at
	for _, m := range c.members {
		by := wheel.Tick(0)
		if over := passed - m.slack; over > 0 {
			by, _ = s.owner.due(0, over)
		}
		c.wheel.Place(m.t, by)
	}
	c.left, c.members = 0, c.members[:0]
}

// attend ends the crowd, in the driver. It reports whether there was one since the driver's last
// turn, so that the driver must wake soon. The lock is held.
func (s *shard) attend(now time.Duration) (soon bool) {
	c := &s.crowd
	s.settle(now)
	c.attended, c.used = c.used, false
	return c.attended
}

// crowdWait returns the time after which the driver ends a crowd.
func (w *Wheel) crowdWait() time.Duration { return max(w.tick/crowdPart, crowdLeast) }
