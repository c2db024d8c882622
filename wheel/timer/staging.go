package timer

import (
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// Limits for the groups in which timers are staged; see staging.
const (
	stagingProbe = 16                    // number of scheduled timers over which the rate of scheduling is measured
	stagingShare = 32                    // maximum number of scheduled timers that share one clock read
	stagingGap   = 250 * time.Nanosecond // maximum mean time between calls that schedule timers, if several of them are to share a clock read
	stagingPart  = 4                     // a timer stays staged for at most 1/stagingPart of a tick, or stagingLeast if that is longer
	stagingLeast = 50 * time.Microsecond
)

// staging groups timers that are scheduled in quick succession. The timers of a group share one clock read and are put
// into the wheel together. A clock read costs nearly as much as the rest of scheduling and stopping a timer, and
// putting a timer into a slot costs a fifth of that. If four million timers are scheduled per second, the clock is
// read for every 32nd, and only the timers that have not been stopped by then are put into a slot.
//
// If the delay of a timer counted from an old clock read, the timer could fire too early. Therefore each timer is only
// staged at first (wheel.Stager), with its slack: the time from its due time to the beginning of its due tick. The
// next clock read ends the group. If the time since the shared read is at most the slack of a timer, its due tick is
// late enough even if the timer was scheduled just now; otherwise the due tick is delayed. Then the timer is put into
// its slot. The wheel is not advanced before that, so no timer fires early.
//
// The drawback is that the delay of a timer whose due tick was changed counts from the end of the group. While timers
// keep arriving, the group ends within microseconds; when they stop, the driver ends it after a quarter of a tick.
// Timers are not staged if they are scheduled less often, if the clock does not move between two reads (a mock clock,
// or a synctest bubble), or while the wheel is being recorded.
type staging struct {
	wheel     wheel.Stager  // the shard's wheel if it can stage timers, otherwise nil
	attended  bool          // whether the driver will wake within Wheel.stagingWait and place the staged timers
	used      bool          // whether a group of staged timers was begun since the driver last called shard.endStaging
	left      int           // number of further timers that may share the current clock read
	at        time.Duration // clock read that the staged timers share, as the time since the wheel was created
	far       wheel.Tick    // last tick at which a staged timer may be due; a timer that is due later needs its own clock read
	since     time.Duration // beginning of the current measurement of the rate of scheduling, as the time since the wheel was created
	scheduled int           // number of timers scheduled during the current measurement of the rate of scheduling
	timers    []staged      // staged timers in order of scheduling, at most stagingShare
}

// staged is a timer scheduled with a shared clock read. slack is the time from its due time to its due tick.
type staged struct {
	t     wheel.Timer
	slack time.Duration
}

// reading returns the time, since the wheel was created, from which the delay of a new timer counts. If shared is true,
// a group of timers shares this time, and the timer must be staged and passed to staging.add. s.mu must be held.
func (s *shard) reading() (at time.Duration, shared bool) {
	c := &s.staging
	if c.left > 0 {
		c.left--
		c.scheduled++
		return c.at, true
	}
	now := s.owner.now()
	s.placeStaged(now)
	c.scheduled++
	if c.scheduled < stagingProbe {
		return now, false
	}
	passed, scheduled := now-c.since, c.scheduled
	c.since, c.scheduled = now, 0
	s.balance()
	if c.wheel == nil || s.record != nil && !s.record.full() {
		return now, false
	}
	if passed <= 0 || passed > time.Duration(scheduled)*stagingGap {
		return now, false
	}
	s.beginStaging(now)
	return now, true
}

// beginStaging begins a group of timers whose delays count from now, the current clock reading. s.mu must be held.
func (s *shard) beginStaging(now time.Duration) {
	c := &s.staging
	c.used, c.at, c.left = true, now, stagingShare-1
	c.far = s.wheel.Now() + wheel.StageMax
	if !c.attended {
		c.attended = true
		s.wake()
	}
}

// add adds t to the staged timers. slack is the time from the due time of t to the beginning of its due tick.
func (c *staging) add(t wheel.Timer, slack time.Duration) {
	c.timers = append(c.timers, staged{t, slack})
}

// placeStaged puts the staged timers into the wheel, which ends their group. It delays the due tick of a timer if that
// tick might begin too early. now is the current clock reading. s.mu must be held.
func (s *shard) placeStaged(now time.Duration) {
	c := &s.staging
	passed := now - c.at
	for _, m := range c.timers {
		by := wheel.Tick(0)
		if over := passed - m.slack; over > 0 {
			by, _ = s.owner.due(0, over)
		}
		c.wheel.Place(m.t, by)
	}
	c.left, c.timers = 0, c.timers[:0]
}

// endStaging puts the staged timers into the wheel. The driver calls it before it advances the wheel, at time now. soon
// is true if timers were staged since the last call: the driver must wake soon for any that follow. s.mu must be held.
func (s *shard) endStaging(now time.Duration) (soon bool) {
	c := &s.staging
	s.placeStaged(now)
	c.attended, c.used = c.used, false
	return c.attended
}

// stagingWait returns the time after which the driver puts staged timers (see staging) into the wheel.
func (w *Wheel) stagingWait() time.Duration { return max(w.tick/stagingPart, stagingLeast) }
