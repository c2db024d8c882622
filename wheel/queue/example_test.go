package queue_test

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel/queue"
)

// The caller passes the time to Advance, which yields what is due.
func Example() {
	q := queue.New[string](0) // at tick 0
	tea := q.Add(180, "tea")
	q.Add(300, "eggs")
	bread := q.Add(2400, "bread")
	q.Reset(tea, 240)
	q.Remove(bread)
	for due, name := range q.Advance(1000) { // the time is 1000
		fmt.Println(name, "due at", due)
	}
	// Output:
	// tea due at 240
	// eggs due at 300
}
