package wheeltest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing/synctest"
	"time"
)

// realSlack is added to the permitted lateness of timers in real time, to allow for the scheduling
// latency of the machine.
const realSlack = 150 * time.Millisecond

// checker is the context in which a property is checked: the implementation under test, its tick,
// the operations performed so far, and the first fault found.
type checker struct {
	w                 Timers
	again             Factory // creates another instance of the implementation
	config            config
	tick              time.Duration // resolution of w
	bubble            bool          // whether the property is checked in fake time, in a bubble of testing/synctest
	rand              *rand.Rand
	ops               []Op          // operations to perform, if the property has random operations
	begun             time.Time     // time at which the check began
	over              chan struct{} // closed when the check has ended
	absent            string        // reason why the property cannot be checked on this machine or implementation; empty means none
	seen              string        // what was observed although the rule holds; empty means nothing
	referenceLateness maximum       // maximum time by which time.Sleep was late during the check, measured by startReference

	mu     sync.Mutex // guards the fields below
	fault  string     // the first fault; empty means none
	log    []Op       // operations performed so far, at most OpsMax
	timers int        // number of timers created by afterDo and every
}

// testTimer is a timer of the implementation under test. It records when it fires.
type testTimer struct {
	x      *checker
	name   string
	handle Handle
	due    time.Time

	mu        sync.Mutex
	fired     []time.Time // times at which the timer has fired
	reference time.Time   // time at which the reference timer (see compare) has fired; zero if it has not fired yet
}

// compare starts a timer of package time with delay d as a reference for s. If the reference is
// late, s may also be later than otherwise permitted, because both run under the same machine load.
func (s *testTimer) compare(d time.Duration) {
	s.mu.Lock()
	s.reference = time.Time{}
	s.mu.Unlock()
	due := s.due
	time.AfterFunc(d, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.due.Equal(due) {
			s.reference = time.Now()
		}
	})
}

// referenceMax is the maximum time for which testTimer.referenceLateness waits.
const referenceMax = time.Minute

// referenceLateness waits until the timer of package time that compare started for s fires, and returns that timer's
// lateness. If that timer does not fire within referenceMax, the result is referenceMax.
func (s *testTimer) referenceLateness() time.Duration {
	for end := time.Now().Add(referenceMax); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		at, due := s.reference, s.due
		s.mu.Unlock()
		if !at.IsZero() {
			return max(0, at.Sub(due))
		}
	}
	return referenceMax
}

func (s *testTimer) fire() {
	s.mu.Lock()
	s.fired = append(s.fired, time.Now())
	s.mu.Unlock()
}

func (s *testTimer) times() []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fired
}

// forget clears s.fired, the times at which s has fired.
func (s *testTimer) forget() {
	s.mu.Lock()
	s.fired = nil
	s.mu.Unlock()
}

// failf records a fault, unless one has already been recorded. Later faults may be consequences of
// the first.
func (x *checker) failf(format string, args ...any) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.fault == "" {
		x.fault = fmt.Sprintf(format, args...)
	}
}

func (x *checker) failed() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.fault != ""
}

// note records an operation on the named timer, for the scenario that is written after a failure. do is the kind
// of operation (see Op.Do), and d its delay.
func (x *checker) note(do, name string, d time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.log) < OpsMax {
		x.log = append(x.log, Op{At: time.Since(x.begun), Do: do, Timer: name, Delay: d})
	}
}

// after schedules a timer with delay d in the implementation under test.
func (x *checker) after(d time.Duration) *testTimer { return x.afterDo(d, nil) }

// afterDo is like after, but the timer also calls do when it fires, unless do is nil.
func (x *checker) afterDo(d time.Duration, do func()) *testTimer {
	x.mu.Lock()
	x.timers++
	s := &testTimer{x: x, name: fmt.Sprint("timer", x.timers)}
	x.mu.Unlock()
	x.arm(s, d, do)
	return s
}

func (x *checker) arm(s *testTimer, d time.Duration, do func()) {
	x.note("schedule", s.name, d)
	s.dueIn(d)
	h, err := x.w.AfterFunc(d, func() {
		s.fire()
		if do != nil {
			do()
		}
	})
	if err != nil {
		x.failf("AfterFunc(%v) of %s gives the error %q", d, s.name, err)
	}
	s.handle = h
}

// dueIn records that s, which is being scheduled, is due d from now. In real time it also starts
// the reference timer of s (see compare).
func (s *testTimer) dueIn(d time.Duration) {
	s.mu.Lock()
	s.due = dueAfter(d)
	s.mu.Unlock()
	if !s.x.bubble {
		s.compare(d)
	}
}

