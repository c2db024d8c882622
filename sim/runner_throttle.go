package sim

import (
	"context"
	"time"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
)

// Bounds of how a session's frame rate follows the load.
const (
	StrideMax      = 3               // frame intervals between two frames at most: 20 frames a second
	LateFramesMax  = 3               // late frames in quick succession after which there are fewer
	CalmMin        = time.Second     // without late frames, after which there are more again
	CalmMax        = 8 * time.Second // the same, where that was too early before
	lateFrameScore = 4               // frames on time that make up for a late one
)

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

// A session that plays faster than hurriedRate is charged hurriedPrice times what it uses, so that many
// that play as fast as they can do not delay those that keep a pace.
const (
	hurriedRate  = 240 // ticks a second
	hurriedPrice = 8
)

// priced returns the context in which a turn of the runner is charged.
func (r *Runner) priced(ctx context.Context) context.Context {
	if r.on && (r.pace.rate == 0 || r.pace.rate > hurriedRate) {
		return fairqueue.WithPrice(ctx, hurriedPrice)
	}
	return ctx
}
