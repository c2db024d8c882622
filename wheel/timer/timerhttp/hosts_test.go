package timerhttp_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/wheel/timer/timerhttp"
)

// The page is served only under the program's own names, so that a site whose name resolves to this
// machine (DNS rebinding) can't read it.
func TestHandlerHosts(t *testing.T) {
	w := make1(t)
	defer w.Shutdown(t.Context())
	page := timerhttp.Handler(w, "Debug.example.org", "lab.example.org:8080")
	for host, want := range map[string]int{
		"localhost": 200, "LOCALHOST:6060": 200, "localhost.": 200, "127.0.0.1:6060": 200, "[::1]:6060": 200, "192.168.1.20": 200,
		"debug.example.org": 200, "debug.example.org:443": 200, "lab.example.org": 200,
		"evil.example": 403, "debug.example.org.evil.example": 403, "localhost.evil.example": 403, "127.0.0.1.evil.example": 403, "": 403, "a:b:c": 403,
		"evil.example\x1b[2J": 403,
	} {
		for _, path := range []string{"/", "/scenario", "/feed"} {
			if want == 200 && path != "/" {
				continue // the page is enough: one handler serves all paths
			}
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.Host = host
			answer := httptest.NewRecorder()
			page.ServeHTTP(answer, r)
			if answer.Code != want {
				t.Errorf("host %q, %s: %d, want %d", host, path, answer.Code, want)
			}
			if body := answer.Body.String(); want == 403 && (strings.Count(body, "\n") != 1 || strings.Contains(body, "\x1b")) {
				t.Errorf("host %q: %q", host, body)
			}
		}
	}
}

// The plain text is protected by the same check.
func TestTextHosts(t *testing.T) {
	w := make1(t)
	defer w.Shutdown(t.Context())
	for host, want := range map[string]int{"localhost": 200, "127.0.0.1:6060": 200, "evil.example": 403} {
		r := httptest.NewRequest(http.MethodGet, "/?debug=1", nil)
		r.Host = host
		answer := httptest.NewRecorder()
		timerhttp.Handler(w).ServeHTTP(answer, r)
		if answer.Code != want {
			t.Errorf("host %q: %d, want %d", host, answer.Code, want)
		}
	}
}
