package timerhttp_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel/timer"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
	"github.com/wheelscope/wheelscope/wheel/timer/timerhttp"
)

func make1(t *testing.T, options ...timer.Option) *timer.Wheel {
	t.Helper()
	w, err := timer.New(options...)
	must(t, err)
	return w
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func nothing() {}

// waitFor waits until done returns true, at most 30 s.
func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for begun := time.Now(); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Since(begun) > 30*time.Second {
			t.Fatalf("%s did not come in 30 s; %d goroutines", what, runtime.NumGoroutine())
		}
	}
}

// viewersMax bounds the open pages of one wheel, according to the documentation of Handler.
const viewersMax = 8

// served mounts a wheel's page as a program would.
func served(t *testing.T, options ...timer.Option) (*timer.Wheel, string) {
	t.Helper()
	w := make1(t, options...)
	mux := http.NewServeMux()
	mux.Handle("/debug/timers/", timerhttp.Handler(w))
	mux.Handle("/stripped/", http.StripPrefix("/stripped", timerhttp.Handler(w)))
	mux.Handle("/bare/", http.StripPrefix("/bare/", timerhttp.Handler(w)))
	server := httptest.NewServer(mux)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		http.DefaultClient.CloseIdleConnections()
		w.Shutdown(t.Context())
	})
	return w, server.URL + "/debug/timers/"
}

