package web

import (
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/web/internal/webtest"

	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

var mainTag = regexp.MustCompile(`<main data-now="(\d+)" data-seq="(\d+)"`)

// cursorOf returns the position of a page.
func cursorOf(body string) string {
	m := mainTag.FindStringSubmatch(body)
	if m == nil {
		return "nowhere"
	}
	return m[1] + " " + m[2]
}

func TestPageIsAtThePositionOfItsURL(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		for _, c := range []struct {
			query, cursor string
			code          int
			problem       string
		}{
			{"", "0 0", 200, ""},
			{"?scenario=small", "0 0", 200, ""},
			{"?t=0", "0 8", 200, ""},
			{"?t=3", "3 28", 200, ""},
			{"?t=9", "9 44", 200, ""},
			{"?seq=7", "0 7", 200, ""},
			{"?seq=0", "0 0", 200, ""},
			{"?t=0&seq=0", "0 0", 200, ""},
			{"?t=2&seq=15", "2 15", 200, ""},
			{"?t=8&seq=44", "8 44", 200, ""}, // the last event, and the pause after it
			{"?seq=44", "6 44", 200, ""},
			{"?t=10", "0 0", 400, "t: 10 is past the end of the scenario at tick 9"},
			{"?seq=45", "0 0", 400, "seq: 45 is not an event of this run, which has 44"},
			{"?t=-1", "0 0", 400, "t: &#34;-1&#34; is not a whole number"},
			{"?t=1e3", "0 0", 400, "t: &#34;1e3&#34; is not a whole number"},
			{"?t=99999999999999999999", "0 0", 400, "is not a whole number"},
			{"?seq=x", "0 0", 400, "seq: &#34;x&#34; is not a whole number"},
			{"?scenario=nope&t=3", "0 0", 404, "scenario: &#34;nope&#34; is not the name of a scenario here"},
			{"?scenario=%3Cscript%3E", "0 0", 404, "&lt;script&gt;"},
		} {
			a := h.get("/?view=lab&" + strings.TrimPrefix(c.query, "?"))
			if entry := h.get("/" + c.query); entry.code != a.code || cursorOf(entry.body) != cursorOf(a.body) {
				t.Errorf("%s: the entry view is at %s with status %d, the laboratory at %s with status %d", c.query, cursorOf(entry.body), entry.code, cursorOf(a.body), a.code)
			}
			if a.code != c.code || cursorOf(a.body) != c.cursor {
				t.Errorf("%s: %d, at %s; want %d, at %s", c.query, a.code, cursorOf(a.body), c.code, c.cursor)
			}
			if shown := strings.Contains(a.body, `id="problem" role="alert"`); !strings.Contains(a.body, c.problem) || shown && strings.Contains(a.body, "<script>alert") {
				t.Errorf("%s: problem %q is not shown", c.query, c.problem)
			}
		}
	})
}

// The page and the socket of its boot data have the same position.
func TestPageAndSocketAgree(t *testing.T) {
	socket := regexp.MustCompile(`"socket":"([^"]*)"`)
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for _, query := range []string{"?scenario=three-slots", "?scenario=three-slots&t=4", "?scenario=three-slots&seq=50", "?scenario=three-slots&t=14", "?scenario=crowded-slot&t=20&lang=zh"} {
			a := h.get("/" + query)
			m := socket.FindStringSubmatch(a.body)
			if m == nil {
				t.Fatalf("%s: no socket in the boot data", query)
			}
			c := h.client(strings.ReplaceAll(m[1], `\u0026`, "&"))
			if at := fmt.Sprintf("%d %d", c.tick, c.seq); at != cursorOf(a.body) {
				t.Errorf("%s: the page is at %s, the socket at %s", query, cursorOf(a.body), at)
			}
			c.close()
		}
	})
}

func TestLanguage(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		for _, c := range [][3]string{
			{"", "", "en"}, {"", "de", "en"}, {"", "zh", "zh"}, {"", "zh-CN,en;q=0.5", "zh"}, {"", "en,zh;q=0.9", "en"},
			{"?lang=zh", "en", "zh"}, {"?lang=en", "zh", "en"}, {"?lang=zh-Hans", "en", "zh"}, {"?lang=xx", "zh", "zh"}, {"", ";;;,,q=", "en"},
		} {
			a := h.get("/"+c[0], "Accept-Language", c[1])
			if got := a.header.Get("Content-Language"); got != c[2] || !strings.Contains(a.body, map[string]string{"en": "Small", "zh": "小"}[got]) {
				t.Errorf("%q preferring %q: %s, want %s", c[0], c[1], got, c[2])
			}
		}
	})
}

func TestAssetsAreKeptForEver(t *testing.T) {
	href := regexp.MustCompile(`src="(/static/[^"]*/bundle/lab/app\.js)"`)
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		page := h.get("/?view=lab", "Accept-Encoding", "gzip")
		unpacked := unpack(t, page)
		m := href.FindStringSubmatch(unpacked)
		if m == nil {
			t.Fatal("the page names no script")
		}
		plain := h.get(m[1], "Accept-Encoding", "identity")
		packed := h.get(m[1], "Accept-Encoding", "gzip")
		if plain.code != 200 || !strings.HasPrefix(plain.header.Get("Content-Type"), "text/javascript") || !strings.Contains(plain.header.Get("Cache-Control"), "immutable") {
			t.Errorf("%d %v", plain.code, plain.header)
		}
		if unpack(t, packed) != plain.body || len(packed.body) >= len(plain.body) {
			t.Error("packed it is another thing")
		}
		for _, path := range []string{"/static/000000000000/js/app.js", strings.Replace(m[1], "app.js", "nope.js", 1), "/static/", strings.Replace(m[1], "lab/app.js", "static.go", 1),
			strings.Replace(m[1], "lab/app.js", "../../server.go", 1), strings.Replace(m[1], "lab/app.js", "js", 1), strings.Replace(m[1], "app.js", "", 1)} {
			if a := h.get(path); a.code != 404 || strings.Contains(a.header.Get("Cache-Control"), "immutable") {
				t.Errorf("%s: %d %q", path, a.code, a.header.Get("Cache-Control"))
			}
		}
	})
}

