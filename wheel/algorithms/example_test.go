package algorithms_test

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Three timers, on two algorithms that are selected by name.
func Example() {
	for _, id := range []string{"heap", "netty"} {
		w, err := algorithms.New(id, nil, 0)
		if err != nil {
			fmt.Println(err)
			return
		}
		for key, due := range []wheel.Tick{30, 10, 20} {
			w.Schedule(wheel.Spec{Due: due, Key: uint32(key + 1)})
		}
		for at, ok := w.Next(); ok && w.Len() > 0; at, ok = w.Next() {
			fired, _ := w.Advance(at, nil, 0)
			for _, x := range fired {
				fmt.Printf("%s: timer %d is %d late\n", id, x.Key, at-x.Due)
			}
		}
	}
	// Output:
	// heap: timer 2 is 0 late
	// heap: timer 3 is 0 late
	// heap: timer 1 is 0 late
	// netty: timer 2 is 1 late
	// netty: timer 3 is 1 late
	// netty: timer 1 is 1 late
}

// The description of an algorithm, and its parameters that have defaults.
func ExampleLookup() {
	a, ok := algorithms.Lookup("simple")
	if !ok {
		return
	}
	p, err := a.Fill(catalog.Params{"slots": int64(60)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.ID, "-", a.Source)
	fmt.Println("slots:", p["slots"], "width:", p["width"], "exact:", a.Exact(p))
	// Output:
	// simple - Varghese & Lauck 1987, Scheme 4 (section 5)
	// slots: 60 width: 1 exact: true
}
