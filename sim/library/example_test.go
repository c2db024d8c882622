package library_test

import (
	"fmt"

	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
)

func ExampleBuiltin() {
	data, ok := library.Builtin("three-slots")
	if !ok {
		return
	}
	p, err := program.Load(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, lane := range p.Scenario.Lanes {
		fmt.Println(lane.ID)
	}
	// Output:
	// simple
	// rounds
	// hierarchical
	// sorted
	// heap
}
