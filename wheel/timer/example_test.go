package timer_test

import (
	"context"
	"fmt"
	"log"
	"runtime/pprof"
	"runtime/trace"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer"
)

// conn is a connection with its timeout.
type conn struct {
	name    string
	timeout timer.Timer
	closed  chan string
}

func (c *conn) expire() { c.closed <- c.name }

// Each connection has its own timer, which is reset at every sign of life.
func Example() {
	w, err := timer.New(timer.WithTick(5*time.Millisecond), timer.WithExecutor(timer.Inline))
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	closed := make(chan string, 2)
	conns := make([]conn, 2)
	for k, name := range []string{"alice", "bob"} {
		c := &conns[k]
		c.name, c.closed = name, closed
		if c.timeout = w.AfterFunc(30*time.Millisecond, c.expire); err != nil {
			log.Fatal(err)
		}
	}
	conns[1].timeout.Reset(time.Hour)
	fmt.Println(<-closed, "is closed,", w.Pending(), "pending")
	fmt.Println("bob is stopped:", conns[1].timeout.Stop())
	// Output:
	// alice is closed, 1 pending
	// bob is stopped: true
}

// The hook gives callbacks a label in the CPU profile, and each callback a region in execution
// traces.
func ExampleWithCallbackHook() {
	labels := pprof.Labels("origin", "timer")
	w, err := timer.New(timer.WithCallbackHook(func(call func()) {
		pprof.Do(context.Background(), labels, func(ctx context.Context) {
			trace.WithRegion(ctx, "timer", call)
		})
	}))
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	done := make(chan bool)
	w.AfterFunc(time.Millisecond, func() { close(done) })
	<-done
	fmt.Println("called")
	// Output: called
}

// Runs of repeated work never overlap, and missed runs are skipped.
func ExampleWheel_TickFunc() {
	w, err := timer.New()
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	ticks := make(chan time.Time, 100)
	r := w.TickFunc(1500*time.Microsecond, func() { ticks <- time.Now() })
	for range 3 {
		<-ticks
	}
	r.Stop()
	fmt.Println("three ticks")
	// Output: three ticks
}

// A program that identifies its timers by name needs no handles.
func ExampleKeyed() {
	w, err := timer.New()
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	expired := make(chan string)
	sessions := timer.NewKeyed[string](w)
	for _, id := range []string{"s1", "s2", "s3"} {
		sessions.AfterFunc(id, 20*time.Millisecond, func(id string) { expired <- id })
	}
	sessions.Reset("s1", time.Hour)
	sessions.Stop("s2")
	fmt.Println(<-expired, "has expired")
	for id := range sessions.All() { // for example to save them before the program ends
		fmt.Println(id, "is pending")
	}
	// Output:
	// s3 has expired
	// s1 is pending
}

func ExampleWheel_WithTimeout() {
	w, err := timer.New()
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	ctx, cancel := w.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	<-ctx.Done()
	fmt.Println(ctx.Err())
	// Output: context deadline exceeded
}
