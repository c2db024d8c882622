package cursor

import (
	"errors"
	"github.com/wheelscope/wheelscope/sim"
	"time"
)

// Limits of the adaptation of a session's frame rate to the load.
const (
	StrideMax      = 3               // most frame intervals between two frames: 20 frames per second
	LateFramesMax  = 3               // late frames in quick succession after which the rate is lowered
	CalmMin        = time.Second     // time without late frames after which the rate is raised
	CalmMax        = 8 * time.Second // the same, if raising it sooner failed before
	lateFrameScore = 4               // frames on time that offset a late one
)

// memoryWaitMax is the time after the first frame that fails for lack of memory at which a session
// stops playing.
const memoryWaitMax = 5 * time.Second

// shortage is the time of the first failure for lack of memory since the last success.
type shortage struct{ since time.Time }

// retries records the result of some work and reports whether to retry it: whether err is a
// lack of memory and the first such failure was less than `most` ago.
func (s *shortage) retries(err error, now time.Time, most time.Duration) bool {
	if _, ok := errors.AsType[*sim.NoMemoryError](err); !ok {
		s.since = time.Time{}
		return false
	}
	if s.since.IsZero() {
		s.since = now
	}
	return now.Sub(s.since) < most
}

// throttle computes the number of frame intervals between two frames of a session. It
// increases while frames are late, because the viewers have not received the previous frame or
// because the runner is behind its clock.
type throttle struct {
	stride  int           // 1 … StrideMax
	score   int           // lateFrameScore for each late frame, minus the frames on time since
	since   time.Time     // time of the last late frame that was not the only one, or of the last change
	calm    time.Duration // CalmMin … CalmMax
	widened time.Time     // when stride was last decreased
}

func newThrottle() throttle { return throttle{stride: 1, calm: CalmMin} }

// interval returns the least time between two frames.
func (t *throttle) interval() time.Duration { return time.Duration(t.stride) * FrameInterval }

// frame records a frame that was sent at now.
func (t *throttle) frame(now time.Time, late bool) {
	if late {
		t.score += lateFrameScore
	} else if t.score > 0 {
		t.score--
	}
	switch {
	case t.score >= LateFramesMax*lateFrameScore:
		t.slower(now)
	case t.score > lateFrameScore: // a single late frame does not count
		t.since = now
	case t.stride > 1 && now.Sub(t.since) >= t.calm:
		t.stride--
		t.since, t.widened = now, now
	}
}

// slower increases the stride. If that follows soon after a decrease, the time until the next
// decrease doubles, up to CalmMax.
func (t *throttle) slower(now time.Time) {
	t.score, t.since = 0, now
	if t.stride < StrideMax {
		t.stride++
	}
	if !t.widened.IsZero() && now.Sub(t.widened) < t.calm {
		t.calm = min(2*t.calm, CalmMax)
	} else {
		t.calm = CalmMin
	}
}

// steadyRate is the highest rate, in ticks per second, that counts as a steady pace.
const steadyRate = 240

// steady reports whether the runner plays at a steady pace. Its frames then have a queue of their
// own, so that sessions that play as fast as possible, are opened, or seek do not delay them.
func (r *Runner) steady() bool { return r.on && r.pace.rate > 0 && r.pace.rate <= steadyRate }
