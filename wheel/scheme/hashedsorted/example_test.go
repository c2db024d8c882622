package hashedsorted_test

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/scheme/hashedsorted"
)

// Both timers are in sorted lists, of which a tick examines the first.
func Example() {
	w, err := hashedsorted.New(hashedsorted.Config{Slots: 8, Width: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	w.Schedule(wheel.Spec{Due: 7, Key: 1})
	w.Schedule(wheel.Spec{Due: 25, Key: 2})
	for _, to := range []wheel.Tick{10, 20, 30} {
		fired, _ := w.Advance(to, nil, 0)
		for _, x := range fired {
			fmt.Printf("until %d: timer %d, due at %d\n", to, x.Key, x.Due)
		}
	}
	// Output:
	// until 10: timer 1, due at 7
	// until 30: timer 2, due at 25
}
