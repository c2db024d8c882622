package cursor

import (
	"testing"
	"time"
)

// While frames are late the frame rate is lower; afterwards it rises again.
func TestRunnerSendsFewerFramesWhileViewersAreLate(t *testing.T) {
	withRig(t, rigConfig{scenario: longScenario}, func(g *rig) {
		frames := func() int { return count(g.wait(10*time.Second), "framed") }
		g.play(1000)
		if n := frames(); n < 599 || n > 602 {
			t.Errorf("%d frames in 10 s", n)
		}
		g.do(func(*Runner) { g.heard.late = true })
		g.wait(time.Second)
		if n := frames(); n < 199 || n > 202 {
			t.Errorf("late: %d frames in 10 s", n)
		}
		if at, _ := g.at(); at.Tick < 20900 || at.Tick > 21000 {
			t.Errorf("after 21 s at tick %d", at.Tick)
		}
		g.do(func(*Runner) { g.heard.late = false })
		g.wait(3 * CalmMin)
		if n := frames(); n < 599 || n > 602 {
			t.Errorf("in time again: %d frames in 10 s", n)
		}
	})
}

// noteFrames records n frames, one per interval, every k-th of them late.
func noteFrames(r *throttle, now *time.Time, n, k int) {
	for i := range n {
		*now = now.Add(r.interval())
		r.frame(*now, k > 0 && i%k == k-1)
	}
}

func TestThrottle(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	r := newThrottle()
	if noteFrames(&r, &now, 1000, 10); r.stride != 1 {
		t.Errorf("stride %d though one frame in ten is late", r.stride)
	}
	if noteFrames(&r, &now, LateFramesMax, 1); r.stride != 2 {
		t.Errorf("stride %d after %d late frames", r.stride, LateFramesMax)
	}
	if noteFrames(&r, &now, 100, 2); r.stride != StrideMax {
		t.Errorf("stride %d though every second frame is late", r.stride)
	}
	if noteFrames(&r, &now, int(CalmMin/r.interval())-1, 0); r.stride != StrideMax {
		t.Errorf("stride %d before %v without late frames", r.stride, CalmMin)
	}
	if noteFrames(&r, &now, 2*lateFrameScore, 0); r.stride != StrideMax-1 {
		t.Errorf("stride %d after %v without late frames", r.stride, CalmMin)
	}
}

// After an increase that was too early the next one takes longer, up to CalmMax.
func TestThrottleWaitsLonger(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	r := newThrottle()
	var waits []time.Duration
	for range 8 {
		noteFrames(&r, &now, 20, 1)
		start := now
		for r.stride == StrideMax {
			noteFrames(&r, &now, 1, 0)
		}
		waits = append(waits, now.Sub(start).Round(time.Second))
	}
	if first, last := waits[0], waits[len(waits)-1]; first != CalmMin || last != CalmMax {
		t.Errorf("it waits %v", waits)
	}
	noteFrames(&r, &now, int(2*CalmMax/FrameInterval), 0)
	if noteFrames(&r, &now, LateFramesMax, 1); r.calm != CalmMin {
		t.Errorf("after a long time without late frames it waits %v", r.calm)
	}
}
