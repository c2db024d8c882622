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
	// x
}
