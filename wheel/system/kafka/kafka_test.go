package kafka

import (
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/coretest"
)

// The clock does not move while nothing expires. After a pause, a short timer is therefore placed
// at a coarse level and cascades in the same tick. An emptied slot is dequeued as well.
func TestKafkaClockStops(t *testing.T) {
	w := coretest.Build(t, Algorithm, catalog.Params{"slots": int64(20)}, 0)
	coretest.Jump(w, 100)
	log := wheel.Log{Keep: true}
	w.Observe(&log)
	h, _, _ := w.Schedule(wheel.Spec{Due: 105, Key: 1})
	if at, ok := w.Next(); !ok || at != 100 {
		t.Fatalf("next at %d, %v: the slot has begun at 100", at, ok)
	}
	coretest.Jump(w, 100)
	w.Cancel(h)
	coretest.Jump(w, 105)
	var kinds []string
	for _, e := range log.Events {
		kinds = append(kinds, e.Kind.String())
	}
	want := []string{"schedule", "grow", "place", "enqueue", "dequeue", "cascade", "enqueue", "cancel", "dequeue"}
	if !slices.Equal(kinds, want) {
		t.Errorf("got %v, want %v", kinds, want)
	}
	if e := log.Events[2]; e.ToLevel != 1 || e.ToSlot != 5 {
		t.Errorf("placed at level %d slot %d, want 1 5", e.ToLevel, e.ToSlot)
	}
}
