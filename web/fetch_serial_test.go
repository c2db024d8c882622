//go:build !race

// Long tests of one request at a time, in which the race detector finds nothing; see the Makefile.

package web

import (
	"net/http"
	"testing"

	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
)

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
