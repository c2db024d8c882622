package player

import (
	"fmt"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
)

// runFor opens the run of a scenario.
func runFor(t *testing.T, text string) *sim.Run {
	t.Helper()
	p, err := program.Load([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	store := sim.NewStore(sim.StoreOptions{})
	t.Cleanup(store.Close)
	run, err := store.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	store.Retain(t.Context(), run)
	return run
}

// A run of too many events is refused from its plan, before it is computed, or else when it has so many.
func TestTooManyEventsAreKnownEarly(t *testing.T) {
	const text = `{"wheelscope":1,"until":%d,"lanes":[{"algorithm":"heap"},{"algorithm":"hierarchical"}],"workload":{"generate":[{"prefix":"t","seed":1,
		"count":%d,"arrivals":{"dist":"constant","value":1},"delay":{"dist":"constant","value":%d}}]}}`
	run := runFor(t, fmt.Sprintf(text, 600_000, 600_000, 9))
	if n, err := Events(t.Context(), run); err != nil || n != 2_400_000 {
		t.Errorf("%d events, %v", n, err)
	}
	if tick, _ := run.Computed(); tick >= 600_000 {
		t.Errorf("computed up to tick %d", tick)
	}
	run = runFor(t, fmt.Sprintf(text, 4_000_000, 400_000, 3_000_000)) // the hierarchical wheel moves each timer
	n, err := Events(t.Context(), run)
	if tick, done := run.Computed(); err != nil || n <= EventsMax || done {
		t.Errorf("%d events, %v, computed up to tick %d", n, err, tick)
	}
}
