package rounds

import (
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
)

// LiveMax is a bound of every wheel. The test marks the arena as full, since filling it takes
// 2 GB.
func TestLiveMax(t *testing.T) {
	made, err := New(Config{Slots: 4, Width: 1})
	if err != nil {
		t.Fatal(err)
	}
	w := made.(*rounds)
	w.Arena.Live = wheel.LiveMax
	if _, _, err := w.Schedule(wheel.Spec{Due: 5, Key: 1}); err != wheel.ErrCapacity {
		t.Errorf("timer past LiveMax: %v", err)
	}
	w.Arena.Live = wheel.LiveMax - 1
	if _, _, err := w.Schedule(wheel.Spec{Due: 5, Key: 2}); err != nil {
		t.Errorf("timer at LiveMax: %v", err)
	}
}
