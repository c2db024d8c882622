package simtest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/simtest"
)

// lease ends unless it is renewed every second. It takes its timers from a Clock.
type lease[T simtest.Stopper] struct{ timer T }

func newLease[T simtest.Stopper](c simtest.Clock[T], end func()) *lease[T] {
	return &lease[T]{c.AfterFunc(time.Second, end)}
}

func (l *lease[T]) renew() { l.timer.Reset(time.Second) }
func (l *lease[T]) close() { l.timer.Stop() }

// systemClock is the Clock of the program in production. The scheduler of a timer.Wheel is one too.
type systemClock struct{}

func (systemClock) AfterFunc(d time.Duration, f func()) *time.Timer { return time.AfterFunc(d, f) }

// In production the program is passed a Clock on package time, in a test a Recorder on a fake clock.
func ExampleRecord() {
	production := newLease(systemClock{}, func() {})
	production.renew()
	production.close()

	var t testing.TB = new(testing.T) // that of the test
	mock := clock.NewMock()
	rec := simtest.Record(t, mock, time.Millisecond)
	l := newLease(rec, func() {})
	mock.Add(700 * time.Millisecond)
	l.renew()
	mock.Add(300 * time.Millisecond)
	l.close()

	printOps(rec) // a test calls rec.Golden("testdata/lease.jsonl")
	// Output:
	// 0 schedule 1000
	// 700 reset 1000
	// 1000 cancel 0
}

// printOps prints the recorded operations.
func printOps(rec *simtest.Recorder) {
	p, err := program.Load(rec.Scenario())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, op := range p.Ops {
		fmt.Println(op.At, op.Kind, op.Delay)
	}
}

// Scheduler is the interface through which another program uses timers.
type Scheduler interface {
	Call(d time.Duration, f func()) (stop func())
}

// recorded is a Scheduler whose timers are recorded.
type recorded struct{ rec *simtest.Recorder }

func (r recorded) Call(d time.Duration, f func()) func() {
	t := r.rec.AfterFunc(d, f)
	return func() { t.Stop() }
}

// A program with its own interface is recorded through an adapter of a few lines.
func Example_ownInterface() {
	var t testing.TB = new(testing.T) // that of the test
	mock := clock.NewMock()
	rec := simtest.Record(t, mock, time.Millisecond)
	var s Scheduler = recorded{rec}
	stop := s.Call(time.Second, func() {})
	mock.Add(100 * time.Millisecond)
	stop()

	printOps(rec)
	// Output:
	// 0 schedule 1000
	// 100 cancel 0
}
