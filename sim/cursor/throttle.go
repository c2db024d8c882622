package cursor

import (
	"errors"
	"time"

	"github.com/wheelscope/wheelscope/sim"
)

// Limits of the adaptation of a session's frame rate to the load.
const (
	StrideMax      = 3           // maximum number of frame intervals between two frames; 3 means 20 frames per second
	LateFramesMax  = 3           // number of late frames in quick succession at which the frame rate is lowered
	CalmMin        = time.Second // initial time without late frames after which the frame rate is raised; grows to CalmMax
	lateFrameScore = 4           // number of on-time frames that cancel out one late frame

	// CalmMax is the maximum time without late frames after which the frame rate is raised. The time is CalmMin at
	// first, and doubles each time the frame rate has to be lowered again soon after it was raised.
	CalmMax = 8 * time.Second
)

// memoryWaitMax is the time after which playback stops if all frames have failed for lack of memory.
const memoryWaitMax = 5 * time.Second

// shortage records when the first of a series of consecutive attempts failed for lack of memory. Its zero value means
// that the last attempt did not fail for that reason.
type shortage struct{ since time.Time }

// retries records err, the result of an attempt at time now, and reports whether to try again. It returns true if
// err is a *sim.NoMemoryError and less than timeout has passed since the first of the consecutive failures.
func (s *shortage) retries(err error, now time.Time, timeout time.Duration) bool {
	if _, ok := errors.AsType[*sim.NoMemoryError](err); !ok {
		s.since = time.Time{}
		return false
	}
	if s.since.IsZero() {
		s.since = now
	}
	return now.Sub(s.since) < timeout
}

// throttle computes the number of frame intervals between two frames of a session. It increases the number
// while frames are late. A frame is late if the viewers have not received the previous frame or if the frame
// begins more than FrameInterval after the time for which it was scheduled.
type throttle struct {
	stride  int           // number of frame intervals between two frames, 1 … StrideMax
	score   int           // increases by lateFrameScore for each late frame, decreases by 1 for each on-time frame
	since   time.Time     // last time at which score exceeded lateFrameScore or stride changed
	calm    time.Duration // time without late frames after which stride is decreased, CalmMin … CalmMax
	reduced time.Time     // time at which stride was last decreased; zero means never
}

func newThrottle() throttle { return throttle{stride: 1, calm: CalmMin} }

// interval returns the minimum time between two frames.
func (t *throttle) interval() time.Duration { return time.Duration(t.stride) * FrameInterval }

// frame records that a frame was sent at time now and whether it was late.
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
		t.since, t.reduced = now, now
	}
}

// slower increases t.stride, up to StrideMax. If t.stride was last decreased less than t.calm ago, slower
// doubles t.calm, up to CalmMax; otherwise it resets t.calm to CalmMin.
func (t *throttle) slower(now time.Time) {
	t.score, t.since = 0, now
	if t.stride < StrideMax {
		t.stride++
	}
	if !t.reduced.IsZero() && now.Sub(t.reduced) < t.calm {
		t.calm = min(2*t.calm, CalmMax)
	} else {
		t.calm = CalmMin
	}
}

// steadyRate is the maximum playback rate, in base ticks per second, that counts as a steady pace. Runners that play at
// a steady pace share a queue of their own, in which they wait for a turn to use a processor.
const steadyRate = 240

// steady reports whether the runner plays at a steady pace: at most steadyRate. Such runners wait for a turn in a
// queue of their own, so that sessions that seek, open runs or play as fast as possible do not delay their frames.
func (r *Runner) steady() bool { return r.on && r.pace.rate > 0 && r.pace.rate <= steadyRate }
