package simtest

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// backoff is a tested program: it retries after 10, 20 and 40 ms, each time with a timeout of
// 15 ms that is stopped when the answer arrives.
type backoff struct {
	mu   sync.Mutex // a timer's function may run in any goroutine
	rec  *Recorder
	wait time.Duration
	left int
}

func (b *backoff) try() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left--; b.left < 0 {
		return
	}
	timeout := b.rec.Named("timeout").AfterFunc(15*time.Millisecond, func() {})
	b.rec.Named("answer").AfterFunc(5*time.Millisecond, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		timeout.Stop()
		b.rec.AfterFunc(b.wait, b.try)
		b.wait *= 2
	})
}

// operationsIn returns the operations of a scenario.
func operationsIn(t *testing.T, scenario []byte) []operation {
	t.Helper()
	var s struct{ Workload struct{ Ops []operation } }
	if err := json.Unmarshal(scenario, &s); err != nil {
		t.Fatal(err)
	}
	return s.Workload.Ops
}

// traceOf runs a scenario and returns its trace.
func traceOf(t *testing.T, scenario []byte) string {
	t.Helper()
	p, err := program.Load(scenario)
	if err != nil {
		t.Fatalf("%v in %s", err, scenario)
	}
	var trace strings.Builder
	if _, err := tracefile.Write(t.Context(), &trace, p, tracefile.Options{}); err != nil {
		t.Fatal(err)
	}
	return trace.String()
}

// opsOf returns the operations of a scenario, as "at op timer delay".
func opsOf(t *testing.T, scenario []byte) []string {
	t.Helper()
	var list []string
	for _, op := range operationsIn(t, scenario) {
		line := fmt.Sprint(op.At, " ", op.Op, " ", op.Timer)
		if op.Op != "cancel" {
			line += fmt.Sprint(" ", op.Delay)
		}
		list = append(list, line)
	}
	return list
}

const backoffOps = `0 schedule timeout1 15
0 schedule answer1 5
5 cancel timeout1
5 schedule t1 10
15 schedule timeout2 15
15 schedule answer2 5
20 cancel timeout2
20 schedule t2 20
40 schedule timeout3 15
40 schedule answer3 5
45 cancel timeout3
45 schedule t3 40`

// A program's calls give the same scenario with a Mock and in a bubble.
func TestRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the Mock sleeps for each timer, which takes no time here
		mock := clock.NewMock()
		b := &backoff{rec: Record(t, mock, time.Millisecond), wait: 10 * time.Millisecond, left: 3}
		b.try()
		for range 100 {
			mock.Add(time.Millisecond)
		}
		if got := strings.Join(opsOf(t, b.rec.Scenario()), "\n"); got != backoffOps {
			t.Errorf("under a Mock:\n%s\nwant\n%s", got, backoffOps)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		b := &backoff{rec: Record(t, clock.New(), time.Millisecond), wait: 10 * time.Millisecond, left: 3}
		b.try()
		time.Sleep(100 * time.Millisecond)
		synctest.Wait()
		if got := strings.Join(opsOf(t, b.rec.Scenario()), "\n"); got != backoffOps {
			t.Errorf("in a bubble:\n%s\nwant\n%s", got, backoffOps)
		}
	})
}

// In the run the recorded timers fire when they fired in the program.
func TestRecordedRunFiresAsTheProgramDid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec := Record(t, clock.New(), 10*time.Millisecond)
		start, fired := time.Now(), map[string]int64{}
		var mu sync.Mutex
		note := func(name string) {
			mu.Lock()
			defer mu.Unlock()
			fired[name] = int64(time.Since(start) / (10 * time.Millisecond))
		}
		one := rec.AfterFunc(250*time.Millisecond, func() { note("t1") })
		rec.AfterFunc(30*time.Millisecond, func() { note("t2"); one.Reset(410 * time.Millisecond) })
		three := rec.NewTimer(time.Second)
		time.Sleep(2 * time.Second)
		if <-three.C; !three.Reset(50*time.Millisecond) && three.Name() == "t3" {
			<-three.C
			note("t3")
		}
		if three.Stop() {
			t.Error("a timer that fired could be stopped")
		}
		synctest.Wait()
		for name, at := range expiries(t, rec.Scenario(`{"algorithm":"tokio"}`)) {
			if mu.Lock(); fired[name] != at {
				t.Errorf("%s fires at tick %d in the run, at %d in the program", name, at, fired[name])
			}
			mu.Unlock()
		}
	})
}

// expiries runs a scenario of one lane and returns the tick of each timer's last expiry.
func expiries(t *testing.T, scenario []byte) map[string]int64 {
	t.Helper()
	trace := traceOf(t, scenario)
	out := map[string]int64{}
	for _, line := range strings.Split(trace, "\n") {
		var e struct {
			Kind, Timer string
			Tick        int64
		}
		if json.Unmarshal([]byte(line), &e) == nil && e.Kind == "expire" {
			out[e.Timer] = e.Tick
		}
	}
	if len(out) != 3 {
		t.Fatalf("%d timers fire, want 3:\n%s", len(out), trace)
	}
	return out
}

