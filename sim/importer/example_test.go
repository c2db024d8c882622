package importer_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/wheelscope/wheelscope/sim/importer"
)

// A workload in a table becomes a scenario with default lanes.
func ExampleRead() {
	table := "at,op,id,delay\n0,schedule,a,3\n2,cancel,a,\n"
	r, err := importer.Read(context.Background(), strings.NewReader(table), importer.Options{Name: "calls.csv"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Kind, r.Program.Scenario.Name, len(r.Program.Ops), "operations")

	_, err = importer.Read(context.Background(), strings.NewReader("at,op,id,delay\n0,start,a,3\n"), importer.Options{})
	fmt.Println(err)
	// Output:
	// csv calls 2 operations
	// line 2: op: "start" is not one of schedule, set, cancel, reset, stall, clock
}
