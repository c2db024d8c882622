package web

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// Requests that compute are limited by kind: a further one is refused at once with Retry-After.
// Their work ends when the clients disconnect, and others are admitted.
func TestRequestsOfAKindAreBounded(t *testing.T) {
	for path, most := range map[string]int{
		"/trace?run=":                      ExportsMax,
		"/trace?as=csv&run=":               ExportsMax,
		"/picture?as=svg&lane=simple&run=": PicturesMax,
		"/api/compare?run=":                ComparesMax,
		"/api/digest?run=":                 ComparesMax,
		"/api/life?id=1&run=":              AnswersMax,
		"/api/costs?from=0&to=3&run=":      AnswersMax,
		"/api/quiz?t=3&n=0&run=":           AnswersMax,
	} {
		inBubble(t, Config{}, func(t *testing.T, h *harness) {
			defer takeAll(t, h.store.Queue())() // so that nothing is computed, and all of them wait
			path := path + runOf(h, "three-slots")
			began := time.Now()
			ctx, disconnect := context.WithCancel(t.Context())
			defer disconnect()
			ask := func() (answer, error) {
				r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1:8080"+path, nil)
				if err != nil {
					t.Fatal(err)
				}
				return h.do(r)
			}
			var clients sync.WaitGroup
			for range most {
				clients.Go(func() {
					if a, err := ask(); err == nil {
						t.Errorf("%s: answered with %d %.80s", path, a.code, a.body)
					}
				})
			}
			synctest.Wait()
			a := h.get(path)
			if a.code != 503 || a.header.Get("Retry-After") == "" || !strings.Contains(a.body, "requests of this kind are under way") || time.Since(began) > 0 {
				t.Errorf("%s: %d %s after %s, want that %d are admitted", path, a.code, a.body, time.Since(began), most)
			}
			disconnect()
			clients.Wait()
			synctest.Wait()
			if a := h.get(path); strings.Contains(a.body, "requests of this kind") || time.Since(began) > protocol.AnswerWait+time.Second {
				t.Errorf("%s: after all have left %d %s", path, a.code, a.body)
			}
		})
	}
}
