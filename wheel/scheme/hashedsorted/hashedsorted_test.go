package hashedsorted

import (
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/coretest"
)

// A slot of sorted timers holds up to LinearMax timers, whatever the other slots hold.
func TestSortedSlotIsBounded(t *testing.T) {
	w := coretest.Build(t, Algorithm, catalog.Params{"slots": int64(2)}, 0)
	for k := range wheel.LinearMax { // each in front of all others: one comparison
		if _, _, err := w.Schedule(wheel.Spec{Due: wheel.Tick(2 * (wheel.LinearMax - k)), Key: uint32(k + 1)}); err != nil {
			t.Fatalf("timer %d: %v", k, err)
		}
	}
	if !coretest.Refused(w, wheel.Spec{Due: 8, Key: wheel.LinearMax + 1}, wheel.ErrCapacity) {
		t.Error("a timer past LinearMax in one slot is not refused")
	}
	if _, _, err := w.Schedule(wheel.Spec{Due: 9, Key: wheel.LinearMax + 2}); err != nil {
		t.Errorf("the other slot: %v", err)
	}
}
