package simtest

import (
	"fmt"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer"
)

// OnWheel returns a Clock that schedules timers on w, for a program that accepts a Clock. It allocates a timer.Timer for
// each call.
func OnWheel(w *timer.Wheel) Clock[*timer.Timer] { return onWheel{w} }

type onWheel struct{ w *timer.Wheel }

func (c onWheel) AfterFunc(d time.Duration, f func()) *timer.Timer {
	t := new(timer.Timer)
	*t = c.w.AfterFunc(d, f)
	return t
}

// WheelRecorder records the timers of a timer.Wheel as a scenario.
type WheelRecorder struct {
	t testing.TB
	w *timer.Wheel
}

// RecordWheel starts a recording of all timers of w, whichever function of package timer schedules them: AfterFunc,
// TickFunc, a Keyed or a context. Each run of a TickFunc is a timer of its own, and a Reset is recorded as a cancel and a
// schedule. Pending timers are recorded as scheduled now. Create w in a testing/synctest bubble, with one shard, so that
// the same test always gives the same scenario. The live page of package timerhttp must not be open during the recording.
func RecordWheel(t testing.TB, w *timer.Wheel) *WheelRecorder {
	w.Watch().Begin(CallsMax)
	return &WheelRecorder{t, w}
}

// Scenario returns the calls recorded so far as a scenario, as [Recorder.Scenario] does. Its ticks are those of the
// wheel. The timers are named t1, t2, … in the order in which they were scheduled.
func (r *WheelRecorder) Scenario(lanes ...string) []byte {
	r.t.Helper()
	recorded := r.w.Watch().Recorded()
	if !recorded.Whole {
		r.t.Errorf("record: more than %d calls; what follows is not in the scenario", CallsMax)
	}
	ops := make([]call, len(recorded.Ops))
	for k := range ops {
		o := &recorded.Ops[k]
		ops[k] = call{At: o.At, Op: "cancel", Timer: fmt.Sprint("t", o.Timer)}
		if !o.Stop {
			ops[k].Op, ops[k].Delay = "schedule", &o.Delay
		}
	}
	return scenarioOf(r.t, r.w.Watch().Info().Tick, ops, lanes)
}

// Golden compares the trace of the recorded scenario with the golden file, as [Recorder.Golden] does.
func (r *WheelRecorder) Golden(file string, lanes ...string) {
	r.t.Helper()
	Golden(r.t, r.Scenario(lanes...), file)
}
