package timer_test

import (
	"context"
	"fmt"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer"
)

// A timeout for each connection, moved whenever there is a sign of life.
func Example() {
	w, err := timer.New(timer.Tick(5 * time.Millisecond))
	if err != nil {
		fmt.Println(err)
		return
	}
	gone := make(chan string)
	w.Set("alice", 20*time.Millisecond, func() { gone <- "alice" })
	w.Set("bob", 20*time.Millisecond, func() { gone <- "bob" })
	w.Move("bob", time.Hour)
	fmt.Println(<-gone, "is gone")

	left, _ := w.Shutdown(context.Background())
	fmt.Println(len(left), "was waiting:", left[0].Key)
	// Output:
	// alice is gone
	// 1 was waiting: bob
}

// Where timeouts are counted by the million, a number of 8 bytes stands for each, which the
// garbage collector does not follow.
func ExampleWheel_Schedule() {
	w, err := timer.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Shutdown(context.Background())
	timeouts := make([]timer.ID, 1000) // one for each connection
	for n := range timeouts {
		timeouts[n], _ = w.Schedule(30*time.Second, func() { /* close it */ })
	}
	fmt.Println("answered in time:", w.Cancel(timeouts[7]))
	fmt.Println("and again:", w.Cancel(timeouts[7]), w.Pending())
	// Output:
	// answered in time: true
	// and again: false 999
}

// What repeats keeps its place in the interval when the program begins again, so that
// timers made at different times stay spread.
func ExampleWheel_EveryFrom() {
	w, err := timer.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Shutdown(context.Background())
	created := time.Now().Add(-90 * time.Second) // read from the session's record
	begun, ran := time.Now(), make(chan time.Duration)
	w.EveryFrom("session-7", created, 90010*time.Millisecond, 1, func() { ran <- time.Since(begun) })
	fmt.Println("runs when that interval ends, not one from now:", <-ran < time.Minute)
	// Output:
	// runs when that interval ends, not one from now: true
}