// dueAfter returns the due time of a timer that is scheduled now with delay d.
func dueAfter(d time.Duration) time.Time {
	now := time.Now()
	if d <= 0 {
		return now
	}
	if d > math.MaxInt64/2 { // beyond what a time.Time can be compared by
		d = math.MaxInt64 / 2
	}
	return now.Add(d)
}

// stop calls the Stop method of the implementation under test on s, records the operation, and returns the result.
func (x *checker) stop(s *testTimer) bool {
	x.note("cancel", s.name, 0)
	return x.w.Stop(s.handle)
}

// reset calls the Reset method of the implementation under test on s, with delay d, and records the operation.
func (x *checker) reset(s *testTimer, d time.Duration) {
	x.note("reset", s.name, d)
	s.dueIn(d)
	if err := x.w.(Resetter).Reset(s.handle, d); err != nil {
		x.failf("Reset(%v) of %s gives the error %q", d, s.name, err)
	}
}

// pass waits for d. In fake time it then waits until all goroutines are blocked, so that the
// functions of timers due by then have been called.
func (x *checker) pass(d time.Duration) {
	time.Sleep(d)
	if x.bubble {
		synctest.Wait()
		return
	}
	runtime.Gosched()
}

// settle waits for the maximum permitted lateness of a timer (see slack). Timers that are due now must then have fired.
func (x *checker) settle() { x.pass(x.slack()) }

// slack returns the maximum permitted lateness of a timer: the sum of a tick, the value of the
// Allow option and, in real time, realSlack.
func (x *checker) slack() time.Duration {
	d := x.tick + x.config.allow
	if !x.bubble {
		d += realSlack
	}
	return d
}

// spare returns the permitted lateness (see slack) minus one tick.
func (x *checker) spare() time.Duration { return x.slack() - x.tick }

// ahead returns a delay of k ticks plus twice the result of spare, which is the permitted lateness minus one tick. A
// timer with this delay does not fire before the next operation of a check, even if that operation is late.
func (x *checker) ahead(k int) time.Duration { return x.units(k) + 2*x.spare() }

// checkFired checks that s has fired exactly once, not before it was due and no later than
// permitted (see slack). In real time, s may be later by twice the lateness of its reference timer
// (see compare).
func (x *checker) checkFired(s *testTimer) { x.checkFiredAbout(s, 0) }

// checkFiredAbout is like checkFired, but permits s to fire early by up to the given duration.
func (x *checker) checkFiredAbout(s *testTimer, early time.Duration) {
	slack := x.slack()
	if !x.bubble {
		referenceLateness := s.referenceLateness()
		slack += 2 * referenceLateness
		for end := s.due.Add(slack); len(s.times()) == 0 && time.Now().Before(end); {
			time.Sleep(x.tick)
		}
	}
	fired := s.times()
	switch {
	case len(fired) == 0:
		x.failf("%s has not fired, %v after it was due", s.name, time.Since(s.due))
	case len(fired) > 1:
		x.failf("%s has fired %d times", s.name, len(fired))
	case s.due.Sub(fired[0]) > early:
		x.failf("%s fired %v early", s.name, s.due.Sub(fired[0]))
	case fired[0].Sub(s.due) > slack:
		x.failf("%s fired %v late; a tick is %v", s.name, fired[0].Sub(s.due), x.tick)
	}
}

// checkNotFired checks that s has not fired. If it has, the fault message ends with "although" and the text why.
func (x *checker) checkNotFired(s *testTimer, why string) {
	if n := len(s.times()); n > 0 {
		x.failf("%s fired %d times although %s", s.name, n, why)
	}
}

// checkAnswer checks that got, the result of a call to Stop or Remove, equals want, unless the
// NoAnswers option is set. The fault message begins with what, a name for the call.
func (x *checker) checkAnswer(what string, got, want bool) {
	if got != want && !x.config.mute {
		x.failf("%s returned %v, not %v", what, got, want)
	}
}

// hangTime is the time within which a call must return. In fake time the limit is 1,000 ticks if
// that is longer; waiting so long costs nothing, because fake time passes as soon as all goroutines
// are blocked.
const hangTime = 2 * time.Second

// returns reports whether call returns within hangTime. If it does not, returns records a fault whose message begins
// with what, a name for the call.
func (x *checker) returns(what string, call func()) bool { return x.returnsAfter(what, 0, call) }

// returnsAfter is like returns, but allows call to take longer than hangTime by the given length of time.
func (x *checker) returnsAfter(what string, length time.Duration, call func()) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		call()
	}()
	limit := hangTime
	if x.bubble {
		limit = max(limit, 1000*x.tick)
	}
	limit += length
	select {
	case <-done:
		return true
	case <-time.After(limit):
		x.failf("%s has not returned after %v", what, limit)
		return false
	}
}

// counter counts the calls to a timer's function, which may run in any goroutine.
type counter struct{ atomic.Int64 }

func (c *counter) up() { c.Add(1) }
