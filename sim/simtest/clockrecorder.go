package simtest

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
)

// ClockRecorder is a clock.Clock (see package github.com/benbjohnson/clock) that records a program's calls as
// the workload of a scenario, as a [Recorder] does. Like a clock.Mock, it advances only when Add is called. In
// the scenario, Timer, AfterFunc, After, Sleep, WithTimeout and WithDeadline schedule a timer, and Ticker and
// Tick schedule a repeating timer. The timers are named t1, t2, … in the order of these calls. A context that
// has no timer, because its deadline has passed or its parent expires earlier, is not recorded.
//
// The timers and tickers are structs of package clock, whose Stop and Reset methods cannot be intercepted.
// Instead, their state is compared with their previous state at each call to the clock, and before the clock
// advances or a timer fires. The tick of each Stop and Reset is therefore exact. If several Stop or Reset
// calls occur between two comparisons, the scenario contains
//
//   - the calls on different timers in the order in which the timers were created;
//   - for each timer, at most one Reset, the last one, and one Stop after it;
//   - no Stop of a timer that had already fired or been stopped.
//
// Timers with the same deadline fire in the order in which they became pending. The scenario does not contain
// firings, but it contains the calls that the functions of these timers make.
//
// A ClockRecorder may be used by multiple goroutines at once. Each comparison takes time proportional to the
// number of timers created, except timers that have ended and can no longer be reset, such as those of After.
type ClockRecorder struct {
	rec  *Recorder   // records the calls; guarded by mu instead of its own mutex
	mock *clock.Mock // creates the timers; the ClockRecorder itself advances the time and fires them

	mu     sync.Mutex // held while the clock must not move; locked before mockMu
	timers []*clockTimer
	turn   int64 // turn of the timer that became pending most recently; see clockTimer.turn

	// The remaining fields give access to unexported fields of mock, through reflection.

	mockMu   *sync.Mutex // points to the mutex of mock, which the Stop and Reset methods of its timers lock
	now      *time.Time  // points to the current time of mock, which is in the location mockZone
	mockList reflect.Value
}

// RecordClock starts a recording and returns its clock, which is at the Unix epoch. tick is the length of a
// tick of the scenario, at least a nanosecond, as for [Record]. RecordClock fails the test if package clock
// does not have the unexported fields of version 1.3.5.
func RecordClock(t testing.TB, tick time.Duration) *ClockRecorder {
	t.Helper()
	if difference := clockDifference(); difference != "" {
		t.Fatalf("record: %s; RecordClock needs version 1.3.5 of benbjohnson/clock", difference)
	}
	mock := clock.NewMock()
	c := &ClockRecorder{mock: mock, mockMu: field[sync.Mutex](mock, "mu"), now: field[time.Time](mock, "now")}
	*c.now = c.now.In(mockZone)
	list := reflect.ValueOf(mock).Elem().FieldByName("timers")
	c.mockList = reflect.NewAt(list.Type(), list.Addr().UnsafePointer()).Elem()
	c.rec = Record(t, lockedClock{mock, c.now}, tick)
	return c
}

// lockedClock is a clock.Mock whose Now method does not lock the Mock's mutex. Its caller must hold that mutex.
type lockedClock struct {
	clock.Clock
	now *time.Time
}

// Now returns the time of the clock. The caller must hold the mutex of the clock.Mock.
func (c lockedClock) Now() time.Time { return c.now.Local() }

// lock blocks all other calls to the clock and its timers until unlock is called.
func (c *ClockRecorder) lock()   { c.mu.Lock(); c.mockMu.Lock() }
func (c *ClockRecorder) unlock() { c.mockMu.Unlock(); c.mu.Unlock() }

// observe records the calls to Stop and Reset since the previous call to observe, which it detects by comparing the
// state of each timer with its previous state. The caller must hold c.mu and c.mockMu.
func (c *ClockRecorder) observe() {
	for _, t := range c.timers {
		reset := t.next.Location() == mockZone
		if reset {
			c.noteReset(t)
		}
		if *t.stopped && (t.pending || reset) {
			c.rec.note(call{Op: "cancel", Timer: t.name})
		}
		if !*t.stopped && !t.pending {
			c.turn++
			t.turn = c.turn
		}
		t.pending = !*t.stopped
		if t.every != nil {
			c.rec.running[t.name] = t.pending
		}
	}
	c.timers = slices.DeleteFunc(c.timers, func(t *clockTimer) bool { return t.once && !t.pending })
	c.mockList.SetZero() // each Stop would search and sort it
}

// noteReset records a call to Reset that has set the current deadline of t, and converts the deadline from the
// location mockZone to the local time zone, so that the call is not recorded again.
func (c *ClockRecorder) noteReset(t *clockTimer) {
	*t.next = t.next.Local()
	op := call{Op: "reset", Timer: t.name, Delay: c.rec.ticks(t.next.Sub(*c.now))}
	if t.every != nil {
		op.Every = c.rec.ticks(*t.every)
	}
	c.rec.note(op)
}

// create calls f, which creates a *clock.Timer or *clock.Ticker, and records the timer. The clock does not
// advance during the call. once is true if the timer fires once and the program has no handle to it, as is
// the case after a call to After.
func create[T clock.Timer | clock.Ticker](c *ClockRecorder, once bool, f func() *T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mockMu.Lock()
	c.observe()
	c.mockMu.Unlock()
	created := f() // locks the Mock itself
	if created == nil {
		return
	}
	c.mockMu.Lock()
	defer c.mockMu.Unlock()
	c.turn++
	t := timerOf(created)
	t.once, t.pending, t.turn = once, true, c.turn
	*t.next = t.next.Local()
	d := t.next.Sub(*c.now)
	if t.every == nil {
		t.name = c.rec.scheduled("t", d, nil)
	} else {
		t.name = c.rec.scheduled("t", d, c.rec.ticks(d))
		c.rec.running[t.name] = true
	}
	c.timers = append(c.timers, t)
}

