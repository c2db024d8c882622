package peers

import (
	"context"
	"fmt"
	"time"

	"github.com/RussellLuo/timingwheel"
	"github.com/wheelscope/wheelscope/wheel/timer"
)

// The pairs of examples below are in docs/GUIDE.md: a program before and after it changes its
// library. They are here so that both versions compile and run.

func Example_fromTime() {
	done := make(chan string, 100)

	before := time.AfterFunc(time.Hour, func() { done <- "time" })
	before.Reset(2 * time.Millisecond)
	fmt.Println(<-done, before.Stop())
	ticker := time.NewTicker(time.Millisecond)
	go func() {
		for range ticker.C {
			done <- "ticker"
		}
	}()
	fmt.Println(<-done)
	ticker.Stop()

	wheel := timer.Default() // or a wheel from timer.New, which must be closed
	after := wheel.AfterFunc(time.Hour, func() { done <- "wheel" })
	after.Reset(2 * time.Millisecond)
	fmt.Println(<-done, after.Stop())
	repeat := wheel.TickFunc(time.Millisecond, func() { done <- "repeat" })
	fmt.Println(<-done)
	repeat.Stop()
	// Output:
	// time false
	// ticker
	// wheel false
	// repeat
}

// each is a schedule of fixed intervals, of the type that the library requires.
type each struct{ interval time.Duration }

func (e each) Next(last time.Time) time.Time { return last.Add(e.interval) }

func Example_fromRussellLuo() {
	done := make(chan string, 100)

	old := timingwheel.NewTimingWheel(time.Millisecond, 20)
	old.Start()
	before := old.AfterFunc(2*time.Millisecond, func() { done <- "timingwheel" })
	fmt.Println(<-done, before.Stop())
	old.ScheduleFunc(each{time.Minute}, func() {})
	old.Stop()

	wheel, err := timer.New(timer.WithTick(time.Millisecond)) // New starts the wheel
	if err != nil {
		panic(err)
	}
	after := wheel.AfterFunc(2*time.Millisecond, func() { done <- "wheel" })
	fmt.Println(<-done, after.Stop())
	repeat := wheel.TickFunc(time.Minute, func() {})
	fmt.Println(repeat.Stop(), wheel.Shutdown(context.Background()))
	// Output:
	// timingwheel false
	// wheel false
	// true <nil>
}