func unpack(t *testing.T, a answer) string {
	t.Helper()
	if a.header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("not packed: %v", a.header)
	}
	r, err := gzip.NewReader(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The page's export equals that of the command line.
func TestTraceAndScenarioOfARun(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		c := h.client("/ws?t=2")
		defer c.close()
		c.must(`"do":"op","op":"set","timer":"mine","delay":"3ms"`)
		run, ok := h.store.Lookup(c.hello.Run)
		if !ok {
			t.Fatal("the run that hello names is not known")
		}
		var want bytes.Buffer
		if _, err := tracefile.Write(context.Background(), &want, run.Program(), tracefile.Options{}); err != nil {
			t.Fatal(err)
		}
		for _, digest := range []string{c.hello.Run, run.Digest(), strings.ToUpper(run.Digest())} {
			if a := h.get("/trace?run=" + digest); a.code != 200 || a.body != want.String() || !strings.Contains(a.header.Get("Content-Disposition"), `"small.jsonl"`) {
				t.Errorf("trace of %s: %d, %d bytes, want %d", digest, a.code, len(a.body), want.Len())
			}
		}
		a := h.get("/scenario?run=" + c.hello.Run)
		p, err := program.Load([]byte(a.body))
		if err != nil || p.Digest() != run.Digest() {
			t.Errorf("the scenario of the run is not read back: %v", err)
		}
		for _, bad := range []string{"", "abc", "zz", c.hello.Run[:15], strings.Repeat("0", 64), strings.Repeat("0", 65)} {
			for _, path := range []string{"/trace", "/scenario"} {
				if a := h.get(path + "?run=" + bad); a.code != 404 || strings.Count(a.body, "\n") != 1 {
					t.Errorf("%s of %q: %d %q", path, bad, a.code, a.body)
				}
			}
		}
	})
}

// The page of a run that only the server has names the run for its socket. A run that is gone is announced.
func TestPageOfARun(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		c := h.client("/ws?t=2")
		defer c.close()
		c.must(`"do":"op","op":"set","timer":"mine","delay":"3ms"`)
		for _, view := range []string{"entry", "lab"} {
			if a := h.get("/?view=" + view + "&t=2&run=" + c.hello.Run); a.code != 200 || !strings.Contains(a.body, `data-now="2"`) || !strings.Contains(a.body, "run="+c.hello.Run+"\\u0026t=2") {
				t.Errorf("%s: %d %.200q", view, a.code, a.body)
			}
			if a := h.get("/?view=" + view + "&t=2&run=0123456789abcdef"); a.code != 404 || !strings.Contains(a.body, "0123456789abcdef") || !strings.Contains(a.body, `data-now="0"`) {
				t.Errorf("%s of no run: %d %.200q", view, a.code, a.body)
			}
		}
	})
}

func TestLists(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		var scenarios []struct {
			Name  string
			Title map[string]string
			Lanes []string
		}
		if err := json.Unmarshal([]byte(h.get("/api/scenarios").body), &scenarios); err != nil || len(scenarios) != len(library.Builtins()) {
			t.Fatalf("%d scenarios: %v", len(scenarios), err)
		}
		for _, s := range scenarios {
			if s.Title["en"] == "" || s.Title["zh"] == "" || len(s.Lanes) == 0 {
				t.Errorf("%+v", s)
			}
		}
		var algorithms []struct{ ID string }
		if err := json.Unmarshal([]byte(h.get("/api/algorithms").body), &algorithms); err != nil || len(algorithms) < 5 {
			t.Errorf("%d algorithms: %v", len(algorithms), err)
		}
		if a := h.get("/healthz"); a.code != http.StatusOK || a.body != "ok\n" {
			t.Errorf("%d %q", a.code, a.body)
		}
		if a := h.get("/nowhere"); a.code != http.StatusNotFound || a.body != "there is nothing at \"/nowhere\"\n" {
			t.Errorf("%d %q", a.code, a.body)
		}
	})
}

// TestPageOfANamelessScenario shows files without a title, or without a name too: title, heading
// and picker have a name for them.
func TestPageOfANamelessScenario(t *testing.T) {
	for text, called := range map[string]string{
		`{"wheelscope":1,"until":3,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[]}}`:               "Scenario without a name",
		`{"wheelscope":1,"name":"mine","until":3,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[]}}`: "mine",
	} {
		t.Run(called, func(t *testing.T) {
			p, err := program.Load([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			inBubble(t, Config{Default: p}, func(t *testing.T, h *harness) {
				body := h.get("/?view=lab").body
				for _, want := range []string{"<title>" + called + " ·", `<h1 class="sr" id="title">` + called + "<", `<b id="scenario-title">` + called + "<"} {
					if !strings.Contains(body, want) {
						t.Errorf("the page has no %q", want)
					}
				}
			})
		})
	}
}
