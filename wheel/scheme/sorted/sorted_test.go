package sorted

import (
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/coretest"
)

// A wheel with linear cost holds LinearMax timers and no more; timers that are due at once are
// not counted.
func TestLinearMax(t *testing.T) {
	w := coretest.Build(t, Algorithm, nil, 0)
	for k := range wheel.LinearMax {
		if _, _, err := w.Schedule(wheel.Spec{Due: wheel.Tick(wheel.LinearMax - k), Key: uint32(k + 1)}); err != nil {
			t.Fatalf("timer %d: %v", k, err)
		}
	}
	if !coretest.Refused(w, wheel.Spec{Due: 9, Key: wheel.LinearMax + 1}, wheel.ErrCapacity) {
		t.Error("a timer past LinearMax is not refused")
	}
	if _, runs, err := w.Schedule(wheel.Spec{Due: 0, Key: wheel.LinearMax + 2}); runs != 1 || err != nil {
		t.Errorf("due at once: %d, %v", runs, err)
	}
	if fired := coretest.Jump(w, wheel.LinearMax); len(fired) != wheel.LinearMax {
		t.Errorf("%d fired", len(fired))
	}
}
