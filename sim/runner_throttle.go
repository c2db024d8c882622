package sim

import (
	"errors"
	"time"
)

// Bounds of how a session's frame rate follows the load.
const (
	StrideMax      = 3               // frame intervals between two frames at most: 20 frames a second
	LateFramesMax  = 3               // late frames in quick succession after which there are fewer
	CalmMin        = time.Second     // without late frames, after which there are more again
	CalmMax        = 8 * time.Second // the same, where that was too early before
	lateFrameScore = 4               // frames on time that make up for a late one
)

// A frame, or a seek, for which there is no memory is tried again.
const (
	memoryRetry   = 100 * time.Millisecond // after which it is
	memoryWaitMax = 5 * time.Second        // for a frame, after which the session stops playing
)

// shortage is when work failed first for want of memory, of the failures since it last succeeded.
type shortage struct{ since time.Time }

// retries reports whether work that failed with err, nil if it did not, is to be tried again: for so long since its
// first failure.
func (s *shortage) retries(err error, now time.Time, most time.Duration) bool {
	if _, ok := errors.AsType[*NoMemoryError](err); !ok {
		s.since = time.Time{}
		return false
	}
	if s.since.IsZero() {
		s.since = now
	}
	return now.Sub(s.since) < most
}

// throttle decides how many frame intervals lie between two frames of a session.
// There are fewer frames while frames are late: because the viewers have not taken
// the frame before, or because the runner itself is behind its clock.
type throttle struct {
	stride  int           // 1 … StrideMax
	score   int           // lateFrameScore for each late frame, less those on time since
	since   time.Time     // of the last late frame among others, or the last change
	calm    time.Duration // CalmMin … CalmMax
	widened time.Time     // when stride became smaller
}

func newThrottle() throttle { return throttle{stride: 1, calm: CalmMin} }

// interval is the least time between two frames.
func (t *throttle) interval() time.Duration { return time.Duration(t.stride) * FrameInterval }

// frame notes a frame that was sent at now.
func (t *throttle) frame(now time.Time, late bool) {
	if late {
		t.score += lateFrameScore
	} else if t.score > 0 {
		t.score--
	}
	switch {
	case t.score >= LateFramesMax*lateFrameScore:
		t.slower(now)
	case t.score > lateFrameScore: // one late frame now and then does not count
		t.since = now
	case t.stride > 1 && now.Sub(t.since) >= t.calm:
		t.stride--
		t.since, t.widened = now, now
	}
}

// slower makes frames rarer. If that follows soon after they became more frequent, it
// takes longer until that is tried again.
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

// steadyRate is the rate, in ticks a second, up to which a session that plays keeps a steady pace.
const steadyRate = 240

// steady reports whether the runner plays at a steady pace. Its frames then have turns of their own: sessions
// that play as fast as they can, are opened, or seek, do not delay them.
func (r *Runner) steady() bool { return r.on && r.pace.rate > 0 && r.pace.rate <= steadyRate }
