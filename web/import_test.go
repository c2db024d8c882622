package web

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/sim"
)

// send sends a file to be imported; headers are name, value, …
func (h *harness) send(query, body string, headers ...string) (answer, imported) {
	h.t.Helper()
	r, err := http.NewRequest("POST", "http://127.0.0.1:8080/api/import?"+query, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	a, err := h.do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	var told imported
	if strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal([]byte(a.body), &told); err != nil {
			h.t.Fatalf("%v: %s", err, a.body)
		}
	}
	return a, told
}

func traceText(t *testing.T, name string) string {
	t.Helper()
	data, _ := sim.Builtin(name)
	p, err := sim.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := sim.WriteTrace(t.Context(), &b, p, sim.TraceOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A trace that is sent can be loaded by its run's digest; so can a workload, on the
// lanes that are shown.
func TestImportAndLoad(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		a, told := h.send("name=x.jsonl", traceText(t, "cascade-storm"))
		if a.code != 200 || told.Kind != "trace" || told.Name != "cascade-storm" || told.Events == 0 || len(told.Run) != 64 {
			t.Fatalf("%d %s", a.code, a.body)
		}
		c := h.client("/ws")
		defer c.close()
		c.must(`"do":"load","run":"` + told.Run[:16] + `"`)
		if c.hello.Run != told.Run[:RunDigits] {
			t.Errorf("loaded %v", c.hello.Run)
		}
		if err := c.ask(`"do":"load","run":"0123456789abcdef"`); err == nil || err.Path != "run" {
			t.Errorf("a run that is not there: %v", err)
		}
		a, table := h.send("name=mine.csv&lanes="+told.Run, "at,op,id,delay\n0,schedule,a,5\n")
		run, ok := h.store.Lookup(table.Run)
		if a.code != 200 || !ok || table.Name != "mine" || len(table.Notes) != 1 || len(run.Program().Scenario.Lanes) != len(must(h.store.Lookup(told.Run)).Program().Scenario.Lanes) {
			t.Errorf("%d %s", a.code, a.body)
		}
	})
}

func must(run *sim.Run, ok bool) *sim.Run {
	if !ok {
		panic("no such run")
	}
	return run
}

// A file that is not taken is told with its lines, in the language of the page, read
// to its end, and the server goes on.
func TestImportRefuses(t *testing.T) {
	trace := traceText(t, "three-slots")
	lines := strings.SplitAfter(trace, "\n")
	other := strings.Replace(trace, lines[5], strings.Replace(lines[5], `"due":`, `"due":1`, 1), 1)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(trace[:len(trace)/2]))
	z.Close()
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for body, want := range map[string]string{
			"at,op,id,delay\n0,schedule,a,x\n1,schedule,b,y\n": "第 2 行：delay: \"x\" 不是刻度数，或 5ms 这样的时长",
			"hello":         "文件以 \"hello\" 开头",
			packed.String(): "第 ",
			`{"wheelscope":2,"kind":"trace","scenario":{}}` + "\n": "第 1 行：轨迹的版本是 2，应为 1",
			`{"wheelscope":1,"lanes":[]}`:                          "workload: 缺少",
			"hello" + strings.Repeat("x", 3<<20):                   "文件以",
		} {
			a, told := h.send("name=x&lang=zh", body)
			if a.code != 422 || len(told.Faults) == 0 || !strings.Contains(told.Faults[0], want) || told.Run != "" {
				t.Errorf("%.20q: %d %s", body, a.code, a.body)
			}
		}
		a, told := h.send("name=x", other)
		if a.code != 422 || told.Diff == nil || told.Diff.Line != 6 || told.Diff.Event != 5 || told.Diff.Want+"\n" != lines[5] || len(told.Run) != 64 {
			t.Errorf("a trace that differs: %d %s", a.code, a.body)
		}
		for query, code := range map[string]int{"lanes=0123456789abcdef": 404, "name=x": 422} {
			if a, _ := h.send(query, ""); a.code != code {
				t.Errorf("%s: %d %s", query, a.code, a.body)
			}
		}
		if a, _ := h.send("lanes=0123456789abcdef", ""); !strings.HasPrefix(a.body, `lanes: "0123456789abcdef" is not a run of this server`) {
			t.Errorf("lanes of no run: %s", a.body)
		}
		if a, _ := h.send("", "x", "Origin", "http://evil.example"); a.code != 403 {
			t.Errorf("from another site: %d %s", a.code, a.body)
		}
		if a := h.get("/api/import"); a.code != 405 {
			t.Errorf("GET: %d", a.code)
		}
	})
}

