package timer

import (
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// Bounds of a crowd.
const (
	crowdProbe = 16                    // armings by which a crowd is known
	crowdShare = 32                    // armings that share a reading of the clock
	crowdGap   = 250 * time.Nanosecond // they come no further apart than this, on average
	crowdPart  = 4                     // the driver ends it after a tick ÷ crowdPart…
	crowdLeast = 50 * time.Microsecond
)

// crowd is a run of armings that share one reading of the clock, and are put into the
// wheel together. A reading costs nearly as much as the rest of arming and stopping a
// timer, and a place in a slot a fifth of that. Where timers are armed by the million a
// second, the one is made for every 32nd, and the other is given to those that have not
// been stopped by then.
//
// A reading that is older than the arming makes a timer due too early, so each is armed
// by it for the time being only: staged (wheel.Stager), with how long after that instant
// its tick begins, its slack. The crowd ends with the next reading. If less time has
// passed since the first than a timer's slack, its tick is the right one for any instant
// in between; otherwise it is put off. Then it is placed. The wheel is not advanced before
// that, so nothing fires by a reading that was too early: never early still holds.
//
// The price: a timer whose tick changed is dated to the end of the crowd. While
// armings come that is microseconds; when they cease, the driver ends the crowd after
// a quarter of a tick. Where a clock does not move between readings (a mock, or a
// bubble of synctest) or goes slowly, and while somebody watches, there is no crowd.
type crowd struct {
	wheel    wheel.Stager  // nil: this wheel has no crowds
	attended bool          // the driver will look within its wait
	used     bool          // since the driver's last turn
	left     int           // armings that may still share the reading
	at       time.Duration // the reading
	far      wheel.Tick    // what is due later can't be staged, and has a reading of its own
	since    time.Duration // the reading before
	armed    int           // … and how many were armed since
	members  []member      // in order of arming; at most crowdShare
}

// member is a timer that was armed by a shared reading.
type member struct {
	t     wheel.Timer
	slack time.Duration
}

// reading is the time by which a timer is armed, and whether it is shared: then the
// timer is to be noted. The lock is held.
func (s *shard) reading() (at time.Duration, shared bool) {
	c := &s.crowd
	if c.left > 0 {
		c.left--
		c.armed++
		return c.at, true
	}
	now := s.owner.now()
	if c.wheel == nil || s.record != nil && !s.record.full() {
		return now, false
	}
	s.settle(now)
	c.armed++
	if c.armed < crowdProbe {
		return now, false
	}
	passed, armed := now-c.since, c.armed
	c.since, c.armed = now, 0
	if passed <= 0 || passed > time.Duration(armed)*crowdGap {
		return now, false
	}
	s.gather(now)
	return now, true
}

// gather begins a crowd. The lock is held.
func (s *shard) gather(now time.Duration) {
	c := &s.crowd
	c.used, c.at, c.left = true, now, crowdShare-1
	c.far = s.wheel.Now() + wheel.StageMax
	if !c.attended {
		c.attended = true
		s.nudge()
	}
}

// note keeps a timer that was armed by the shared reading.
func (c *crowd) note(t wheel.Timer, slack time.Duration) {
	c.members = append(c.members, member{t, slack})
}

// settle ends a crowd at a new reading: it places its timers, later where their tick may
// begin too early. The lock is held.
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

// attend ends a crowd in the driver, which looks again soon if there was one since its
// last turn. The lock is held.
func (s *shard) attend(now time.Duration) (soon bool) {
	c := &s.crowd
	s.settle(now)
	c.attended, c.used = c.used, false
	return c.attended
}

// crowdWait is how long the driver lets a crowd be.
func (w *Wheel) crowdWait() time.Duration { return max(w.tick/crowdPart, crowdLeast) }
