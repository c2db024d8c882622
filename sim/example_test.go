package sim_test

import (
	"context"
	"fmt"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// A run is computed once. Its state at any tick can then be read.
func ExampleStore() {
	p, err := program.Load([]byte(`{"wheelscope": 1, "name": "two", "until": 6,
	"lanes": [{"algorithm": "simple", "slots": 8}, {"algorithm": "heap"}],
	"workload": {"ops": [
		{"at": 0, "op": "schedule", "timer": "a", "delay": 3},
		{"at": 0, "op": "schedule", "timer": "b", "delay": 5},
		{"at": 2, "op": "cancel", "timer": "b"}]}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	run, err := store.Open(ctx, p)
	if err != nil {
		fmt.Println(err)
		return
	}
	store.Retain(ctx, run) // until cancel is called
	for _, tick := range []int64{1, 2, 3} {
		s, err := run.Seek(ctx, sim.EndOf(tick), wheel.AllEntries)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("tick", s.Tick, "pending", s.Lanes[0].Live)
	}
	// Output:
	// tick 1 pending 2
	// tick 2 pending 1
	// tick 3 pending 0
}
