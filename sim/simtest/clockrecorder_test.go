package simtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"
)

var _ clock.Clock = (*ClockRecorder)(nil)

// handle is a timer or ticker of a clock.
type handle struct {
	stop  func() bool
	reset func(time.Duration) bool
}

// testedClock is a clock whose calls are recorded.
type testedClock struct {
	afterFunc func(time.Duration, func()) handle
	ticker    func(time.Duration) handle
	now       func() time.Time
	add       func(time.Duration)
	scenario  func(...string) []byte
}

// onRecorder records through the interface Clock.
func onRecorder(t *testing.T) testedClock {
	mock := clock.NewMock()
	rec := Record(t, mock, time.Millisecond)
	return testedClock{func(d time.Duration, f func()) handle {
		t := rec.AfterFunc(d, f)
		return handle{t.Stop, t.Reset}
	}, func(d time.Duration) handle {
		t := rec.NewTicker(d)
		return handle{func() bool { t.Stop(); return true }, func(d time.Duration) bool { t.Reset(d); return true }}
	}, rec.Now, mock.Add, rec.Scenario}
}

// onClock records a clock.Clock.
func onClock(t *testing.T) testedClock {
	rec := RecordClock(t, time.Millisecond)
	return testedClock{func(d time.Duration, f func()) handle {
		t := rec.AfterFunc(d, f)
		return handle{t.Stop, t.Reset}
	}, func(d time.Duration) handle {
		t := rec.Ticker(d)
		return handle{func() bool { t.Stop(); return true }, func(d time.Duration) bool { t.Reset(d); return true }}
	}, rec.Now, rec.Add, rec.Scenario}
}

// randomProgram uses timers and tickers at random. If looks is set it reads the clock after each
// call. It stops only pending timers.
type randomProgram struct {
	testedClock
	looks   bool
	mu      sync.Mutex // the functions of timers run in goroutines
	random  *rand.Rand
	timers  []handle
	pending []bool
	log     []string // firings, and results of Stop and Reset
}

// delay is so precise that no two timers have the same deadline: if many have, the order in which
// a Mock fires them is not defined.
func (p *randomProgram) delay() time.Duration {
	return time.Duration(1 + p.random.IntN(9_000_000))
}

// call makes one call.
func (p *randomProgram) call() {
	n := len(p.timers)
	i := p.random.IntN(max(n, 1))
	switch k := p.random.IntN(8); {
	case n < 3 || k == 0 && n < 200:
		p.pending = append(p.pending, true)
		if p.random.IntN(4) == 0 {
			p.timers = append(p.timers, p.ticker(p.delay()))
			return
		}
		p.timers = append(p.timers, p.afterFunc(p.delay(), func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.pending[n] = false
			p.log = append(p.log, fmt.Sprint("fire ", n, p.now()))
			for range p.random.IntN(3) {
				p.call()
			}
		}))
	case k < 4 && p.pending[i]:
		p.log = append(p.log, fmt.Sprint("stop ", i, p.timers[i].stop()))
		p.pending[i] = false
	case k < 7:
		p.log = append(p.log, fmt.Sprint("reset ", i, p.timers[i].reset(p.delay())))
		p.pending[i] = true
	}
	if p.looks {
		p.now()
	}
}

// run runs the program and returns its scenario.
func (p *randomProgram) run() []byte {
	for range 150 {
		p.mu.Lock()
		for range p.random.IntN(4) {
			p.call()
		}
		d := p.delay() / 2
		p.mu.Unlock()
		p.add(d)
		synctest.Wait()
	}
	return p.scenario()
}

