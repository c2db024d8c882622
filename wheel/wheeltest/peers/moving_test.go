package peers

import (
	"context"
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
	<-time.NewTimer(time.Millisecond).C
	<-time.NewTicker(time.Millisecond).C

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
	single, err := wheel.NewTimer(time.Millisecond)
	if err != nil {
		panic(err)
	}
	<-single.C
	ticker, err := wheel.NewTicker(time.Millisecond)
	if err != nil {
		panic(err)
	}
	<-ticker.C
	// Output:
	// time false
	// wheel false
}

// each is a schedule as that library asks for it.
type each struct{ interval time.Duration }

func (e each) Next(last time.Time) time.Time { return last.Add(e.interval) }

func Example_fromRussellLuo() {
	done := make(chan string, 2)

	old := timingwheel.NewTimingWheel(time.Millisecond, 20)
	old.Start()
	before := old.AfterFunc(2*time.Millisecond, func() { done <- "timingwheel" })
	fmt.Println(<-done, before.Stop())
	old.ScheduleFunc(each{time.Minute}, func() {})
	old.Stop()

	wheel, err := timer.New(timer.Tick(time.Millisecond)) // it runs from here on
	if err != nil {
		panic(err)
	}
	after, err := wheel.AfterFunc(2*time.Millisecond, func() { done <- "wheel" })
	if err != nil {
		panic(err)
	}
	fmt.Println(<-done, after.Stop())
	wheel.Every("name", time.Minute, -1, func() {})
	pending, err := wheel.Shutdown(context.Background())
	fmt.Println(len(pending), err)
	// Output:
	// timingwheel false
	// wheel false
	// 1 <nil>
}
