package callout_test

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/system/callout"
)

// The second timer is in the slot that the hand visits at 1, 9, 17 and 25; its tick is compared
// at each visit.
func Example() {
	w, err := callout.New(callout.Config{Slots: 8})
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
	fmt.Println(w.Cost().Compared, "comparisons")
	// Output:
	// until 10: timer 1, due at 7
	// until 30: timer 2, due at 25
	// 5 comparisons
}
