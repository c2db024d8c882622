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