// What is broken in a trace is told in the language of the page too.
func TestBrokenTracesInChinese(t *testing.T) {
	trace := traceText(t, "three-slots")
	lines := strings.SplitAfter(trace, "\n")
	last := len(lines) - 2
	change := func(line int, old, with string) string {
		return strings.Replace(trace, lines[line], strings.Replace(lines[line], old, with, 1), 1)
	}
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for body, want := range map[string]string{
			change(5, `{"seq"`, `["seq"`):                                 `第 6 行：见到 "[\"seq\":5,\"tick\":0,\"lane\""，应为 {"seq":`,
			change(5, `"tick":0`, `"tick":9`):                             "第 7 行：tick 是 0，而前一行是 9",
			change(5, `"kind":"`, `"kind":"x`):                            "第 6 行：kind 是 \"x",
			change(last, `"events":`, `"events":1`):                       fmt.Sprintf("第 %d 行：events 是 1%d，而实际有 %d 个", last+1, last-1, last-1),
			change(last, `"pending":{"simple":`, `"pending":{"simple":1`): fmt.Sprintf(`第 %d 行：结束行是 {"kind":"end"`, last+1),
			change(last, `"sha256":"`, `"sha256":"x`):                     fmt.Sprintf("第 %d 行：sha256 是 \"x", last+1),
			trace + "x": fmt.Sprintf("第 %d 行：结束行之后还有内容", last+2),
		} {
			a, told := h.send("name=x&lang=zh", body)
			if a.code != 422 || len(told.Faults) != 1 || !strings.HasPrefix(told.Faults[0], want) || strings.Contains(told.Faults[0], "expected") {
				t.Errorf("%d %s, want %s", a.code, a.body, want)
			}
		}
	})
}

// slowly gives a byte every ten seconds, for ever.
type slowly struct{ text string }

func (s slowly) Read(p []byte) (int, error) {
	time.Sleep(10 * time.Second)
	return copy(p[:1], s.text), nil
}

// A file that never ends is not read for ever, whether it is a workload or nothing that
// is known: its place is free after the time that an import has.
func TestImportEnds(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for _, begin := range []string{"", "hello" + strings.Repeat(" ", 8<<10)} {
			began := time.Now()
			r, err := http.NewRequest("POST", "http://127.0.0.1:8080/api/import", io.MultiReader(strings.NewReader(begin), io.LimitReader(slowly{"x"}, 1000)))
			if err != nil {
				t.Fatal(err)
			}
			if a, err := h.do(r); err != nil || a.code != 422 {
				t.Errorf("%.9q: %v, %d %s", begin, err, a.code, a.body)
			}
			if took := time.Since(began); took > importWait+2*requestWait || len(h.server.imports) != 0 {
				t.Errorf("%.9q: took %s; %d are still read", begin, took, len(h.server.imports))
			}
			time.Sleep(requestWait) // until the sender has seen that nobody reads
		}
	})
}

// Other routes take no body of size; this one has its limit too.
func TestImportLimits(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for path, most := range map[string]int64{"/api/import": ImportBytesMax, "/api/scenarios": BodyBytesMax} {
			r, err := http.NewRequest("POST", "http://127.0.0.1:8080"+path, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			r.ContentLength, r.Body = most+1, unread{t}
			r.Header.Set("Expect", "100-continue")
			if a, err := h.do(r); err != nil || a.code != http.StatusRequestEntityTooLarge {
				t.Errorf("%s: %d", path, a.code)
			}
		}
		h.server.imports <- struct{}{}
		h.server.imports <- struct{}{}
		if a, _ := h.send("", "x"); a.code != 503 {
			t.Errorf("while two files are read: %d %s", a.code, a.body)
		}
		if a, _ := h.send("", ""); a.code != 503 {
			t.Errorf("%d", a.code)
		}
	})
}

// The digest is that of the trace's end line, on one server as on another.
func TestDigestOfARun(t *testing.T) {
	text := traceText(t, "three-slots")
	var first string
	for range 2 {
		inBubble(t, Config{}, func(t *testing.T, h *harness) {
			_, told := h.send("", text)
			a := h.get("/api/digest?run=" + told.Run[:16])
			var d struct {
				Run, SHA256 string
				Events      int64
			}
			if err := json.Unmarshal([]byte(a.body), &d); err != nil || d.Run != told.Run || d.Events != told.Events || !strings.Contains(text, `"sha256":"`+d.SHA256+`"}`) {
				t.Errorf("%v: %s", err, a.body)
			}
			if first != "" && a.body != first {
				t.Errorf("another server says %s", a.body)
			}
			first = a.body
			if a := h.get("/api/digest?run=0123456789abcdef"); a.code != 404 {
				t.Errorf("%d", a.code)
			}
		})
	}
}
