package simtest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// CallsMax is the maximum number of calls in the scenario of a Recorder. The test fails if there are more.
const CallsMax = 1 << 20

// Clock is an interface through which a program can schedule calls, so that it uses a timer wheel in production
// and a [Recorder] in a test. T is the type of the timers: *timer.Timer for a timer.Wheel (see
// [OnWheel]), *Timer for a Recorder.
//
// A golden file contains the calls of the program and the firings that the lanes simulate for them. The
// firings of the program's own clock are not recorded.
type Clock[T Stopper] interface {
	AfterFunc(d time.Duration, f func()) T
}

// Stopper is a timer that a Clock returns. Stop and Reset report whether the timer was pending.
type Stopper interface {
	Stop() bool
	Reset(d time.Duration) bool
}

// Recorder creates timers on a fake clock and records the calls on them, in order, as a scenario. It may be
// used by multiple goroutines at once.
type Recorder struct {
	t     testing.TB
	clock clock.Clock
	tick  time.Duration
	start time.Time

	mu    sync.Mutex
	ops   []call
	last  map[string]int  // maps each label to the number in the name of its latest timer, such as 2 for "retry2"
	names map[string]bool // set of the names that timers have been given
}

// call is a recorded call on a timer, in the form of a scenario operation.
type call struct {
	At    int64  `json:"at"`
	Op    string `json:"op"`
	Timer string `json:"timer"`
	Delay *int64 `json:"delay,omitempty"`
}

// Record starts a recording. The clock c must be a fake: a clock.Mock, or the result of clock.New() in a
// testing/synctest bubble. tick is the length of a tick of the scenario, at least a nanosecond. A call is
// recorded at the tick in which it occurs, and delays are rounded up to ticks. If all delays are multiples
// of tick, the order of expiries is preserved.
func Record(t testing.TB, c clock.Clock, tick time.Duration) *Recorder {
	t.Helper()
	if tick <= 0 {
		t.Fatalf("record: a tick of %s is not longer than nothing", tick)
	}
	return &Recorder{t: t, clock: c, tick: tick, start: c.Now(), last: map[string]int{}, names: map[string]bool{}}
}

// Timer is a timer of the fake clock that records calls to its methods. The methods may be called
// concurrently.
type Timer struct {
	C    <-chan time.Time // receives the time if the timer was created by NewTimer; nil for AfterFunc
	name string
	rec  *Recorder
	own  *clock.Timer
}

// AfterFunc calls f in its own goroutine after d, as time.AfterFunc does. The timers are named t1, t2, …
// in the order in which they are created.
func (r *Recorder) AfterFunc(d time.Duration, f func()) *Timer { return r.Named("t").AfterFunc(d, f) }

// NewTimer returns a timer that sends the time on its channel after d, as time.NewTimer does.
func (r *Recorder) NewTimer(d time.Duration) *Timer { return r.Named("t").NewTimer(d) }

// Named returns a Label that creates timers named after label: with "retry" they are named retry1, retry2, …
func (r *Recorder) Named(label string) Label { return Label{r, label} }

// Label creates timers whose names begin with a label. Its methods may be called concurrently.
type Label struct {
	rec   *Recorder
	label string
}

// AfterFunc is like Recorder.AfterFunc, but names the timer after the label.
func (l Label) AfterFunc(d time.Duration, f func()) *Timer {
	r := l.rec
	r.mu.Lock()
	defer r.mu.Unlock()
	name := r.scheduled(l.label, d)
	return &Timer{name: name, rec: r, own: r.clock.AfterFunc(max(d, 0), f)} // a negative delay would set a Mock back
}

// NewTimer is like Recorder.NewTimer, but names the timer after the label.
func (l Label) NewTimer(d time.Duration) *Timer {
	r := l.rec
	r.mu.Lock()
	defer r.mu.Unlock()
	name := r.scheduled(l.label, d)
	own := r.clock.Timer(max(d, 0))
	return &Timer{C: own.C, name: name, rec: r, own: own}
}

// Name returns the timer's name in the scenario.
func (t *Timer) Name() string { return t.name }

