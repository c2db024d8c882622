package compare_test

import (
	"context"
	"fmt"

	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// The lanes of a scenario are compared by what each of them costs.
func ExampleLanes() {
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
	rows, err := compare.Lanes(context.Background(), p, nil)
	for _, r := range rows {
		fmt.Println(r.Lane, "fired", r.Fired, "cost", r.Cost)
	}
	fmt.Println(err)
	// Output:
	// simple fired 1 cost 10
	// heap fired 1 cost 11
	// <nil>
}

// A lane that rounds up differs from the oracle, which fires each timer when it is due.
func ExampleNewComparison() {
	ctx := context.Background()
	side, err := compare.OpenSide(ctx, "coarse.json", []byte(`{"wheelscope": 1, "until": 8,
		"lanes": [{"algorithm": "simple", "slots": 8, "width": 2}],
		"workload": {"ops": [{"at": 0, "op": "schedule", "timer": "a", "delay": 3}]}}`), tracefile.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := compare.NewComparison(ctx, []compare.Side{side}, tracefile.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("late", c.Rows[0][0].Late, "by", c.Rows[0][0].LateMax)
	// Output: late 1 by 1
}
