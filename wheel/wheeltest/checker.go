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

// realSlack is the scheduling latency that is allowed in real time, in addition to a tick.
const realSlack = 150 * time.Millisecond

// checker is the context in which a property is checked: the implementation under test, its tick,
// and a record of the operations and of the first fault.
type checker struct {
	w                 Timers
	again             Factory
	config            config
	tick              time.Duration
	bubble            bool
	rand              *rand.Rand
	ops               []Op // operations to do, for a property of random operations
	begun             time.Time
	absent            string  // reason why the property cannot be checked on this machine or implementation; empty means none
	referenceLateness maximum // greatest lateness of a timer of package time, measured by startReference

	mu     sync.Mutex
	fault  string // the first fault; empty means none
	log    []Op
	timers int // number of timers created by afterDo
}

// testTimer is a timer whose firings are recorded.
type testTimer struct {
	x      *checker
	name   string
	handle Handle
	due    time.Time

	mu      sync.Mutex
	fired   []time.Time
	control time.Time // time at which the timer scheduled by compare fired; zero until then
}

// compare schedules a timer of package time for d from now, as a reference: s may be later than
// otherwise permitted if that timer is late, too, since both run under the same machine load.
func (s *testTimer) compare(d time.Duration) {
	s.mu.Lock()
	s.control = time.Time{}
	s.mu.Unlock()
	due := s.due
	time.AfterFunc(d, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.due.Equal(due) {
			s.control = time.Now()
		}
	})
}

// controlMax is the maximum time for which referenceLateness waits for its timer of package time.
const controlMax = time.Minute

// referenceLateness waits for the timer of package time that compare has scheduled with s, and
// returns the lateness of that timer.
func (s *testTimer) referenceLateness() time.Duration {
	for end := time.Now().Add(controlMax); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		at, due := s.control, s.due
		s.mu.Unlock()
		if !at.IsZero() {
			return max(0, at.Sub(due))
		}
	}
	return controlMax
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

// forget clears the recorded firings of s.
func (s *testTimer) forget() {
	s.mu.Lock()
	s.fired = nil
	s.mu.Unlock()
}

// failf records a fault. Only the first fault is kept, since later ones may be consequences of it.
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

// note records an operation, do (see Op.Do), on the named timer for the scenario that is written after a failure.
func (x *checker) note(do, name string, d time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.log) < OpsMax {
		x.log = append(x.log, Op{At: time.Since(x.begun), Do: do, Timer: name, Delay: d})
	}
}

// after schedules a timer of the implementation for d from now. The returned testTimer records its firings.
func (x *checker) after(d time.Duration) *testTimer { return x.afterDo(d, nil) }

// afterDo is like after for a timer that also calls do when it fires, unless do is nil.
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

// dueIn records that s, which is being scheduled, is due d from now.
func (s *testTimer) dueIn(d time.Duration) {
	s.mu.Lock()
	s.due = dueAfter(d)
	s.mu.Unlock()
	if !s.x.bubble {
		s.compare(d)
	}
}

// dueAfter returns the due time of a timer that is being scheduled with the delay d.
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

// stop records the operation, calls Stop of the implementation for timer s and returns the result.
func (x *checker) stop(s *testTimer) bool {
	x.note("cancel", s.name, 0)
	return x.w.Stop(s.handle)
}

// reset records the operation and reschedules timer s for d from now by Reset of the implementation.
func (x *checker) reset(s *testTimer, d time.Duration) {
	x.note("reset", s.name, d)
	s.dueIn(d)
	if err := x.w.(Resetter).Reset(s.handle, d); err != nil {
		x.failf("Reset(%v) of %s gives the error %q", d, s.name, err)
	}
}

// pass waits for d. In fake time it then waits until all functions due by then have run.
func (x *checker) pass(d time.Duration) {
	time.Sleep(d)
	if x.bubble {
		synctest.Wait()
		return
	}
	runtime.Gosched()
}

// settle waits for the maximum lateness, so that a timer that is due now must have fired.
func (x *checker) settle() { x.pass(x.slack()) }

// slack returns the maximum lateness of a timer that is not a fault: a tick, the option Allow and,
// in real time, realSlack.
func (x *checker) slack() time.Duration {
	d := x.tick + x.config.allow
	if !x.bubble {
		d += realSlack
	}
	return d
}

// spare returns slack without the tick: the option Allow and, in real time, realSlack.
func (x *checker) spare() time.Duration { return x.slack() - x.tick }

// ahead returns k ticks plus twice the result of spare: a delay for a timer that must not fire
// before the next step of the property.
func (x *checker) ahead(k int) time.Duration { return x.units(k) + 2*x.spare() }

// once checks that s has fired exactly once, not before it was due and at most slack late.
func (x *checker) once(s *testTimer) { x.about(s, 0) }

// about checks that s has fired exactly once: not earlier than `early` before it was due and not later than the
// maximum lateness after that.
func (x *checker) about(s *testTimer, early time.Duration) {
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

// never checks that s has not fired. why completes the message "… fired … times although …".
func (x *checker) never(s *testTimer, why string) {
	if n := len(s.times()); n > 0 {
		x.failf("%s fired %d times although %s", s.name, n, why)
	}
}

// checkAnswer checks that got, a result of Stop or Remove, equals want, unless NoAnswers is set.
// what names the call in the message.
func (x *checker) checkAnswer(what string, got, want bool) {
	if got != want && !x.config.mute {
		x.failf("%s returned %v, not %v", what, got, want)
	}
}

// hangTime is the duration after which a call is reported as a hang. In fake time it passes as soon
// as all goroutines are blocked.
const hangTime = 2 * time.Second

// returns reports whether call, which takes no time by itself, returns within hangTime. If it does
// not, that is recorded as a fault of what, the name of the call.
func (x *checker) returns(what string, call func()) bool { return x.returnsAfter(what, 0, call) }

// returnsAfter reports whether call, which takes length by itself, returns at most hangTime later.
// If it does not, that is recorded as a fault of what, the name of the call.
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

// counter counts the calls of a timer's function, which may run in any goroutine.
type counter struct{ atomic.Int64 }

func (c *counter) up() { c.Add(1) }