// get requests a URL and returns the status and the text.
func get(t *testing.T, url string, headers ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	must(t, err)
	for k := 0; k+1 < len(headers); k += 2 {
		r.Header.Set(headers[k], headers[k+1])
	}
	answer, err := http.DefaultClient.Do(r)
	must(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	must(t, err)
	return answer.StatusCode, string(text)
}

// viewer reads a feed.
type viewer struct {
	*testing.T
	body  io.ReadCloser
	lines *bufio.Scanner
}

func look(t *testing.T, url string) *viewer {
	t.Helper()
	answer, err := http.Get(url + "feed")
	must(t, err)
	v := &viewer{t, answer.Body, bufio.NewScanner(answer.Body)}
	v.lines.Buffer(nil, 1<<22)
	t.Cleanup(func() { answer.Body.Close() })
	return v
}

// message is the part of a message that the tests read.
type message struct {
	Kind  string
	Tick  int64
	Lanes []struct {
		Mode   string
		Places [][]json.RawMessage
		Counts []int64
	}
	Names []any
	Rates struct {
		Pending                         int
		Armed, Fired, Stopped, Cascades float64
		Recorded                        int64
	}
}

// next returns the next message.
func (v *viewer) next() (m message) {
	v.Helper()
	for v.lines.Scan() {
		if data, ok := strings.CutPrefix(v.lines.Text(), "data: "); ok {
			must(v.T, json.Unmarshal([]byte(data), &m))
			return m
		}
	}
	v.Fatal("the feed ended: ", v.lines.Err())
	return m
}

// until reads messages until wanted returns true for one.
func (v *viewer) until(what string, wanted func(*message) bool) message {
	v.Helper()
	for range 300 {
		if m := v.next(); wanted(&m) {
			return m
		}
	}
	v.Fatalf("never %s", what)
	return message{}
}

// The feed reports the state of the wheel.
func TestFeedReportsTheWheel(t *testing.T) {
	w, url := served(t, timer.WithShards(2))
	keys := timer.NewKeyed[any](w)
	for k := range 30 {
		keys.AfterFunc(k, time.Hour, func(any) {})
	}
	keys.AfterFunc("named", time.Hour, func(any) {})
	beat := w.TickFunc(5*time.Millisecond, nothing)
	defer beat.Stop()
	v := look(t, url)
	if m := v.next(); m.Kind != "hello" || len(m.Lanes) != 2 {
		t.Fatalf("first came %+v", m)
	}
	m := v.until("it fires", func(m *message) bool { return m.Kind == "state" && m.Rates.Fired > 20 })
	sum, named := 0, false
	for _, l := range m.Lanes {
		for _, p := range l.Places {
			var n int
			must(t, json.Unmarshal(p[2], &n))
			sum += n
		}
		if l.Mode != "full" {
			t.Errorf("mode %s", l.Mode)
		}
	}
	for _, name := range m.Names {
		named = named || name == "named"
	}
	if sum < 31 || sum > 32 || m.Rates.Pending != sum || !named {
		t.Errorf("%d are listed, %+v", sum, m)
	}
	for k := range 30 {
		keys.Stop(k)
	}
	v.until("they are gone", func(m *message) bool { return m.Rates.Pending <= 2 })
}

// If there are many timers the feed sends counts, so that the cost of a sample is bounded.
func TestFeedOfManyTimersIsBounded(t *testing.T) {
	w, url := served(t, timer.WithShards(1))
	for range 50000 {
		w.AfterFunc(time.Hour, nothing)
	}
	v := look(t, url)
	v.next()
	if m := v.next(); m.Lanes[0].Mode != "counts" || m.Rates.Pending != 50000 || len(m.Lanes[0].Places[0][3]) > 2000 {
		t.Errorf("%.2000v", m)
	}
}

// Without viewers nothing is recorded, no goroutine runs and nothing is allocated, also after the
// last viewer has disconnected.
func TestWatchingCostsNothingAfterwards(t *testing.T) {
	w, url := served(t, timer.WithExecutor(timer.Inline), timer.WithShards(1))
	armed := func() float64 {
		return testing.AllocsPerRun(200, func() {
			idle := w.AfterFunc(time.Hour, nothing)
			idle.Stop()
		})
	}
	before, goroutines := armed(), runtime.NumGoroutine()
	v := look(t, url)
	v.until("two messages", func(m *message) bool { return m.Tick > 0 })
	watched := func() bool { code, _ := get(t, url+"scenario"); return code == http.StatusOK }
	if !watched() {
		t.Error("it is not watched")
	}
	v.body.Close()
	http.DefaultClient.CloseIdleConnections()
	waitFor(t, "the end of the recording", func() bool { return !watched() })
	http.DefaultClient.CloseIdleConnections()
	waitFor(t, "the end of its goroutines", func() bool { return runtime.NumGoroutine() <= goroutines })
	if after := armed(); before != 0 || after != 0 {
		t.Errorf("arming allocates %v times before and %v after", before, after)
	}
}

// A recording is a valid scenario with the timers that were pending, the operations on them, and
// the same due ticks: no timer is later in it than its callback was.
func TestWatchedIsAScenario(t *testing.T) {
	w, url := served(t, timer.WithShards(4), timer.WithTick(time.Millisecond), timer.WithSlots(16, 16, 16, 16, 16, 16))
	if code, text := get(t, url+"scenario"); code != http.StatusConflict || !strings.Contains(text, "nobody watches") {
		t.Errorf("before: %d %s", code, text)
	}
	keys := timer.NewKeyed[any](w)
	keys.AfterFunc("there", 30*time.Millisecond, func(any) {})
	v := look(t, url)
	v.next()
	var mu sync.Mutex
	var latest time.Duration // maximum delay of a callback
	var called sync.WaitGroup
	for k := range 50 {
		due := time.Now().Add(time.Duration(k) * time.Millisecond)
		called.Add(1)
		keys.AfterFunc(k, time.Until(due), func(any) {
			mu.Lock()
			defer mu.Unlock()
			latest = max(latest, time.Since(due))
			called.Done()
		})
	}
	keys.AfterFunc("gone", time.Hour, func(any) {})
	keys.Stop("gone")
	v.until("all have fired", func(m *message) bool { return m.Kind == "state" && m.Rates.Pending == 0 })
	code, text := get(t, url+"scenario")
	if code != http.StatusOK {
		t.Fatal(code, text)
	}
	called.Wait()
	if strings.Contains(text, "gone") || strings.Contains(text, "there") {
		t.Error("a key is in the scenario")
	}
	p, err := program.Load([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%.500s", err, text)
	}
	rows, err := compare.Lanes(t.Context(), p, nil)
	must(t, err)
	if r := rows[0]; r.Algorithm != "hierarchical" || r.Fired < 50 || r.Cancelled > 1 || r.Early != 0 || r.LateMax > latest.Milliseconds()+1 {
		t.Errorf("%+v; callbacks were up to %v late", r, latest)
	}
}

// The recording is bounded, and reports that it is incomplete.
func TestRecordingIsBounded(t *testing.T) {
	w, url := served(t)
	v := look(t, url)
	v.next()
	for range watch.RecordedMax {
		idle := w.AfterFunc(time.Hour, nothing)
		idle.Stop()
	}
	v.until("the recording is full", func(m *message) bool { return m.Rates.Recorded == watch.RecordedMax })
	_, text := get(t, url+"scenario")
	p, err := program.Load([]byte(text))
	must(t, err)
	if n := len(p.Scenario.Ops); n != watch.RecordedMax || !strings.Contains(text, "Not everything was recorded") {
		t.Errorf("%d operations", n)
	}
}

// If a proxy holds back the response until its end, the feed reports that.
func TestFeedThatIsKeptBack(t *testing.T) {
	w := make1(t)
	defer w.Shutdown(t.Context())
	answer := httptest.NewRecorder()
	http.TimeoutHandler(timerhttp.Handler(w), time.Minute, "").ServeHTTP(answer, httptest.NewRequest("GET", "http://localhost/debug/timers/feed", nil))
	if answer.Code != http.StatusInternalServerError || !strings.Contains(answer.Body.String(), "Flush") {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
}

// A wheel that was shut down is shown as empty.
func TestFeedAfterShutdown(t *testing.T) {
	w, url := served(t)
	w.AfterFunc(time.Hour, nothing)
	v := look(t, url)
	v.next()
	v.until("it is there", func(m *message) bool { return m.Rates.Pending == 1 })
	if err := w.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	v.until("it is gone", func(m *message) bool { return m.Rates.Pending == 0 })
	if m := look(t, url).next(); m.Kind != "hello" {
		t.Errorf("then came %+v", m)
	}
}

// Two handlers of one wheel share the recording: a page that is closed on one does not end the
// recording for a page on the other.
func TestHandlersShareTheRecording(t *testing.T) {
	w, url := served(t, timer.WithShards(1))
	other := strings.Replace(url, "/debug/timers/", "/stripped/", 1)
	first := look(t, url)
	first.next()
	w.AfterFunc(time.Hour, nothing)
	another := look(t, other)
	another.until("it gets the counts", func(m *message) bool { return m.Rates.Pending == 1 })
	another.body.Close()
	time.Sleep(300 * time.Millisecond)
	w.AfterFunc(time.Hour, nothing)
	first.until("it gets both counts", func(m *message) bool { return m.Rates.Pending == 2 && m.Rates.Recorded == 2 })
	_, text := get(t, url+"scenario")
	p, err := program.Load([]byte(text))
	must(t, err)
	if n := len(p.Scenario.Ops); n != 2 || strings.Contains(text, "Not everything was recorded") {
		t.Errorf("%d operations of 2: %s", n, text)
	}
}

// The recording remains after Shutdown, including the timers that Shutdown removed.
func TestRecordingOutlivesShutdown(t *testing.T) {
	w, url := served(t, timer.WithShards(2))
	v := look(t, url)
	v.next()
	for range 10 {
		w.AfterFunc(time.Hour, nothing)
	}
	if err := w.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	v.until("it is gone", func(m *message) bool { return m.Rates.Pending == 0 })
	_, text := get(t, url+"scenario")
	p, err := program.Load([]byte(text))
	must(t, err)
	if n := len(p.Scenario.Ops); n != 20 {
		t.Errorf("%d operations of 20", n)
	}
}

// A HEAD request for the feed does not count as a viewer.
func TestHeadIsNoViewer(t *testing.T) {
	_, url := served(t)
	for range 2 * viewersMax {
		answer, err := http.Head(url + "feed")
		must(t, err)
		if kind := answer.Header.Get("Content-Type"); answer.StatusCode != http.StatusOK || kind != "text/event-stream" {
			t.Fatalf("%s, %s", answer.Status, kind)
		}
	}
	look(t, url)
}
