package wheel_test

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/scheme/binheap"
)

// The events of a wheel, applied to an earlier state, give its current state.
func ExampleNewFold() {
	w, err := binheap.New(2, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	var before, after wheel.State
	w.AppendState(&before, wheel.AllEntries)
	log := wheel.Log{Keep: true}
	w.Observe(&log)
	w.Schedule(wheel.Spec{Due: 3, Key: 1})
	w.Schedule(wheel.Spec{Due: 5, Key: 2})

	fold := wheel.NewFold(&before)
	for i := range log.Events {
		if err := fold.Apply(0, &log.Events[i]); err != nil {
			fmt.Println(err)
			return
		}
	}
	w.AppendState(&after, wheel.AllEntries)
	state := fold.State(wheel.AllEntries)
	fmt.Println(fold.Live(), len(state.Places) == len(after.Places))
	// Output: 2 true
}