// fireNext advances the clock to the earliest deadline of a pending timer and fires that timer. If no deadline
// is at or before limit, it advances the clock to limit, fires no timer and returns false.
func (c *ClockRecorder) fireNext(limit time.Time) bool {
	c.lock()
	defer c.unlock()
	c.observe()
	var due *clockTimer
	for _, t := range c.timers {
		if t.pending && !t.next.After(limit) && (due == nil || t.before(due)) {
			due = t
		}
	}
	if due == nil {
		c.moveTo(limit)
		return false
	}
	c.moveTo(*due.next)
	due.fire(c.now.Local())
	return true
}

// moveTo advances the clock to t without firing timers. It has no effect if the clock is already past t.
func (c *ClockRecorder) moveTo(t time.Time) {
	if t.After(*c.now) {
		*c.now = t.In(mockZone)
	}
}

// Add advances the clock by d and fires the timers that become due. Like clock.Mock.Add, it sleeps for a
// millisecond after it has fired a timer, and before it returns, so that goroutines of the program can continue.
// It must not be called concurrently.
func (c *ClockRecorder) Add(d time.Duration) {
	for to := c.Now().Add(d); c.fireNext(to); {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(time.Millisecond)
}

// Now returns the current time of the clock.
func (c *ClockRecorder) Now() time.Time {
	c.lock()
	defer c.unlock()
	c.observe()
	return c.now.Local()
}

// Since returns the time by which the clock has advanced since t.
func (c *ClockRecorder) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

// Until returns the time by which the clock must advance to reach t.
func (c *ClockRecorder) Until(t time.Time) time.Duration { return t.Sub(c.Now()) }

// AfterFunc is like time.AfterFunc, but uses the clock c.
func (c *ClockRecorder) AfterFunc(d time.Duration, f func()) (t *clock.Timer) {
	create(c, false, func() *clock.Timer { t = c.mock.AfterFunc(max(d, 0), f); return t })
	return t
}

// Timer is like time.NewTimer, but uses the clock c.
func (c *ClockRecorder) Timer(d time.Duration) *clock.Timer { return c.timer(d, false) }

// After is like time.After, but uses the clock c.
func (c *ClockRecorder) After(d time.Duration) <-chan time.Time { return c.timer(d, true).C }

// timer creates a timer that sends the time on its channel after d. Like clock.Mock.Timer, it then fires at
// most one timer that is due: the one with the earliest deadline, which may be the new timer. once is true if
// the program gets no handle to the timer.
func (c *ClockRecorder) timer(d time.Duration, once bool) (t *clock.Timer) {
	create(c, once, func() *clock.Timer {
		t = c.mock.AfterFunc(max(d, 0), nil)
		t.C = timerOf(t).c
		return t
	})
	if c.fireNext(c.Now()) {
		time.Sleep(time.Millisecond)
	}
	return t
}

// Sleep blocks until the clock has advanced by d.
func (c *ClockRecorder) Sleep(d time.Duration) { <-c.After(d) }

// Ticker is like time.NewTicker, but uses the clock c. It panics if d is not positive.
func (c *ClockRecorder) Ticker(d time.Duration) (t *clock.Ticker) {
	if d <= 0 {
		panic("simtest: the interval of a ticker must be longer than 0")
	}
	create(c, false, func() *clock.Ticker { t = c.mock.Ticker(d); return t })
	return t
}

// Tick is like time.Tick, but uses the clock c.
func (c *ClockRecorder) Tick(d time.Duration) <-chan time.Time { return c.Ticker(d).C }

// WithTimeout is like context.WithTimeout, but uses the clock c.
func (c *ClockRecorder) WithTimeout(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return c.context(parent, func() time.Time { return c.now.Local().Add(d) })
}

// WithDeadline is like context.WithDeadline, but uses the clock c.
func (c *ClockRecorder) WithDeadline(parent context.Context, at time.Time) (context.Context, context.CancelFunc) {
	return c.context(parent, func() time.Time { return at })
}

// context returns a copy of parent that expires when the clock c reaches the time returned by deadline. The clock
// does not advance while deadline runs.
func (c *ClockRecorder) context(parent context.Context, deadline func() time.Time) (ctx context.Context, cancel context.CancelFunc) {
	create(c, true, func() *clock.Timer {
		ctx, cancel = c.mock.WithDeadline(parent, deadline())
		return timerOfContext(ctx)
	})
	return ctx, cancel
}

// Scenario returns the calls recorded so far as a scenario with the given lanes, as [Recorder.Scenario] does.
func (c *ClockRecorder) Scenario(lanes ...string) []byte {
	c.rec.t.Helper()
	c.lock()
	defer c.unlock()
	c.observe()
	return c.rec.Scenario(lanes...)
}

// Golden compares the trace of the recorded scenario with the golden file, as the function [Golden] does.
// lanes are JSON objects as in a scenario file; if there are none, Golden uses those that [Recorder.Scenario] chooses.
func (c *ClockRecorder) Golden(file string, lanes ...string) {
	c.rec.t.Helper()
	Golden(c.rec.t, c.Scenario(lanes...), file)
}

// GoldenExpiries compares the expiries of the recorded scenario with the golden file, as the function
// [GoldenExpiries] does. lanes are JSON objects as in a scenario file; if there are none, GoldenExpiries uses
// those that [Recorder.Scenario] chooses.
func (c *ClockRecorder) GoldenExpiries(file string, lanes ...string) {
	c.rec.t.Helper()
	GoldenExpiries(c.rec.t, c.Scenario(lanes...), file)
}