func TestRecordNames(t *testing.T) {
	rec := Record(t, clock.NewMock(), time.Second)
	names := []string{}
	for _, label := range []string{"a1", "a", "a", "重试", "a1"} {
		names = append(names, rec.Named(label).NewTimer(time.Minute).Name())
	}
	for range 9 {
		names = append(names, rec.Named("a").NewTimer(time.Minute).Name())
	}
	if got, want := strings.Join(names, " "), "a11 a1 a2 重试1 a12 a3 a4 a5 a6 a7 a8 a9 a10 a13"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := program.Load(rec.Scenario()); err != nil {
		t.Error(err)
	}
}

// A test's name may be longer than a scenario's.
func TestRecordInATestOfALongName(t *testing.T) {
	rec := Record(&fakeTB{TB: t, name: "TestLong/" + strings.Repeat("长", 200)}, clock.NewMock(), time.Second)
	if _, err := program.Load(rec.Scenario()); err != nil {
		t.Error(err)
	}
}

// Delays are rounded up to ticks, and negative ones are 0.
func TestRecordTicks(t *testing.T) {
	for _, c := range []struct {
		tick, delay time.Duration
		text        string
		want        int64
	}{
		{time.Millisecond, 1500 * time.Microsecond, "1ms", 2}, {250 * time.Microsecond, time.Millisecond, "250us", 4},
		{90 * time.Second, time.Hour, "90s", 40}, {time.Second, 0, "1s", 0}, {time.Second, -time.Hour, "1s", 0}, {7, 8, "7ns", 2},
	} {
		mock := clock.NewMock()
		mock.Add(time.Hour) // the recording begins now, not with the clock
		rec := Record(t, mock, c.tick)
		rec.NewTimer(c.delay)
		scenario := rec.Scenario()
		if got, want := opsOf(t, scenario)[0], fmt.Sprint("0 schedule t1 ", c.want); got != want || !strings.Contains(string(scenario), `"tick":"`+c.text+`"`) {
			t.Errorf("%s in ticks of %s: %s, want %s in %s", c.delay, c.tick, got, want, scenario)
		}
	}
}

func TestRecordRefuses(t *testing.T) {
	if got := failureOf(func(tb testing.TB) { Record(tb, clock.NewMock(), 0) }); !strings.Contains(got, "a tick of 0s") {
		t.Errorf("no tick: %q", got)
	}
	if got := failureOf(func(tb testing.TB) { Record(tb, clock.NewMock(), 1).Scenario("{") }); !strings.Contains(got, "record: the lane { is not JSON") {
		t.Errorf("no lane: %q", got)
	}
	bad := func(tb testing.TB) { Record(tb, clock.NewMock(), 1).Golden("x", `{"algorithm":"sundial"}`) }
	if got := failureOf(bad); !strings.Contains(got, "lanes[0].algorithm") {
		t.Errorf("no such algorithm: %q", got)
	}
}

// A recording matches its golden file, and a failure reports where it differs.
func TestRecordGolden(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // for the page of its failure
	file := filepath.Join(t.TempDir(), "backoff.jsonl")
	record := func(tb testing.TB, delay time.Duration) {
		rec := Record(tb, clock.NewMock(), time.Millisecond)
		rec.NewTimer(delay).Reset(2 * delay)
		rec.Golden(file)
	}
	first := func(tb testing.TB) { record(tb, 7*time.Millisecond) }
	update(t, func() { first(&fakeTB{TB: t}) })
	if got := failureOf(first); got != "" {
		t.Error(got)
	}
	if got := failureOf(func(tb testing.TB) { record(tb, 8*time.Millisecond) }); !strings.Contains(got, "call 1, timer t1 at tick 0: delay 7 in the file, 8 now") {
		t.Errorf("another recording: %q", got)
	}
}

// Delays of any length are converted without overflow, and negative ones are 0.
func TestRecordDelaysOfAnyLength(t *testing.T) {
	const most = time.Duration(math.MaxInt64)
	for _, c := range []struct {
		delay, tick time.Duration
		want        int64
	}{
		{most, time.Millisecond, int64(most/time.Millisecond) + 1}, {most, 1, int64(most)}, {most, most, 1}, {2, most, 1},
		{5, 5, 1}, {6, 5, 2}, {0, 5, 0}, {-1, 5, 0}, {math.MinInt64, 5, 0},
	} {
		r := Record(t, clock.NewMock(), c.tick)
		if got := *r.ticks(c.delay); got != c.want {
			t.Errorf("%d ns in ticks of %d ns: %d, want %d", c.delay, c.tick, got, c.want)
		}
	}
}
