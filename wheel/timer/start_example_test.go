package timer_test

import (
	"context"
	"fmt"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer"
)

// A wheel with its own tick, callbacks that run one after another. Shutdown waits for them.
func ExampleNew() {
	w, err := timer.New(timer.WithTick(5*time.Millisecond), timer.WithExecutor(timer.Inline))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Pending(), w.Shutdown(context.Background()))

	_, err = timer.New(timer.WithTick(-1))
	fmt.Println(err != nil)
	// Output:
	// 0 <nil>
	// true
}

// The function is called after the delay, unless Stop returns true first.
func ExampleWheel_AfterFunc() {
	w, err := timer.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Close()
	fired := make(chan struct{})
	t := w.AfterFunc(10*time.Millisecond, func() { close(fired) })
	<-fired
	fmt.Println("stopped:", t.Stop())

	t = w.AfterFunc(time.Hour, func() {})
	fmt.Println("stopped:", t.Stop())
	// Output:
	// stopped: false
	// stopped: true
}
