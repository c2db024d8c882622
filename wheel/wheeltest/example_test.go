package wheeltest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel/wheeltest"
)

// timers implements Timers with package time.
type timers struct{}

func (timers) AfterFunc(d time.Duration, f func()) (wheeltest.Handle, error) {
	return time.AfterFunc(d, f), nil
}
func (timers) Stop(h wheeltest.Handle) bool { return h.(*time.Timer).Stop() }
func (timers) Pending() int                 { return wheeltest.Unknown }
func (timers) Tick() time.Duration          { return time.Millisecond }
func (timers) Close()                       {}

// An example with package time. In a test of your timers, replace the function by one that creates
// them.
func Example() {
	test := func(t *testing.T) {
		wheeltest.Run(t, func() (wheeltest.Timers, error) { return timers{}, nil },
			wheeltest.Unclaimed("closed", "package time can't be closed"))
	}
	_ = test // func TestTime in a program
}

// The list of the properties that are checked in real time only.
func ExampleProperties() {
	for _, p := range wheeltest.Properties() {
		if p.Real {
			fmt.Println(p.Name)
		}
	}
	// Output:
	// stop against firing
	// at once under load
	// reset against firing
	// keys under load
	// stop against repeats
	// pauses
	// drift
	// stall
}