// A program's calls, results and firings are the same with both recorders. If it reads the
// clock after each call the scenarios are equal too, otherwise the net calls of each tick.
func TestClockRecorderEqualsRecorder(t *testing.T) {
	for seed := range uint64(30) {
		var scenarios [2][]byte
		var logs [2][]string
		for i, on := range []func(*testing.T) testedClock{onRecorder, onClock} {
			synctest.Test(t, func(t *testing.T) {
				p := &randomProgram{testedClock: on(t), looks: seed%2 == 0, random: rand.New(rand.NewPCG(seed, 24))}
				scenarios[i], logs[i] = p.run(), p.log
			})
		}
		for i, line := range logs[0] {
			if i == len(logs[1]) || line != logs[1][i] {
				t.Fatalf("seed %d: after %s\nthe program has %s with the recorder, %v with the clock", seed, strings.Join(logs[0][:i], ", "), line, logs[1][i:min(i+1, len(logs[1]))])
			}
		}
		if seed%2 == 0 {
			if a, b := traceOf(t, scenarios[0]), traceOf(t, scenarios[1]); a != b {
				t.Fatalf("seed %d: the recorder's trace is\n%s\nthat of the clock\n%s", seed, a, b)
			}
			continue
		}
		if a, b := netOf(t, scenarios[0]), netOf(t, scenarios[1]); !slices.Equal(a, b) {
			t.Fatalf("seed %d: the recorder has\n%s\nthe clock\n%s", seed, strings.Join(a, "\n"), strings.Join(b, "\n"))
		}
		traceOf(t, scenarios[1])
	}
}

// netOf returns for each tick and timer, sorted, the schedule, the last reset and a cancel after
// it.
func netOf(t *testing.T, scenario []byte) []string {
	type key struct {
		at    int64
		timer string
	}
	net := map[key]map[string]string{}
	for _, op := range operationsIn(t, scenario) {
		k := key{op.At, op.Timer}
		if net[k] == nil {
			net[k] = map[string]string{}
		}
		if op.Op == "reset" {
			delete(net[k], "cancel")
		}
		net[k][op.Op] = op.String()
	}
	var list []string
	for _, ops := range net {
		for _, text := range ops {
			list = append(list, text)
		}
	}
	slices.Sort(list)
	return list
}

// expectOps compares the operations of a recording.
func expectOps(t *testing.T, c *ClockRecorder, want ...string) {
	t.Helper()
	var got []string
	for _, op := range operationsIn(t, c.Scenario()) {
		got = append(got, op.String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("operations\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Each way to use the clock is recorded, and works as that of a Mock.
func TestClockRecorderCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := RecordClock(t, time.Millisecond)
		start := c.Now()
		timer, after, ticker, tick := c.Timer(5*time.Millisecond), c.After(6*time.Millisecond), c.Ticker(4*time.Millisecond), c.Tick(time.Second)
		ctx, cancel := c.WithTimeout(t.Context(), 7*time.Millisecond)
		defer cancel()
		stopped, stop := c.WithDeadline(t.Context(), start.Add(time.Minute))
		sooner, end := c.WithTimeout(ctx, time.Hour)
		defer end()
		past, _ := c.WithTimeout(t.Context(), 0)
		slept := make(chan time.Duration)
		go func() { c.Sleep(8 * time.Millisecond); slept <- c.Since(start) }()
		synctest.Wait()
		if deadline, ok := sooner.Deadline(); past.Err() == nil || !ok || deadline != start.Add(7*time.Millisecond) {
			t.Errorf("past context: %v, deadline %v", past.Err(), deadline)
		}
		stop()
		for range 8 {
			c.Add(time.Millisecond)
		}
		if at, at2, first := <-timer.C, <-after, <-ticker.C; at != start.Add(5*time.Millisecond) || at2 != start.Add(6*time.Millisecond) || first != start.Add(4*time.Millisecond) {
			t.Errorf("fired at %v, %v, %v", at, at2, first)
		}
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) || !errors.Is(stopped.Err(), context.Canceled) || sooner.Err() == nil {
			t.Errorf("contexts: %v, %v, %v", ctx.Err(), stopped.Err(), sooner.Err())
		}
		if d := <-slept; d != 8*time.Millisecond || c.Until(start) != -d || len(tick) != 0 {
			t.Errorf("slept %v", d)
		}
		ticker.Reset(3 * time.Millisecond)
		ticker.Reset(2 * time.Millisecond)
		timer.Reset(9 * time.Millisecond)
		c.Add(time.Millisecond)
		ticker.Stop()
		timer.Stop()
		timer.Reset(-time.Hour)
		timer.Stop()
		expectOps(t, c, "schedule t1 at tick 0 with delay 5", "schedule t2 at tick 0 with delay 6", "schedule t3 at tick 0 with delay 4 every 4",
			"schedule t4 at tick 0 with delay 1000 every 1000", "schedule t5 at tick 0 with delay 7", "schedule t6 at tick 0 with delay 60000",
			"schedule t7 at tick 0 with delay 8", "cancel t6 at tick 0", "reset t1 at tick 8 with delay 9", "reset t3 at tick 8 with delay 2 every 2",
			"reset t1 at tick 9 with delay 0", "cancel t1 at tick 9", "cancel t3 at tick 9")
		traceOf(t, c.Scenario())
	})
}

