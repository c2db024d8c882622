package peers

import (
	"fmt"
	"time"

	"github.com/RussellLuo/timingwheel"
	"github.com/wheelscope/wheelscope/wheel/timer"
)

// The pairs below are the guide's (docs/GUIDE.md): what a program has, and what it
// becomes. They are here so that both halves compile and run.

func Example_fromTime() {
	done := make(chan string, 2)

	before := time.AfterFunc(time.Hour, func() { done <- "time" })
	before.Reset(2 * time.Millisecond)
	fmt.Println(<-done, before.Stop())

	wheel, err := timer.New() // once in a program, or timer.Default()
	if err != nil {
		panic(err)
	}
	after, err := wheel.AfterFunc(time.Hour, func() { done <- "wheel" })
	if err != nil { // shut down, or as many pending as were allowed
		panic(err)
	}
	after.Reset(2 * time.Millisecond)
	fmt.Println(<-done, after.Stop())
	// Output:
	// time false
	// wheel false
}

func Example_fromRussellLuo() {
	done := make(chan string, 2)

	old := timingwheel.NewTimingWheel(time.Millisecond, 20)
	old.Start()
	old.AfterFunc(2*time.Millisecond, func() { done <- "timingwheel" })
	fmt.Println(<-done)
	old.Stop()

	wheel, err := timer.New(timer.Tick(time.Millisecond)) // it runs from here on
	if err != nil {
		panic(err)
	}
	wheel.AfterFunc(2*time.Millisecond, func() { done <- "wheel" })
	fmt.Println(<-done)
	// Output:
	// timingwheel
	// wheel
}
