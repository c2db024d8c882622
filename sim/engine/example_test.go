package engine_test

import (
	"context"
	"fmt"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
)

// All lanes of a program are run to its last tick. The records are in the order of the trace.
func ExampleEngine_Drive() {
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
	e, err := engine.NewEngine(p)
	if err != nil {
		fmt.Println(err)
		return
	}
	err = e.Drive(context.Background(), engine.DriveOptions{}, func(recs []engine.Record) error {
		for _, r := range recs {
			if _, ended := engine.OutcomeOf(&r); ended {
				fmt.Println(r.Tick, p.Scenario.Lanes[r.Lane].ID, r.Kind, p.Name(r.ID))
			}
		}
		return nil
	})
	fmt.Println(e.Lane(1).Cost().Total, err)
	// Output:
	// 3 simple expire a
	// 3 heap expire a
	// 11 <nil>
}