// Stop prevents the timer from firing. It returns false if the timer has already fired or been stopped.
// Even then the call is recorded, as a cancel operation that has no effect.
func (t *Timer) Stop() bool {
	t.rec.mu.Lock()
	defer t.rec.mu.Unlock()
	t.rec.note(call{Op: "cancel", Timer: t.name})
	return t.own.Stop()
}

// Reset makes the timer fire after d. It returns true if the timer was pending.
func (t *Timer) Reset(d time.Duration) bool {
	t.rec.mu.Lock()
	defer t.rec.mu.Unlock()
	t.rec.note(call{Op: "reset", Timer: t.name, Delay: t.rec.ticks(d)})
	return t.own.Reset(max(d, 0))
}

// scheduled records a new timer with delay d and returns its name, which is label followed by a number. The caller
// must hold r.mu.
func (r *Recorder) scheduled(label string, d time.Duration) string {
	name := ""
	for name == "" || r.names[name] { // label a1 with number 1 is label a with number 11
		r.last[label]++
		name = label + strconv.Itoa(r.last[label])
	}
	r.names[name] = true
	r.note(call{Op: "schedule", Timer: name, Delay: r.ticks(d)})
	return name
}

// now returns the current tick of the clock, counted from the start of the recording.
func (r *Recorder) now() int64 { return int64(r.clock.Now().Sub(r.start) / r.tick) }

// note adds c to the recorded calls, at the current tick of the clock. The caller must hold r.mu.
func (r *Recorder) note(c call) {
	c.At = r.now()
	if len(r.ops) == CallsMax {
		r.t.Errorf("record: more than %d calls; what follows is not in the scenario", CallsMax)
	}
	if len(r.ops) <= CallsMax {
		r.ops = append(r.ops, c)
	}
}

// ticks returns d in ticks, rounded up, for the field Delay of a call. A negative d counts as 0.
func (r *Recorder) ticks(d time.Duration) *int64 {
	d = max(d, 0)
	n := int64(d / r.tick)
	if d%r.tick > 0 {
		n++
	}
	return &n
}

// Scenario returns the calls recorded so far as a scenario. Its name consists of the first 256 bytes of the
// test's name. lanes are JSON objects as in a scenario file, such as `{"algorithm":"heap"}`; if there are
// none, the lanes are a hierarchical wheel and a heap. The scenario ends when all timers have ended.
func (r *Recorder) Scenario(lanes ...string) []byte {
	r.t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	return scenarioOf(r.t, r.tick, r.ops, lanes)
}

// scenarioOf returns a scenario with the given operations, of which it uses at most CallsMax.
func scenarioOf(t testing.TB, tick time.Duration, ops []call, lanes []string) []byte {
	t.Helper()
	if len(lanes) == 0 {
		lanes = []string{`{"algorithm":"hierarchical","slots":64,"levels":4}`, `{"algorithm":"heap"}`}
	}
	raw := make([]json.RawMessage, len(lanes))
	for i, lane := range lanes {
		if raw[i] = json.RawMessage(lane); !json.Valid(raw[i]) {
			t.Fatalf("record: the lane %s is not JSON, such as {\"algorithm\":\"heap\"}", lane)
		}
	}
	scenario := map[string]any{"wheelscope": 1, "name": cut(t.Name(), scenario.NameMax), "tick": tickText(tick), "lanes": raw,
		"workload": map[string]any{"ops": append([]call{}, ops[:min(len(ops), CallsMax)]...)}}
	data, err := json.Marshal(scenario)
	if err != nil {
		t.Fatalf("record: lanes %s: %v", strings.Join(lanes, ", "), err)
	}
	return data
}

// tickText returns tick, the length of a tick, as a multiple of the largest unit that divides it, such as "5ms".
func tickText(tick time.Duration) string {
	for _, u := range [...]struct {
		size time.Duration
		name string
	}{{time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "us"}} {
		if tick%u.size == 0 {
			return fmt.Sprintf("%d%s", tick/u.size, u.name)
		}
	}
	return fmt.Sprintf("%dns", tick)
}

// Golden compares the trace of the recorded scenario with the golden file, as the function [Golden] does.
// lanes are JSON objects as in a scenario file; if there are none, Golden uses those that [Recorder.Scenario] chooses.
func (r *Recorder) Golden(file string, lanes ...string) {
	r.t.Helper()
	Golden(r.t, r.Scenario(lanes...), file)
}
