package sim

import (
	"fmt"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
)

// A lane whose reference implementation wakes by itself runs within an operation, too: a timer
// placed in a slot that has begun is dequeued, and cascades or fires in the same tick. The other
// lane does not run within an operation.
func TestSelfWakingLaneRunsWithinAnOperation(t *testing.T) {
	got := eventKinds(t, `{"at": 100, "op": "schedule", "timer": "a", "delay": 5}`)
	want := []string{"100 schedule", "100 grow", "100 place", "100 enqueue", "100 dequeue", "100 cascade", "100 enqueue", "105 dequeue", "105 expire"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%v, want\n%v", got, want)
	}
}

// While its driver is stalled the lane does not run after operations either. After the stall
// it catches up.
func TestSelfWakingLaneStopsInAStall(t *testing.T) {
	got := eventKinds(t, `{"at": 90, "op": "stall", "for": 20}, {"at": 100, "op": "schedule", "timer": "a", "delay": 5}`)
	want := []string{"100 schedule", "100 grow", "100 place", "100 enqueue", "110 dequeue", "110 cascade", "110 enqueue", "110 dequeue", "110 expire"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%v, want\n%v", got, want)
	}
}

// eventKinds runs operations on a Kafka wheel of 20 slots and returns the tick and kind of its
// events.
func eventKinds(t *testing.T, ops string) (kinds []string) {
	t.Helper()
	p := plantest.Load(t, []byte(`{"wheelscope": 1, "until": 120, "lanes": [{"algorithm": "kafka", "slots": 20}], "workload": {"ops": [`+ops+`]}}`))
	e := plantest.Engine(t, p)
	for at, ok := e.Next(); ok; at, ok = e.Next() {
		for _, r := range e.Tick(at, nil) {
			kinds = append(kinds, fmt.Sprintf("%d %s", r.Tick, r.Kind))
		}
	}
	return kinds
}
