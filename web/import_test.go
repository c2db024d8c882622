package web

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// send sends a file to be imported; headers are name, value, …
func (h *harness) send(query, body string, headers ...string) (answer, api.Imported) {
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
	var imported api.Imported
	if strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal([]byte(a.body), &imported); err != nil {
			h.t.Fatalf("%v: %s", err, a.body)
		}
	}
	return a, imported
}

func traceText(t *testing.T, name string) string {
	t.Helper()
	data, _ := library.Builtin(name)
	p, err := program.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := tracefile.Write(t.Context(), &b, p, tracefile.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// An imported trace can be loaded by the digest of its run; so can a workload, with the lanes of
// the current run.
func TestImportAndLoad(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		a, imported := h.send("name=x.jsonl", traceText(t, "cascade-storm"))
		if a.code != 200 || imported.Kind != "trace" || imported.Name != "cascade-storm" || imported.Events == 0 || len(imported.Run) != 64 {
			t.Fatalf("%d %s", a.code, a.body)
		}
		c := h.client("/ws")
		defer c.close()
		c.must(`"do":"load","run":"` + imported.Run[:16] + `"`)
		if c.hello.Run != imported.Run[:sim.DigestShort] {
			t.Errorf("loaded %v", c.hello.Run)
		}
		if err := c.ask(`"do":"load","run":"0123456789abcdef"`); err == nil || err.Path != "run" {
			t.Errorf("a run that is not there: %v", err)
		}
		a, table := h.send("name=mine.csv&lanes="+imported.Run, "at,op,id,delay\n0,schedule,a,5\n")
		run, ok := h.store.Lookup(table.Run)
		if a.code != 200 || !ok || table.Name != "mine" || len(table.Notes) != 1 || len(run.Program().Scenario.Lanes) != len(must(h.store.Lookup(imported.Run)).Program().Scenario.Lanes) {
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

// The faults of a refused file have line numbers, in the language of the page. The file is read to
// its end, and the server keeps working.
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
			a, imported := h.send("name=x&lang=zh", body)
			if a.code != 422 || len(imported.Faults) == 0 || !strings.Contains(imported.Faults[0], want) || imported.Run != "" {
				t.Errorf("%.20q: %d %s", body, a.code, a.body)
			}
		}
		a, imported := h.send("name=x", other)
		if a.code != 422 || imported.Diff == nil || imported.Diff.Line != 6 || imported.Diff.Event != 5 || imported.Diff.Want+"\n" != lines[5] || len(imported.Run) != 64 {
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

// The faults of a broken trace are also in the language of the page.
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
			change(last, `"pending":{"simple":`, `"pending":{"simple":1`): fmt.Sprintf("第 %d 行：结束行有误：pending.simple 是 1", last+1),
			change(last, `"sha256":"`, `"sha256":"x`):                     fmt.Sprintf("第 %d 行：sha256 是 \"x", last+1),
			trace + "x": fmt.Sprintf("第 %d 行：结束行之后还有内容", last+2),
		} {
			a, imported := h.send("name=x&lang=zh", body)
			if a.code != 422 || len(imported.Faults) != 1 || !strings.HasPrefix(imported.Faults[0], want) || strings.Contains(imported.Faults[0], "expected") {
				t.Errorf("%d %s, want %s", a.code, a.body, want)
			}
		}
	})
}

// At most UploadsMax files arrive or are used at a time. A further one is refused unread, a small one is not.
func TestUploadsAreBounded(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for range UploadsMax {
			h.server.uploads <- struct{}{}
		}
		r, err := http.NewRequest("POST", "http://127.0.0.1:8080/api/import", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.ContentLength, r.Body = BodyBytesMax+1, unread{t}
		r.Header.Set("Expect", "100-continue")
		if a, err := h.do(r); err != nil || a.code != 503 || a.header.Get("Retry-After") == "" || !strings.HasPrefix(a.body, "8 files are arriving") {
			t.Errorf("%v, %d %s", err, a.code, a.body)
		}
		if a, _ := h.send("", `{"wheelscope":1,"lanes":[]}`); a.code != 422 {
			t.Errorf("a small file meanwhile: %d %s", a.code, a.body)
		}
		<-h.server.uploads
		if a, _ := h.send("", strings.Repeat(" ", BodyBytesMax+1)); a.code != 422 {
			t.Errorf("a place became free: %d %s", a.code, a.body)
		}
		if n := len(h.server.uploads); n != UploadsMax-1 {
			t.Errorf("%d places are taken afterwards", n)
		}
	})
}

// The place of a file is released when its sender disconnects. Reading waits for a turn in the queue of heavy work,
// for at most api.ImportWait.
func TestImportEndsWithItsSender(t *testing.T) {
	trace := traceText(t, "three-slots")
	trace += strings.Repeat("\n", BodyBytesMax) // a file that is not small
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		free := takeAll(t, h.store.Queue())
		conn, err := h.ln.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.NewRequest("POST", "http://127.0.0.1:8080/api/import", strings.NewReader(trace))
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Write(conn); err != nil {
			t.Fatal(err)
		}
		time.Sleep(api.ImportWait / 2)
		if len(h.server.uploads) != 1 {
			t.Errorf("%d places are taken while the file waits for its turn", len(h.server.uploads))
		}
		conn.Close()
		synctest.Wait()
		if len(h.server.uploads) != 0 {
			t.Error("the place is taken after the sender has left")
		}
		began := time.Now()
		if a, _ := h.send("", trace); a.code != 503 || time.Since(began) != api.ImportWait {
			t.Errorf("without a turn: %d %s after %s", a.code, a.body, time.Since(began))
		}
		free()
	})
}

// The largest scenario can be imported and its run loaded; one byte more is refused.
func TestLargestScenarioIsImported(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		data, _ := library.Builtin("three-slots")
		text := string(data) + strings.Repeat(" ", sim.ServerScenarioMax-len(data))
		a, imported := h.send("", text)
		if a.code != 200 || imported.Kind != "scenario" || imported.Name != "three-slots" || len(h.server.uploads) != 0 {
			t.Fatalf("%d %.300s", a.code, a.body)
		}
		c := h.client("/ws")
		defer c.close()
		c.must(`"do":"load","run":"` + imported.Run + `"`)
		if c.hello.Run != imported.Run[:sim.DigestShort] {
			t.Errorf("loaded %s", c.hello.Run)
		}
		if a, imported := h.send("", text+" "); a.code != 422 || len(imported.Faults) != 1 || !strings.Contains(imported.Faults[0], fmt.Sprint(sim.ServerScenarioMax)) {
			t.Errorf("one byte more: %d %.300s", a.code, a.body)
		}
	})
}

// Other routes accept no large body. This one has a limit, too.
func TestImportLimits(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for path, most := range map[string]int64{"/api/import": protocol.ImportBytesMax, "/api/scenarios": BodyBytesMax} {
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
	})
}

// The digest is the one in the trace's end line, on every server.
func TestDigestOfARun(t *testing.T) {
	text := traceText(t, "three-slots")
	var first string
	for range 2 {
		inBubble(t, Config{}, func(t *testing.T, h *harness) {
			_, imported := h.send("", text)
			a := h.get("/api/digest?run=" + imported.Run[:16])
			var d struct {
				Run, SHA256 string
				Events      int64
			}
			if err := json.Unmarshal([]byte(a.body), &d); err != nil || d.Run != imported.Run || d.Events != imported.Events || !strings.Contains(text, `"sha256":"`+d.SHA256+`"}`) {
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
