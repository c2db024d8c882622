package timer

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/live"
)

// served mounts a wheel's page as a program would.
func served(t *testing.T, options ...Option) (*Wheel, string) {
	t.Helper()
	w := make1(t, options...)
	mux := http.NewServeMux()
	mux.Handle("/debug/timers/", Handler(w))
	mux.Handle("/stripped/", http.StripPrefix("/stripped", Handler(w)))
	mux.Handle("/bare/", http.StripPrefix("/bare/", Handler(w)))
	server := httptest.NewServer(mux)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		http.DefaultClient.CloseIdleConnections()
		w.Shutdown(t.Context())
	})
	return w, server.URL + "/debug/timers/"
}

// get asks for an address and gives the status and the text.
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

// told is what a test reads of a message.
type told struct {
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

// next gives the next message.
func (v *viewer) next() (m told) {
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

// until reads messages until one is as wanted.
func (v *viewer) until(what string, wanted func(*told) bool) told {
	v.Helper()
	for range 300 {
		if m := v.next(); wanted(&m) {
			return m
		}
	}
	v.Fatalf("never %s", what)
	return told{}
}

// What the feed tells is what the wheel holds.
func TestFeedTellsTheWheel(t *testing.T) {
	w, url := served(t, WithShards(2))
	keys := NewKeyed[any](w)
	for k := range 30 {
		must(t, keys.AfterFunc(k, time.Hour, func(any) {}))
	}
	must(t, keys.AfterFunc("named", time.Hour, func(any) {}))
	beat, err := w.TickFunc(5*time.Millisecond, nothing)
	must(t, err)
	defer beat.Stop()
	v := look(t, url)
	if m := v.next(); m.Kind != "hello" || len(m.Lanes) != 2 {
		t.Fatalf("first came %+v", m)
	}
	m := v.until("it fires", func(m *told) bool { return m.Kind == "state" && m.Rates.Fired > 20 })
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
	v.until("they are gone", func(m *told) bool { return m.Rates.Pending <= 2 })
}

// A crowd is told by counts, so that a look at it costs as little as one at a few.
func TestFeedOfACrowdIsBounded(t *testing.T) {
	w, url := served(t, WithShards(1))
	for range 50000 {
		_, err := w.AfterFunc(time.Hour, nothing)
		must(t, err)
	}
	v := look(t, url)
	v.next()
	if m := v.next(); m.Lanes[0].Mode != "counts" || m.Rates.Pending != 50000 || len(m.Lanes[0].Places[0][3]) > 2000 {
		t.Errorf("%.2000v", m)
	}
}

// While nobody looks nothing is recorded, no goroutine runs and nothing is allocated;
// nor after all have left.
func TestWatchingCostsNothingAfterwards(t *testing.T) {
	w, url := served(t, WithExecutor(Inline), WithShards(1))
	armed := func() float64 {
		return testing.AllocsPerRun(200, func() {
			timer, err := w.AfterFunc(time.Hour, nothing)
			must(t, err)
			timer.Stop()
		})
	}
	before, goroutines := armed(), runtime.NumGoroutine()
	v := look(t, url)
	v.until("two messages", func(m *told) bool { return m.Tick > 0 })
	s := w.shards[0]
	watched := func() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.record != nil }
	if !watched() {
		t.Error("it is not watched")
	}
	v.body.Close()
	http.DefaultClient.CloseIdleConnections()
	for begun := time.Now(); watched() || runtime.NumGoroutine() > goroutines; time.Sleep(5 * time.Millisecond) {
		if time.Since(begun) > 30*time.Second {
			t.Fatalf("watched %v, %d goroutines of %d", watched(), runtime.NumGoroutine(), goroutines)
		}
	}
	if after := armed(); before != 0 || after != 0 {
		t.Errorf("arming allocates %v times before and %v after", before, after)
	}
}

// What was watched is a scenario that runs, with the timers that were there, what was
// done with them, and the same dues.
func TestWatchedIsAScenario(t *testing.T) {
	w, url := served(t, WithShards(4), WithTick(time.Millisecond), WithSlots(16, 16, 16, 16, 16, 16))
	if code, text := get(t, url+"scenario"); code != http.StatusConflict || !strings.Contains(text, "nobody watches") {
		t.Errorf("before: %d %s", code, text)
	}
	keys := NewKeyed[any](w)
	must(t, keys.AfterFunc("there", 30*time.Millisecond, func(any) {}))
	v := look(t, url)
	v.next()
	for k := range 50 {
		must(t, keys.AfterFunc(k, time.Duration(k)*time.Millisecond, func(any) {}))
	}
	must(t, keys.AfterFunc("gone", time.Hour, func(any) {}))
	keys.Stop("gone")
	v.until("all have fired", func(m *told) bool { return m.Kind == "state" && m.Rates.Pending == 0 })
	code, text := get(t, url+"scenario")
	if code != http.StatusOK {
		t.Fatal(code, text)
	}
	if strings.Contains(text, "gone") || strings.Contains(text, "there") {
		t.Error("a key is in the scenario")
	}
	p, err := sim.Load([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%.500s", err, text)
	}
	rows, err := sim.Compare(t.Context(), p, sim.TraceOptions{})
	must(t, err)
	if r := rows[0]; r.Algorithm != "hierarchical" || r.Fired < 50 || r.Cancelled > 1 || r.Early != 0 || r.Late != 0 {
		t.Errorf("%+v", r)
	}
}

// The recording is bounded, and says that it is not whole.
func TestRecordingIsBounded(t *testing.T) {
	w, url := served(t)
	v := look(t, url)
	v.next()
	for range live.RecordedMax {
		timer, err := w.AfterFunc(time.Hour, nothing)
		must(t, err)
		timer.Stop()
	}
	v.until("the recording is full", func(m *told) bool { return m.Rates.Recorded == live.RecordedMax })
	_, text := get(t, url+"scenario")
	p, err := sim.Load([]byte(text))
	must(t, err)
	if n := len(p.Scenario.Ops); n != live.RecordedMax || !strings.Contains(text, "Not everything was recorded") {
		t.Errorf("%d operations", n)
	}
}

// Only what is read is answered, and no other site's page is.
func TestHandlerIsGuarded(t *testing.T) {
	_, url := served(t)
	for what, headers := range map[string][]string{
		"cross-site": {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "cors"},
		"same-site":  {"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "no-cors"},
		"origin":     {"Origin", "https://example.com"},
	} {
		for _, at := range []string{"", "feed", "scenario"} {
			if code, text := get(t, url+at, headers...); code != http.StatusForbidden || strings.Count(text, "\n") != 1 {
				t.Errorf("%s for %q: %d %s", what, at, code, text)
			}
		}
	}
	if code, _ := get(t, url, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"); code != http.StatusOK {
		t.Errorf("a link from elsewhere: %d", code)
	}
	for _, method := range []string{"POST", "PUT", "DELETE"} {
		r, err := http.NewRequest(method, url, nil)
		must(t, err)
		answer, err := http.DefaultClient.Do(r)
		must(t, err)
		answer.Body.Close()
		if answer.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s: %d", method, answer.StatusCode)
		}
	}
	for k := range live.ViewersMax {
		if m := look(t, url).next(); m.Kind != "hello" {
			t.Errorf("viewer %d is told %q", k, m.Kind)
		}
	}
	if code, _ := get(t, url+"feed"); code != http.StatusServiceUnavailable {
		t.Errorf("one viewer too many: %d", code)
	}
}

// Wherever it is mounted, the page finds what belongs to it.
func TestPageIsRelative(t *testing.T) {
	_, url := served(t)
	for _, base := range []string{url, strings.Replace(url, "/debug/timers/", "/stripped/", 1), strings.Replace(url, "/debug/timers/", "/bare/", 1)} {
		code, page := get(t, base+"?lang=zh")
		if code != http.StatusOK || !strings.Contains(page, `lang="zh`) || !strings.Contains(page, "运行中的时间轮") {
			t.Fatalf("%s: %d %.200s", base, code, page)
		}
		_, rest, _ := strings.Cut(page, ` src="./`)
		script, _, _ := strings.Cut(rest, `"`)
		if code, text := get(t, base+script); code != http.StatusOK || !strings.Contains(text, "EventSource") {
			t.Errorf("%s%s: %d", base, script, code)
		}
		if code, _ := get(t, base+"static/000000000000/js/app.js"); code != http.StatusNotFound {
			t.Errorf("a file of another version: %d", code)
		}
		if code, page := get(t, strings.TrimSuffix(base, "/")+"/deeper"); code != http.StatusOK || !strings.Contains(page, "./static/") {
			t.Errorf("a folder without its slash: %d", code)
		}
	}
}

// A folder may be called as what belongs to the page.
func TestFolderOfAnyName(t *testing.T) {
	_, url := served(t)
	for _, at := range []string{"feed/", "scenario/", "static/", "static/timers/", "a/static/b/c/"} {
		answer, err := http.Head(url + at) // a GET of the feed would not end
		must(t, err)
		if kind := answer.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/html") {
			t.Errorf("%s: %s %s", at, answer.Status, kind)
			continue
		}
		_, page := get(t, url+at)
		_, rest, _ := strings.Cut(page, ` src="./`)
		script, _, _ := strings.Cut(rest, `"`)
		if code, text := get(t, url+at+script); code != http.StatusOK || !strings.Contains(text, "EventSource") {
			t.Errorf("%s%s: %d", at, script, code)
		}
		if code, text := get(t, url+at+"scenario"); code != http.StatusConflict || !strings.Contains(text, "nobody watches") {
			t.Errorf("the scenario of %s: %d %s", at, code, text)
		}
		answer, err = http.Head(url + at + "feed")
		must(t, err)
		if kind := answer.Header.Get("Content-Type"); kind != "text/event-stream" {
			t.Errorf("the feed of %s: %s %s", at, answer.Status, kind)
		}
	}
	if code, page := get(t, url+"static/timers"); code != http.StatusOK || !strings.Contains(page, "./static/") {
		t.Errorf("without its slash: %d", code)
	}
}

// Where nothing that is written gets through before the end, that is said.
func TestFeedThatIsKeptBack(t *testing.T) {
	w := make1(t)
	defer w.Shutdown(t.Context())
	answer := httptest.NewRecorder()
	http.TimeoutHandler(Handler(w), time.Minute, "").ServeHTTP(answer, httptest.NewRequest("GET", "http://localhost/debug/timers/feed", nil))
	if answer.Code != http.StatusInternalServerError || !strings.Contains(answer.Body.String(), "Flush") {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
}

// A wheel that is shut down is shown empty.
func TestFeedAfterShutdown(t *testing.T) {
	w, url := served(t)
	must(t, second(w.AfterFunc(time.Hour, nothing)))
	v := look(t, url)
	v.next()
	v.until("it is there", func(m *told) bool { return m.Rates.Pending == 1 })
	if err := w.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	v.until("it is gone", func(m *told) bool { return m.Rates.Pending == 0 })
	if m := look(t, url).next(); m.Kind != "hello" {
		t.Errorf("then came %+v", m)
	}
}

// Whatever is asked for, the page sends nobody to another site.
func TestRedirectStaysHere(t *testing.T) {
	w := make1(t)
	defer w.Shutdown(t.Context())
	for _, at := range []string{`/debug/timers/\\example.com`, `/debug/timers/\/example.com`, "/debug//example.com", "/debug/javascript:alert(1)", "/debug/timers", "/debug/a?b"} {
		r := httptest.NewRequest("GET", "http://localhost/", nil)
		r.URL.Path = at
		answer := httptest.NewRecorder()
		Handler(w).ServeHTTP(answer, r)
		to := answer.Header().Get("Location")
		if base := to[strings.IndexByte(to, '/')+1:]; answer.Code != http.StatusMovedPermanently || !strings.HasPrefix(to, "./") || strings.ContainsAny(base[:len(base)-1], `/\?`) {
			t.Errorf("%s: %d to %q", at, answer.Code, to)
		}
	}
}

// Asked for without the slash that its links need, the page sends on to where it has one,
// in the same language: where the prefix was stripped too.
func TestPageIsAFolder(t *testing.T) {
	w := make1(t)
	defer w.Shutdown(t.Context())
	for _, c := range []struct{ strip, ask, to string }{
		{"", "/debug/timers?lang=zh", "./timers/?lang=zh"}, {"/debug/timers", "/debug/timers?lang=zh", "./timers/?lang=zh"},
		{"/debug", "/debug/timers", "./timers/"}, {"/debug/timers", "/debug/timers/", ""}, {"/debug/timers/", "/debug/timers/", ""},
	} {
		answer := httptest.NewRecorder()
		http.StripPrefix(c.strip, Handler(w, "example.com")).ServeHTTP(answer, httptest.NewRequest("GET", c.ask, nil))
		if to := answer.Header().Get("Location"); to != c.to || (answer.Code == http.StatusOK) != (c.to == "") {
			t.Errorf("%s, stripped of %q: %d to %q, not %q", c.ask, c.strip, answer.Code, to, c.to)
		}
	}
}

// Two handlers of one wheel are the same: what one page's leaving ends is not what
// another looks at.
func TestHandlersShareTheRecording(t *testing.T) {
	w, url := served(t, WithShards(1))
	other := strings.Replace(url, "/debug/timers/", "/stripped/", 1)
	first := look(t, url)
	first.next()
	must(t, second(w.AfterFunc(time.Hour, nothing)))
	another := look(t, other)
	another.until("it is told", func(m *told) bool { return m.Rates.Pending == 1 })
	another.body.Close()
	time.Sleep(300 * time.Millisecond)
	must(t, second(w.AfterFunc(time.Hour, nothing)))
	first.until("both are told", func(m *told) bool { return m.Rates.Pending == 2 && m.Rates.Recorded == 2 })
	_, text := get(t, url+"scenario")
	p, err := sim.Load([]byte(text))
	must(t, err)
	if n := len(p.Scenario.Ops); n != 2 || strings.Contains(text, "Not everything was recorded") {
		t.Errorf("%d operations of 2: %s", n, text)
	}
}

// What was recorded is there after Shutdown too, with what that took out.
func TestRecordingOutlivesShutdown(t *testing.T) {
	w, url := served(t, WithShards(2))
	v := look(t, url)
	v.next()
	for range 10 {
		must(t, second(w.AfterFunc(time.Hour, nothing)))
	}
	if err := w.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	v.until("it is gone", func(m *told) bool { return m.Rates.Pending == 0 })
	_, text := get(t, url+"scenario")
	p, err := sim.Load([]byte(text))
	must(t, err)
	if n := len(p.Scenario.Ops); n != 20 {
		t.Errorf("%d operations of 20", n)
	}
}

// Of shards that are not shown no timer is listed, but all are counted.
func TestOnlyWhatIsShownIsListed(t *testing.T) {
	w := make1(t, WithShards(live.LanesShown+2), WithClock(mocked(clock.NewMock())))
	defer w.Shutdown(t.Context())
	keys := NewKeyed[int](w)
	for k := range 600 {
		must(t, keys.AfterFunc(k, time.Hour, func(int) {}))
	}
	v := &watched{wheel: w}
	v.Begin()
	defer v.End()
	if s := v.Sample(); s.Totals.Pending != 600 || s.Totals.Armed != 600 || len(s.Lanes) != live.LanesShown {
		t.Errorf("%+v of %d lanes", s.Totals, len(s.Lanes))
	}
	for k, s := range w.shards {
		var totals live.Totals
		l := s.sample(0, &totals, k < live.LanesShown)
		listed := 0
		for _, p := range l.State.Places {
			listed += len(p.Entries)
		}
		if shown := k < live.LanesShown; shown != (listed > 0) || shown != (len(l.Names) > 0) || totals.Armed == 0 {
			t.Errorf("shard %d: %d listed, %d named, %+v", k, listed, len(l.Names), totals)
		}
	}
}

// Who asks for the feed's headers only takes no viewer's place.
func TestHeadIsNoViewer(t *testing.T) {
	_, url := served(t)
	for range 2 * live.ViewersMax {
		answer, err := http.Head(url + "feed")
		must(t, err)
		if kind := answer.Header.Get("Content-Type"); answer.StatusCode != http.StatusOK || kind != "text/event-stream" {
			t.Fatalf("%s, %s", answer.Status, kind)
		}
	}
	look(t, url)
}

// What was armed in all never becomes less, though the wheel is shut down.
func TestTotalsAfterShutdown(t *testing.T) {
	w := make1(t, WithShards(1))
	v := &watched{wheel: w}
	v.Begin()
	for range 100 {
		_, err := w.AfterFunc(time.Hour, func() {})
		must(t, err)
	}
	before := v.Sample().Totals
	must(t, w.Shutdown(t.Context()))
	if after := v.Sample().Totals; before.Armed != 100 || after.Armed != 100 || after.Pending != 0 {
		t.Errorf("%+v, then %+v", before, after)
	}
}
