package web

import (
	"net/http"
	"strings"
	"testing"
)

// fetched returns the headers with which a browser describes a request.
func fetched(site, mode, dest string, more ...string) []string {
	return append([]string{"Sec-Fetch-Site", site, "Sec-Fetch-Mode", mode, "Sec-Fetch-Dest", dest}, more...)
}

// A request with another Origin is refused on every route.
func TestForeignOriginGetsNothing(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		run := runOf(h, "three-slots")
		for _, path := range append(everyRoute(), "/trace?run="+run, "/picture?as=svg&run="+run, "/api/digest?run="+run) {
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
