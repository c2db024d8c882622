package simtest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/simtest"
)

// Scheduler is the interface through which a program uses timers.
type Scheduler interface {
	Call(d time.Duration, f func()) (stop func())
	Every(d time.Duration) (c <-chan time.Time, stop func())
}

// recorded is a Scheduler whose timers are recorded.
type recorded struct{ rec *simtest.Recorder }

func (r recorded) Call(d time.Duration, f func()) func() {
	t := r.rec.AfterFunc(d, f)
	return func() { t.Stop() }
}

func (r recorded) Every(d time.Duration) (<-chan time.Time, func()) {
	t := r.rec.NewTicker(d)
	return t.C, t.Stop
}

// runProgram is the tested program: it stops a timeout after the first tick.
func runProgram(s Scheduler, mock *clock.Mock) {
	stopTimeout := s.Call(time.Second, func() {})
	ticks, stopTicks := s.Every(100 * time.Millisecond)
	mock.Add(100 * time.Millisecond)
	<-ticks
	stopTimeout()
	stopTicks()
}

// A program with its own interface is recorded through an adapter of a few lines.
func Example_ownInterface() {
	var t testing.TB = new(testing.T) // that of the test
	mock := clock.NewMock()
	rec := simtest.Record(t, mock, time.Millisecond)
	runProgram(recorded{rec}, mock)

	scenario, err := program.Load(rec.Scenario()) // a test calls rec.Golden("testdata/program.jsonl")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, op := range scenario.Ops {
		fmt.Println(op.At, op.Kind.Arms(), op.Delay, op.Every)
	}
	// Output:
	// 0 true 1000 0
	// 0 true 100 100
	// 100 false 0 0
	// 100 false 0 0
}

// lease ends unless it is renewed every second.
type lease struct{ timer *clock.Timer }

func newLease(c clock.Clock, end func()) *lease { return &lease{c.AfterFunc(time.Second, end)} }

func (l *lease) renew() { l.timer.Reset(time.Second) }
func (l *lease) close() { l.timer.Stop() }

// A program that takes a clock.Clock is recorded with a clock of this package.
func ExampleRecordClock() {
	var t testing.TB = new(testing.T) // that of the test
	c := simtest.RecordClock(t, time.Millisecond)
	l := newLease(c, func() {})
	c.Add(700 * time.Millisecond)
	l.renew()
	c.Add(300 * time.Millisecond)
	l.close()

	scenario, err := program.Load(c.Scenario()) // a test calls c.Golden("testdata/lease.jsonl")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, op := range scenario.Ops {
		fmt.Println(op.At, op.Kind, op.Delay)
	}
	// Output:
	// 0 schedule 1000
	// 700 reset 1000
	// 1000 cancel 0
}
