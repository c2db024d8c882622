package lane

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
)

// The hook is called before every script, in Schedule and in Advance, and has no effect
// on the results.
func TestHookIsCalledBeforeEachScript(t *testing.T) {
	for _, v := range variants() {
		t.Run(v.name, func(t *testing.T) {
			l, reference := v.build(t), v.build(t)
			var log, wantLog wheel.Log
			log.Keep, wantLog.Keep = true, true
			l.Observe(&log)
			reference.Observe(&wantLog)
			calls, scripts := int64(0), int64(0)
			l.SetHook(func() bool {
				if calls++; l.server.runs < scripts {
					t.Error("a script ran twice")
				}
				scripts = l.server.runs + 1
				return true
			})
			second := max(1e9/v.nanos, 1)
			for k := range wheel.Tick(40) {
				for _, w := range []*Lane{l, reference} {
					w.Schedule(wheel.Spec{Due: v.start + (2+k%7)*second, Key: uint32(k + 1), Every: 10 * second, Times: 2})
				}
			}
			fired, status := l.Advance(v.start+100*second, nil, 0)
			want, wantStatus := reference.Advance(v.start+100*second, nil, 0)
			if calls != l.server.runs || calls < 40 {
				t.Errorf("%d scripts, %d calls of the hook", l.server.runs, calls)
			}
			if status != wantStatus || !reflect.DeepEqual(fired, want) || !reflect.DeepEqual(log, wantLog) || l.Cost() != reference.Cost() {
				t.Error("the hook changed what fired, the events or the cost")
			}
		})
	}
}

// When the hook returns false no further script is run, and every later call is
// refused.
func TestHookAborts(t *testing.T) {
	for _, v := range variants() {
		for _, inAdvance := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/advance=%v", v.name, inAdvance), func(t *testing.T) {
				l := v.build(t)
				second := max(1e9/v.nanos, 1)
				calls, last := 0, 20
				hook := func() bool { calls++; return calls < last }
				if !inAdvance {
					l.SetHook(hook)
				}
				refused := error(nil)
				for k := range wheel.Tick(40) {
					_, _, err := l.Schedule(wheel.Spec{Due: v.start + (2+k)*second, Key: uint32(k + 1), Every: second, Times: -1})
					refused = errors.Join(refused, err)
				}
				if inAdvance {
					l.SetHook(hook)
				}
				_, status := l.Advance(v.start+1e6*second, nil, 0)
				if status != wheel.Aborted || calls != last || errors.Is(refused, wheel.ErrAborted) == inAdvance {
					t.Errorf("status %d after %d calls of the hook, Schedule %v", status, calls, refused)
				}
				expectAborted(t, l)
			})
		}
	}
}

// expectAborted checks that an aborted lane refuses every call and runs no script.
func expectAborted(t *testing.T, l *Lane) {
	t.Helper()
	l.SetHook(nil)
	scripts, counts := l.server.runs, l.counts
	handle, _, err := l.Schedule(wheel.Spec{Due: l.now + 1, Key: 99})
	first := wheel.NewTimer(1, 1)
	if !handle.IsZero() || !errors.Is(err, wheel.ErrAborted) || l.Armed(first) || l.Cancel(first) {
		t.Errorf("Schedule %v and %v, or a timer is armed", handle, err)
	}
	if fired, status := l.Advance(wheel.TickMax, nil, 0); len(fired) > 0 || status != wheel.Aborted {
		t.Errorf("Advance fired %d, status %d", len(fired), status)
	}
	if fired, status := l.Resume(wheel.TickMax, nil); len(fired) > 0 || status != wheel.Aborted {
		t.Errorf("Resume fired %d, status %d", len(fired), status)
	}
	if _, status := l.Clone().Advance(wheel.TickMax, nil, 0); status != wheel.Aborted {
		t.Errorf("a copy has status %d", status)
	}
	if l.server.runs != scripts || l.counts.Findings != counts.Findings {
		t.Error("a script was run, or a finding counted")
	}
}
