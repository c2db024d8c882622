package timerhttp_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/wheel/timer/timerhttp"
)

// Only GET and HEAD requests are answered, and none that come from a page of another site.
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
	for k := range viewersMax {
		if m := look(t, url).next(); m.Kind != "hello" {
			t.Errorf("viewer %d gets %q", k, m.Kind)
		}
	}
	if code, _ := get(t, url+"feed"); code != http.StatusServiceUnavailable {
		t.Errorf("one viewer too many: %d", code)
	}
}

// The page finds its resources, whatever path it is mounted at.
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

// A folder may have the same name as a resource of the page.
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

// Whatever the path, the page never redirects to another site.
func TestRedirectStaysHere(t *testing.T) {
	w := make1(t)
	defer w.Shutdown(t.Context())
	for _, at := range []string{`/debug/timers/\\example.com`, `/debug/timers/\/example.com`, "/debug//example.com", "/debug/javascript:alert(1)", "/debug/timers", "/debug/a?b"} {
		r := httptest.NewRequest("GET", "http://localhost/", nil)
		r.URL.Path = at
		answer := httptest.NewRecorder()
		timerhttp.Handler(w).ServeHTTP(answer, r)
		to := answer.Header().Get("Location")
		if base := to[strings.IndexByte(to, '/')+1:]; answer.Code != http.StatusMovedPermanently || !strings.HasPrefix(to, "./") || strings.ContainsAny(base[:len(base)-1], `/\?`) {
			t.Errorf("%s: %d to %q", at, answer.Code, to)
		}
	}
}

// If the URL lacks the trailing slash that relative links need, the page redirects to the URL with
// one, in the same language, also if the prefix was stripped.
func TestPageIsAFolder(t *testing.T) {
	w := make1(t)
	defer w.Shutdown(t.Context())
	for _, c := range []struct{ strip, ask, to string }{
		{"", "/debug/timers?lang=zh", "./timers/?lang=zh"}, {"/debug/timers", "/debug/timers?lang=zh", "./timers/?lang=zh"},
		{"/debug", "/debug/timers", "./timers/"}, {"/debug/timers", "/debug/timers/", ""}, {"/debug/timers/", "/debug/timers/", ""},
	} {
		answer := httptest.NewRecorder()
		http.StripPrefix(c.strip, timerhttp.Handler(w, "example.com")).ServeHTTP(answer, httptest.NewRequest("GET", c.ask, nil))
		if to := answer.Header().Get("Location"); to != c.to || (answer.Code == http.StatusOK) != (c.to == "") {
			t.Errorf("%s, stripped of %q: %d to %q, not %q", c.ask, c.strip, answer.Code, to, c.to)
		}
	}
}
