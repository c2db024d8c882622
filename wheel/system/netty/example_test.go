package netty_test

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/system/netty"
)

// A tick of the wheel is processed when it is over, one tick after the timer was due.
func Example() {
	w, err := netty.New(netty.Config{Slots: 8, Width: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	w.Schedule(wheel.Spec{Due: 7, Key: 1})
	w.Schedule(wheel.Spec{Due: 25, Key: 2})
	for _, to := range []wheel.Tick{7, 8, 25, 26} {
		fired, _ := w.Advance(to, nil, 0)
		for _, x := range fired {
			fmt.Printf("until %d: timer %d, due at %d\n", to, x.Key, x.Due)
		}
	}
	// Output:
	// until 8: timer 1, due at 7
	// until 26: timer 2, due at 25
}
