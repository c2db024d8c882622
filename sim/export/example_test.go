package export_test

import (
	"context"
	"fmt"
	"os"

	"github.com/wheelscope/wheelscope/sim/export"
	"github.com/wheelscope/wheelscope/sim/program"
)

// The costs of a run as CSV, one row per lane and tick with events.
func ExampleWrite() {
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
	if err := export.Write(context.Background(), os.Stdout, p, "csv", export.Options{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// tick,lane,algorithm,waiting,scheduled,fired,early,late,cancelled,rejected,cascaded,findings,cost,cost_total
	// 0,simple,simple,2,2,0,0,0,0,0,0,0,2,2
	// 0,heap,heap,2,2,0,0,0,0,0,0,0,3,3
	// 2,simple,simple,1,0,0,0,0,1,0,0,0,2,5
	// 2,heap,heap,1,0,0,0,0,1,0,0,0,2,6
	// 3,simple,simple,0,0,1,0,0,0,0,0,0,2,7
	// 3,heap,heap,0,0,1,0,0,0,0,0,0,2,8
}
