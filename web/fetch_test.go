package web

import (
	"github.com/wheelscope/wheelscope/web/internal/webtest"

	"net/http"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/static"
)

// fetched returns the headers with which a browser describes a request.
func fetched(site, mode, dest string, more ...string) []string {
	return append([]string{"Sec-Fetch-Site", site, "Sec-Fetch-Mode", mode, "Sec-Fetch-Dest", dest}, more...)
}

// A page of another site loads nothing of this server: no image, script, frame or download, and it
// prefetches no page. It may link to the pages, and embed them with embed=1.
func TestForeignPagesLoadNothing(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		run := runOf(h, "three-slots")
		script := "/" + static.Path("js/app.js")
		for _, site := range []string{"cross-site", "same-site", "unheard-of"} {
			for _, c := range []struct {
				path    string
				headers []string
				code    int
			}{
				{"/trace?as=csv&run=" + run, fetched(site, "no-cors", "image"), 403},
				{"/trace?as=csv&run=" + run, fetched(site, "navigate", "document"), 403}, // a link to a download
				{"/picture?as=svg&run=" + run, fetched(site, "no-cors", "image"), 403},
				{"/picture?as=svg&run=" + run, fetched(site, "navigate", "document"), 403},
				{"/scenario?run=" + run, fetched(site, "navigate", "document"), 403},
				{"/api/scenarios", fetched(site, "cors", "empty"), 403},
				{"/api/scenarios", fetched(site, "navigate", "document"), 403},
				{script, fetched(site, "no-cors", "script"), 403},
				{"/healthz", fetched(site, "no-cors", "image"), 403},
				{"/nowhere", fetched(site, "navigate", "document"), 403},
				{"/", fetched(site, "no-cors", "image"), 403},
				{"/", fetched(site, "navigate", "iframe"), 403},
				{"/?embed=0", fetched(site, "navigate", "iframe"), 403},
				{"/worker?embed=1", fetched(site, "navigate", "iframe"), 403},
				{"/?embed=1", fetched(site, "no-cors", "image"), 403},
				{"/", fetched(site, "navigate", "document", "Sec-Purpose", "prefetch;prerender"), 403},
				{"/", fetched(site, "navigate", "document"), 200},
				{"/?scenario=three-slots&t=2", fetched(site, "navigate", "document"), 200},
				{"/algorithms", fetched(site, "navigate", "document"), 200},
				{"/algorithms/simple", fetched(site, "navigate", "document"), 200},
				{"/worker", fetched(site, "navigate", "document"), 200},
				{"/?embed=1", fetched(site, "navigate", "iframe"), 200},
				{"/?embed=1", fetched(site, "navigate", "object"), 200},
			} {
				a := h.get(c.path, c.headers...)
				if a.code != c.code || c.code == 403 && a.body != "another site may only link to the pages of this server, and embed those with embed=1\n" {
					t.Errorf("%s %v: %d %.100q, want %d", c.path, c.headers, a.code, a.body, c.code)
				}
			}
		}
		for _, path := range []string{"/", script, "/trace?run=" + run, "/picture?as=svg&run=" + run, "/api/scenarios"} {
			for _, headers := range [][]string{nil, fetched("same-origin", "no-cors", "image"), fetched("same-origin", "navigate", "iframe"), fetched("none", "navigate", "document")} {
				if a := h.get(path, headers...); a.code != 200 {
					t.Errorf("%s %v: %d %.100q", path, headers, a.code, a.body)
				}
			}
		}
		post := fetched("cross-site", "navigate", "document")
		if a, _ := h.send("", "x", post...); a.code != http.StatusForbidden {
			t.Errorf("a form of another site: %d %q", a.code, a.body)
		}
	})
}

// A request with another Origin is refused on every route.
func TestForeignOriginGetsNothing(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		run := runOf(h, "three-slots")
		for _, path := range append(everyRoute(), "/trace?run="+run, "/picture?as=svg&run="+run, "/api/contest?run="+run, "/api/digest?run="+run) {
			for _, origin := range []string{"http://evil.example", "null", "http://127.0.0.1:9090", "https://127.0.0.1:8080", "http://localhost:8080"} {
				if a := h.get(path, "Origin", origin); a.code != http.StatusForbidden || !strings.Contains(a.body, origin) || strings.Count(a.body, "\n") != 1 {
					t.Errorf("%s from %s: %d %.100q", path, origin, a.code, a.body)
				}
			}
		}
		if a := h.get("/api/scenarios", "Origin", "http://127.0.0.1:8080"); a.code != 200 {
			t.Errorf("its own page: %d %q", a.code, a.body)
		}
	})
}

// The pages are served below a base path.
func TestPagesBelowABasePath(t *testing.T) {
	inBubble(t, Config{BasePath: "/lab"}, func(t *testing.T, h *harness) {
		for path, want := range map[string]int{"/lab": 308, "/lab/": 200, "/lab/algorithms": 200, "/lab/?embed=1": 200, "/": 403, "/laboratory": 403, "/lab/api/scenarios": 403} {
			if a := h.get(path, fetched("cross-site", "navigate", "document")...); a.code != want {
				t.Errorf("%s: %d, want %d", path, a.code, want)
			}
		}
		if a := h.get("/lab/?embed=1", fetched("cross-site", "navigate", "iframe")...); a.code != 200 {
			t.Errorf("embedded: %d", a.code)
		}
	})
}
