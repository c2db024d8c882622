package scenario_test

import (
	"fmt"

	"github.com/wheelscope/wheelscope/sim/scenario"
)

// A scenario is decoded, and the first error is described in one line.
func ExampleDecode() {
	s, err := scenario.Decode([]byte(`{"wheelscope": 1, "lanes": [{"algorithm": "heap"}],
		"workload": {"ops": [{"at": 0, "op": "schedule", "timer": "a", "delay": "3ms"}]}}`), scenario.DecodeOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Lanes[0].Algorithm, s.Ops[0].Kind, s.Ops[0].Delay)

	_, err = scenario.Decode([]byte(`{"wheelscope": 1, "lanes": []}`), scenario.DecodeOptions{})
	fmt.Println(err)
	// Output:
	// heap schedule 3
	// workload: missing; expected an object with ops and generate
}

func ExampleParseDuration() {
	ns, err := scenario.ParseDuration("1.5ms")
	fmt.Println(ns, err)
	// Output: 1500000 <nil>
}