// A Reset to the same deadline is recorded, and timers that are due at once fire.
func TestClockRecorderSameDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := RecordClock(t, time.Millisecond)
		a, b := c.Timer(time.Second), c.Timer(-time.Second)
		if at := <-b.C; at != c.Now() {
			t.Errorf("fired at %v", at)
		}
		a.Reset(time.Second)
		c.Now()
		a.Stop()
		a.Reset(time.Second)
		fired := make(chan string, 3)
		for _, f := range []string{"x", "y", "z"} {
			c.AfterFunc(0, func() { fired <- f })
		}
		c.Add(0)
		if order := <-fired + <-fired + <-fired; order != "xyz" {
			t.Errorf("fired in the order %s", order)
		}
		expectOps(t, c, "schedule t1 at tick 0 with delay 1000", "schedule t2 at tick 0 with delay 0", "reset t1 at tick 0 with delay 1000",
			"reset t1 at tick 0 with delay 1000", "schedule t3 at tick 0 with delay 0", "schedule t4 at tick 0 with delay 0", "schedule t5 at tick 0 with delay 0")
	})
}

// Goroutines may use the clock and its timers at any time. Every recorded delay is one that was
// passed to a call, because the clock does not move between a call and its recording.
func TestClockRecorderGoroutines(t *testing.T) {
	c := RecordClock(t, time.Microsecond)
	var users sync.WaitGroup
	var left atomic.Int32
	left.Store(4)
	for i := range 4 {
		users.Go(func() {
			defer left.Add(-1)
			random := rand.New(rand.NewPCG(uint64(i), 0))
			delay := func() time.Duration { return time.Duration(7*(1+random.IntN(1000))) * time.Microsecond }
			a, b, k := c.AfterFunc(delay(), func() { c.Now() }), c.Timer(delay()), c.Ticker(delay())
			for range 1000 {
				switch random.IntN(5) {
				case 0:
					a.Stop()
				case 1:
					k.Reset(delay())
				case 2:
					b.Reset(delay())
				case 3:
					_, cancel := c.WithTimeout(t.Context(), delay())
					cancel()
				default:
					a.Reset(delay())
				}
				time.Sleep(time.Microsecond)
			}
		})
	}
	for left.Load() > 0 {
		c.Add(123456 * time.Nanosecond)
	}
	users.Wait()
	ops := operationsIn(t, c.Scenario())
	for _, op := range ops {
		if op.Delay%7 != 0 || op.Delay > 7000 {
			t.Fatalf("nothing was called with the delay of %s", op)
		}
	}
	traceOf(t, c.Scenario())
}

// Intervals that a Mock accepts, and then loops on without end, are rejected.
func TestClockRecorderIntervals(t *testing.T) {
	c := RecordClock(t, time.Second)
	refused := func(f func()) (text any) {
		defer func() { text = recover() }()
		f()
		return nil
	}
	k := c.Ticker(time.Second)
	k.Reset(0)
	for _, f := range []func(){func() { c.Ticker(0) }, func() { c.Add(time.Second) }} {
		if text := refused(f); text != "simtest: the interval of a ticker must be longer than 0" {
			t.Errorf("got %v", text)
		}
	}
}

// A version of package clock with other fields is rejected with a one-line error.
func TestClockDifference(t *testing.T) {
	saved := clockFields[1]
	defer func() { clockFields[1] = saved }()
	for want, change := range map[string]func(){
		"clock.Mock has no field then":                               func() { clockFields[1].name = "then" },
		"the field mu of clock.Mock is of type sync.Mutex, not bool": func() { clockFields[1].name, clockFields[1].is = "mu", reflect.TypeFor[bool]() },
	} {
		change()
		if got := failureOf(func(tb testing.TB) { RecordClock(tb, 1) }); got != "record: "+want+"; RecordClock needs version 1.3.5 of benbjohnson/clock" {
			t.Errorf("got %q", got)
		}
	}
}
