package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
)

// A page or a socket whose run is not computed in time gets 503, one line in the language of the
// client, and Retry-After; so does a page that is not rendered in time.
func TestPageThatIsNotReadyInTime(t *testing.T) {
	for name, c := range map[string]struct {
		path string
		wait time.Duration
		says [2]string
	}{
		"not computed": {"/?t=4611686018427387000", 50 * time.Millisecond, [2]string{"the run is not computed that far yet", "运行尚未计算到这里"}},
		"not rendered": {"/?", 0, [2]string{"this was not ready in time", "未能及时完成"}},
		"no socket":    {"/ws?t=4611686018427387000", 50 * time.Millisecond, [2]string{"the run is not computed that far yet", "运行尚未计算到这里"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := impatient(t, c.wait)
			for i, lang := range []string{"en", "zh"} {
				a := answerOf(s, http.MethodGet, c.path+"&lang="+lang)
				if a.code != 503 || !strings.Contains(a.body, c.says[i]) || strings.Count(a.body, "\n") != 1 || a.header.Get("Retry-After") != "5" || a.header.Get("Refresh") != "5" {
					t.Errorf("%s: %d, Retry-After %q: %s", lang, a.code, a.header.Get("Retry-After"), a.body)
				}
			}
			if strings.HasPrefix(c.path, "/ws") {
				return
			}
			if a := answerOf(s, http.MethodHead, c.path); a.code != 503 || a.body != "" || a.header.Get("Retry-After") != "5" {
				t.Errorf("HEAD: %d, Retry-After %q: %q", a.code, a.header.Get("Retry-After"), a.body)
			}
		})
	}
}

// impatient returns a server with an endless run on which pages and sockets wait at most so long.
func impatient(t *testing.T, wait time.Duration) *Server {
	t.Helper()
	p, err := program.Load([]byte(endless))
	if err != nil {
		t.Fatal(err)
	}
	store := sim.NewStore(sim.StoreOptions{})
	t.Cleanup(store.Close)
	s, err := New(Config{Addr: "127.0.0.1:8080", Store: store, Default: p})
	if err != nil {
		t.Fatal(err)
	}
	s.pageWait = wait
	return s
}

// answerOf returns the server's answer to a request for an upgrade.
func answerOf(s *Server, method, path string) answer {
	r := httptest.NewRequest(method, "http://127.0.0.1:8080"+path, nil)
	r.Header.Set("Connection", "Upgrade")
	r.Header.Set("Upgrade", "websocket")
	r.Header.Set("Accept", "text/html,*/*")
	w := httptest.NewRecorder()
	s.http.Handler.ServeHTTP(w, r)
	return answer{w.Code, w.Header(), w.Body.String()}
}
