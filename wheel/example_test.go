package wheel_test

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/scheme/binheap"
)

// The caller passes the time to Advance, which returns the timers that fired.
func Example() {
	w, err := algorithms.New("hierarchical", catalog.Params{"slots": int64(60), "levels": int64(3)}, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	names := map[uint32]string{1: "tea", 2: "eggs", 3: "bread"}
	w.Schedule(wheel.Spec{Due: 180, Key: 1})
	eggs, _, _ := w.Schedule(wheel.Spec{Due: 300, Key: 2})
	w.Schedule(wheel.Spec{Due: 2400, Key: 3})

	fired, _ := w.Advance(200, nil, 0)
	for _, x := range fired {
		fmt.Println(names[x.Key], "was due at", x.Due)
	}
	fmt.Println("eggs cancelled:", w.Cancel(eggs), "and again:", w.Cancel(eggs))
	fmt.Println(w.Len(), "left")
	// Output:
	// tea was due at 180
	// eggs cancelled: true and again: false
	// 1 left
}

// A driver sleeps until Next and advances there. A wheel of several levels may
// have work before a timer is due: its cascades.
func ExampleWheel_next() {
	w, _ := algorithms.New("hierarchical", catalog.Params{"slots": int64(10), "levels": int64(3)}, 0)
	w.Schedule(wheel.Spec{Due: 234, Key: 1})
	for at, ok := w.Next(); ok; at, ok = w.Next() {
		fired, _ := w.Advance(at, nil, 0)
		fmt.Println("at", at, "fired", len(fired))
	}
	// Output:
	// at 200 fired 0
	// at 230 fired 0
	// at 234 fired 1
}

// A repeating timer runs at a fixed rate, counted from due to due, and is scheduled
// again inside the advance.
func ExampleWheel_repeat() {
	w, _ := algorithms.New("heap", nil, 0)
	w.Schedule(wheel.Spec{Due: 5, Key: 1, Every: 10, Times: 3})
	fired, _ := w.Advance(100, nil, 0)
	for _, x := range fired {
		fmt.Println("run", x.Run, "due", x.Due)
	}
	// Output:
	// run 1 due 5
	// run 2 due 15
	// run 3 due 25
}

// Runs that are already due by the wheel's own clock are left to the caller of Schedule.
// A timer beyond the range is rejected with an error.
func ExampleWheel_schedule() {
	w, _ := algorithms.New("simple", catalog.Params{"slots": int64(8)}, 100)
	timer, runs, err := w.Schedule(wheel.Spec{Due: 100, Key: 1})
	fmt.Println(timer.IsZero(), runs, err)
	_, _, err = w.Schedule(wheel.Spec{Due: 108, Key: 2})
	fmt.Println(err)
	// Output:
	// true 1 <nil>
	// wheel: due beyond the range of the wheel
}

// A log receives an event for every change of a wheel. Folding the events onto a state
// yields the state after them.
func ExampleLog() {
	w, _ := algorithms.New("rounds", catalog.Params{"slots": int64(3)}, 0)
	log := wheel.Log{Keep: true}
	w.Observe(&log)
	w.Schedule(wheel.Spec{Due: 5, Key: 1})
	w.Advance(5, nil, 0)
	for _, e := range log.Events {
		fmt.Println(e.Kind)
	}
	// Output:
	// schedule
	// place
	// hand
	// hand
	// expire
}

// The error of New is one line with the parameter, the value found and the values
// expected.
func ExampleNew() {
	_, err := algorithms.New("simple", catalog.Params{"slots": int64(0)}, 0)
	fmt.Println(err)
	// Output:
	// slots: 0 is not between 1 and 65536
}

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
