package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// large returns a short scenario whose run needs much memory and time: 24 lanes of 100,000 timers.
func large() string {
	var lanes []string
	for n := range 24 {
		lanes = append(lanes, fmt.Sprintf(`{"algorithm":"hierarchical","id":"lane %d","levels":4,"slots":64}`, n))
	}
	return `{"wheelscope":1,"name":"<b>huge</b>","title":{"en":"Huge","zh":"巨大"},"until":1000000,"lanes":[` + strings.Join(lanes, ",") + `],"workload":{"generate":[
		{"prefix":"t","seed":1,"count":100000,"arrivals":{"dist":"constant","value":0},"delay":{"dist":"uniform","min":1,"max":1000000}}]}}`
}

// A scenario is estimated without making a run. A text that can't be planned, is too long, or comes
// from another site is refused in one line.
func TestEstimate(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		a := h.post("/api/estimate?lang=zh", large())
		var got api.Estimate
		if err := json.Unmarshal([]byte(a.body), &got); err != nil || a.code != 200 {
			t.Fatalf("%v: %d %s", err, a.code, a.body)
		}
		if got.Name != "<b>huge</b>" || got.Title != "巨大" || got.Lanes != 24 || got.Timers != 100_000 || got.Events <= protocol.SharedEventsMax || got.Bytes <= protocol.SharedBytesMax {
			t.Errorf("%+v", got)
		}
		p, err := program.Load([]byte(large()))
		if err != nil {
			t.Fatal(err)
		}
		if e := p.Estimate(); e.Events != got.Events || e.Bytes != got.Bytes {
			t.Errorf("%+v, want %+v", got, e)
		}
		if _, ok := h.store.Lookup(p.Digest()); ok {
			t.Error("the server has a run of it")
		}
		if a = h.post("/api/estimate?lang=zh", `{"wheelscope":1,"lanes":[]}`); a.code != 422 || !strings.HasPrefix(a.body, "workload: 缺少") {
			t.Errorf("no workload: %d %s", a.code, a.body)
		}
		r, err := http.NewRequest(http.MethodPost, "http://127.0.0.1:8080/api/estimate", strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Origin", "http://evil.example")
		if a, err := h.do(r); err != nil || a.code != 403 {
			t.Errorf("from another site: %v %d", err, a.code)
		}
		r, err = http.NewRequest(http.MethodPost, "http://127.0.0.1:8080/api/estimate", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.ContentLength, r.Body = sim.ServerScenarioMax+1, unread{t}
		r.Header.Set("Expect", "100-continue")
		if a, err := h.do(r); err != nil || a.code != 413 {
			t.Errorf("too long: %v %d", err, a.code)
		}
		for range UploadsMax {
			h.server.uploads <- struct{}{}
		}
		r, err = http.NewRequest(http.MethodPost, "http://127.0.0.1:8080/api/estimate", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.ContentLength, r.Body = BodyBytesMax+1, unread{t} // an answer could be lost while the body is sent
		r.Header.Set("Expect", "100-continue")
		if a, err := h.do(r); err != nil || a.code != 503 || a.header.Get("Retry-After") == "" {
			t.Errorf("while others are planned: %v %d %s", err, a.code, a.body)
		}
	})
}

// Built-in and small scenarios are opened without confirmation.
func TestSmallScenariosAreNotAskedAbout(t *testing.T) {
	for _, name := range []string{"three-slots", "crowded-slot", "cascade-storm"} {
		data, _ := library.Builtin(name)
		p, err := program.Load(data)
		if err != nil {
			t.Fatal(err)
		}
		if e := p.Estimate(); e.Events > protocol.SharedEventsMax || e.Bytes > protocol.SharedBytesMax {
			t.Errorf("%s: %+v", name, e)
		}
	}
}
