package program_test

import (
	"fmt"

	"github.com/wheelscope/wheelscope/sim/program"
)

// A scenario is planned: its operations are in order of execution, and defaults are filled in.
func ExampleLoad() {
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
	for _, op := range p.Ops {
		fmt.Println(op.At, op.Kind, p.Name(max(op.ID, op.Target)))
	}
	fmt.Println(p.Timers(), "timers, last tick", p.Until)
	// Output:
	// 0 schedule a
	// 0 schedule b
	// 2 cancel b
	// 2 timers, last tick 6
}
