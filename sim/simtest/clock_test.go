package simtest_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/sim/simtest"
	"github.com/wheelscope/wheelscope/wheel/timer"
)

// The recorder and the wheel run the same programs.
var (
	_ simtest.Clock[*simtest.Timer] = (*simtest.Recorder)(nil)
	_ simtest.Clock[*timer.Timer]   = simtest.OnWheel(nil)
)

// session ends after a second without a heartbeat.
type session[T simtest.Stopper] struct {
	timeout T
}

func newSession[T simtest.Stopper](c simtest.Clock[T], end func()) *session[T] {
	return &session[T]{c.AfterFunc(time.Second, end)}
}

func (s *session[T]) signOfLife() { s.timeout.Reset(time.Second) }

// A program that accepts a Clock runs on a wheel of package timer. Its tests pass a Recorder
// instead: newSession(simtest.Record(t, mock, time.Millisecond), end).
func ExampleClock() {
	w, err := timer.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Close()
	ended := make(chan bool)
	s := newSession(simtest.OnWheel(w), func() { close(ended) })
	s.signOfLife()
	fmt.Println("stopped:", s.timeout.Stop())
	s.timeout.Reset(time.Millisecond)
	<-ended
	fmt.Println("ended")
	// Output:
	// stopped: true
	// ended
}

// The same program ends at the same time on a recorder and on a wheel.
func TestOneProgramOnBothClocks(t *testing.T) {
	onRecorder := run(t, func(t *testing.T, end func()) func() {
		s := newSession(simtest.Record(t, clock.New(), time.Millisecond), end)
		return s.signOfLife
	})
	onWheel := run(t, func(t *testing.T, end func()) func() {
		w, err := timer.New()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { w.Close() })
		s := newSession(simtest.OnWheel(w), end)
		return s.signOfLife
	})
	if want := 1700 * time.Millisecond; onRecorder != want || onWheel != want {
		t.Errorf("the session ended after %v on a recorder, %v on a wheel, want %v", onRecorder, onWheel, want)
	}
}

// run starts a session in a bubble, with a heartbeat after 700 ms, and returns the time after
// which it ended.
func run(t *testing.T, start func(t *testing.T, end func()) (signOfLife func())) (after time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		begun, ended := time.Now(), make(chan time.Duration, 1)
		signOfLife := start(t, func() { ended <- time.Since(begun) })
		time.Sleep(700 * time.Millisecond)
		signOfLife()
		after = <-ended
	})
	return after
}
