package api

import (
	"net/url"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/web/session"
)

// FuzzURL asks the page and every route with any query about a small run: the answer is a value or
// a refusal in one line, and never an internal error. {run} stands for the run's digest.
func FuzzURL(f *testing.F) {
	p, err := program.Load([]byte(webtest.Small))
	if err != nil {
		f.Fatal(err)
	}
	store := sim.NewStore(sim.StoreOptions{})
	f.Cleanup(store.Close)
	answers := NewAnswers(session.NewLibrary(store, p))
	f.Cleanup(func() { answers.Shutdown(f.Context()) })
	run, err := store.Open(f.Context(), p)
	if err != nil {
		f.Fatal(err)
	}
	for _, query := range []string{"", "t=4", "seq=12", "t=4&seq=12", "t=99", "seq=-1", "t=9223372036854775808", "t=%zz", "mine=1", "scenario=none", "t=1;seq=2"} {
		f.Add("/", query)
	}
	for i := range Routes {
		f.Add(Routes[i].Path, "run={run}&lang=zh")
	}
	for path, query := range map[string]string{
		"/api/costs": "run={run}&from=0&to=9", "/api/step": "run={run}&seq=3", "/api/events": "run={run}&seq=20&n=7", "/api/life": "run={run}&id=2",
		"/api/quiz":    "run={run}&t=2&seed=7&n=1&seen=a",
		"/api/lecture": "name=no-such", "/api/stop": `scenario=reach&t=0&queries={"facts":{"n":{"kind":"live","lane":"reject"}}}`,
	} {
		f.Add(path, query)
	}
	f.Fuzz(func(t *testing.T, path, query string) {
		query = strings.ReplaceAll(query, "{run}", run.Digest()[:16])
		if path == "/" {
			q, _ := url.ParseQuery(query)
			place, err := answers.Find(t.Context(), q)
			if err != nil || place.Run == nil || place.Problem != nil && strings.ContainsAny(place.Problem.Error(), "\n\r") {
				t.Fatalf("%q: %+v, %v", query, place, err)
			}
			return
		}
		route, known := RouteOf(path)
		if !known {
			return
		}
		err := CheckParameters(path, query, route.Parameters)
		if err == nil {
			q, _ := url.ParseQuery(query)
			_, err = route.Answer(t.Context(), answers, Request{Path: path, Query: q, Lang: "en"})
		}
		if err == nil {
			return
		}
		if r, known := RefusalOf(err, "en"); !known || r.Line == "" || len(r.Line) > 500 || strings.ContainsAny(r.Line, "\n\r") {
			t.Fatalf("%s?%s: %v is refused with %q", path, query, err, r.Line)
		}
	})
}
