package web

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// post sends a text to a path.
func (h *harness) post(path, text string) answer {
	return h.ask("POST", path, strings.NewReader(text), int64(len(text)))
}

// Comparing the lanes of a run, two runs, or a run and a file gives the same results as package
// sim.
func TestComparisonOverHTTP(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		run := runOf(h, "three-slots")
		alone := answered[compare.ComparisonReport](t, h.get("/api/contest?run="+run))
		if len(alone.Sides) != 1 || alone.First == nil || alone.First.Tick != 0 || alone.First.Timer != "task2" || len(alone.Rows) != 5 {
			t.Errorf("%+v", alone)
		}
		other := answered[compare.ComparisonReport](t, h.get("/api/contest?lang=zh&scenario=simple-three&run="+run))
		if len(other.Sides) != 2 || other.SameWork || other.Sides[1].Name != "simple-three" || !strings.HasPrefix(other.Verdict[0], "两者的工作负载从刻度 0 起不同") {
			t.Errorf("%+v", other)
		}
		again := answered[compare.ComparisonReport](t, h.get("/api/contest?run="+run+"&with="+runOf(h, "simple-three")))
		if again.Differing != other.Differing || again.First.Tick != other.First.Tick {
			t.Errorf("by its run %+v, by its name %+v", again, other)
		}
		trace := h.get("/trace?run=" + run).body
		same := answered[compare.ComparisonReport](t, h.post("/api/contest?name=my.jsonl&run="+run, trace))
		if same.First != nil || same.Events != nil || same.Sides[1].Name != "my.jsonl" || same.Sides[1].Altered != 0 {
			t.Errorf("a run and its trace: %+v", same)
		}
		altered := answered[compare.ComparisonReport](t, h.post("/api/contest?run="+run, strings.Replace(trace, `"slot":2,"due":2`, `"slot":1,"due":2`, 1)))
		if altered.Events == nil || altered.Sides[1].Altered == 0 || altered.Rows[5].Cost != -1 {
			t.Errorf("a run and an altered trace: %+v", altered)
		}
	})
}

func TestRefusedComparisons(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		run := runOf(h, "three-slots")
		trace := h.get("/trace?run=" + run).body
		for what, c := range map[string]struct {
			got  answer
			code int
			want string
		}{
			"no run":      {h.get("/api/contest?run=0000000000000000"), 404, "run: "},
			"a lost one":  {h.get("/api/contest?with=0000000000000000&run=" + run), 404, "with: "},
			"no scenario": {h.get("/api/contest?scenario=nope&run=" + run), 404, "scenario: "},
			"version":     {h.post("/api/contest?run="+run, strings.Replace(trace, `:1,"kind"`, `:7,"kind"`, 1)), 422, "line 1: the trace is of version 7, expected 1"},
			"cut":         {h.post("/api/contest?run="+run, trace[:len(trace)-9]), 422, "line "},
			"an image":    {h.post("/api/contest?run="+run, "\x89PNG"), 422, "JSON"},
			"nothing":     {h.post("/api/contest?run="+run, ""), 422, "JSON"},
			"Chinese":     {h.post("/api/contest?lang=zh&run="+run, `{"wheelscope":1,"lanes":[]}`), 422, "workload"},
		} {
			if c.got.code != c.code || strings.Count(c.got.body, "\n") != 1 || !strings.Contains(c.got.body, c.want) {
				t.Errorf("%s: %d %q, want %d %q", what, c.got.code, c.got.body, c.code, c.want)
			}
		}
	})
}

// counting is a body of so many bytes, for one reader.
type counting struct{ left atomic.Int64 }

func (c *counting) Read(p []byte) (int, error) {
	n := min(int64(len(p)), c.left.Load())
	if c.left.Add(-n); n == 0 {
		return 0, io.EOF
	}
	return int(n), nil
}

// sent starts a request with a file to compare and sends only its beginning; answered waits for the
// answer.
func (h *harness) sent(run, header, begin string) (answered func() answer) {
	h.t.Helper()
	conn, err := h.ln.dial(h.t.Context(), "", "")
	if err != nil {
		h.t.Fatal(err)
	}
	go fmt.Fprintf(conn, "POST /api/contest?run=%s HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n%s\r\n\r\n%s", run, header, begin)
	return func() answer {
		h.t.Helper()
		defer conn.Close()
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			h.t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if err != nil {
			h.t.Error(err)
		}
		return answer{res.StatusCode, res.Header, string(body)}
	}
}

// Files that arrive slowly, or never, delay only each other's comparisons.
func TestComparisonOfSlowSenders(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		run := runOf(h, "three-slots")
		var slow []func() answer
		for range UploadsMax {
			slow = append(slow, h.sent(run, "Content-Length: 1000", `{"wheelscope":1,`))
		}
		synctest.Wait()
		began := time.Now()
		for _, path := range []string{"/api/contest?run=" + run, "/api/compare?run=" + run} {
			if a := h.get(path); a.code != 200 || time.Since(began) > 0 {
				t.Errorf("%s meanwhile: %d after %s", path, a.code, time.Since(began))
			}
		}
		for _, answered := range slow {
			if a := answered(); a.code != 408 || !strings.Contains(a.body, "too slowly") {
				t.Errorf("a slow one: %d %q", a.code, a.body)
			}
		}
		if a := h.post("/api/contest?run="+run, h.get("/trace?run="+run).body); a.code != 200 || len(h.server.uploads) != 0 {
			t.Errorf("afterwards: %d %q, %d files are held", a.code, a.body, len(h.server.uploads))
		}
	})
}

// A body that can't be read is an error of its sender, not of the server.
func TestComparisonOfABrokenBody(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		a := h.sent(runOf(h, "three-slots"), "Transfer-Encoding: chunked", "no number\r\n")()
		if a.code != 400 || a.body != "the body can't be read completely: invalid byte in chunk length\n" || len(h.server.uploads) != 0 {
			t.Errorf("%d %q, %d files are held", a.code, a.body, len(h.server.uploads))
		}
	})
}

func TestComparisonTakesLargerBodies(t *testing.T) {
	s := &Server{base: "/below"}
	for path, most := range map[string]int64{"/below/api/contest": protocol.ImportBytesMax, "/api/contest": BodyBytesMax, "/below/api/compare": BodyBytesMax} {
		if got := s.bodyMax(&http.Request{URL: &url.URL{Path: path}}); got != most {
			t.Errorf("%s takes %d bytes, want %d", path, got, most)
		}
	}
}
