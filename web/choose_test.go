package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/api"
)

const steadyChoice = "pending=200&delay=1s&reset=0.5&cancel=0.2&accept=5ms"

// The page counts all structures in a few requests, for answers and for a run, and opens the recommendation beside others.
func TestChoose(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		run := runOf(h, "three-slots")
		for _, q := range []string{steadyChoice, "run=" + run} {
			for asks := 0; ; asks++ {
				c := answered[api.Chosen](t, h.get("/api/choose?"+q))
				if c.Best == nil || len(c.Rows) == 0 || len(c.Points) < len(c.Rows) || c.Counted > c.Candidates || asks > 100 || !strings.HasPrefix(c.Command, "wheelscope advise ") {
					t.Fatalf("%s: %+v", q, c)
				}
				if c.Counted == c.Candidates {
					break
				}
			}
			s := answered[api.ChosenScenario](t, h.get("/api/choose/scenario?"+q))
			p, err := program.Load([]byte(s.Text))
			if err != nil || len(p.Scenario.Lanes) != 3 || s.Tick < 0 || s.Tick > p.Until || p.Digest() != s.Run {
				t.Errorf("%s: %v, %+v", q, err, s)
			}
		}
		if c := answered[api.Chosen](t, h.get("/api/choose?"+steadyChoice+"&memory=0.00001")); c.Best != nil || !strings.Contains(c.Problem, "the nearest is ") {
			t.Errorf("%+v", c)
		}
		// a share that a scenario can't have: it was a panic of the request
		if a := h.get("/api/choose/scenario?pending=1&delay=2ms&reset=1e-300&accept=1ms"); a.code < 400 || a.code >= 500 || strings.Count(a.body, "\n") != 1 || !strings.Contains(a.body, "fraction") {
			t.Errorf("a tiny share: %d %q", a.code, a.body)
		}
		for bad, want := range map[string]string{
			"pending=x&delay=1s": `"x" is not a number`,
			"pending=5":          `is not a duration such as 60s`,
			"pending=5&delay=1s&reset=0.9&cancel=0.9": "more than 1 together",
			"pending=5&delay=1s&accept=1h":            "is not a duration",
			"run=0123456789abcdef":                    "is not a run",
			"pending=5&delay=1s&colour=blue":          "is not a parameter",
			"pending=99999999999&delay=1s":            "is not a number",
		} {
			if a := h.get("/api/choose?" + bad); a.code < 400 || strings.Count(a.body, "\n") != 1 || !strings.Contains(a.body, want) {
				t.Errorf("%s: %d %q, want %q", bad, a.code, a.body, want)
			}
		}
		r, err := http.NewRequest("POST", "http://127.0.0.1:8080/api/advise?"+steadyChoice, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a, err := h.do(r); err != nil || a.code != 403 || !strings.Contains(a.body, "times nothing") {
			t.Errorf("%v, %+v", err, a)
		}
	})
}

// A comparison says what spreading a herd gains, and /api/spread returns the scenario that does it.
func TestSpread(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		r, err := http.NewRequest("POST", "http://127.0.0.1:8080/api/import?name=herd.json", strings.NewReader(`{"wheelscope":1,"name":"herd","until":5000,"lanes":[{"algorithm":"hierarchical"}],
			"workload":{"generate":[{"prefix":"beat","seed":1,"count":500,"arrivals":{"dist":"constant","value":0},"delay":{"dist":"constant","value":1000},"every":1000}]}}`))
		if err != nil {
			t.Fatal(err)
		}
		a, err := h.do(r)
		if err != nil || a.code != 200 {
			t.Fatalf("%v, %+v", err, a)
		}
		run := answered[api.Imported](t, a).Run
		c := answered[api.Comparison](t, h.get("/api/compare?run="+run))
		if c.Spread == nil || c.Spread.Lane != "hierarchical" || c.Spread.After*2 > c.Spread.Before {
			t.Errorf("%+v", c.Spread)
		}
		s := answered[api.SpreadScenario](t, h.get("/api/spread?run="+run))
		p, err := program.Load([]byte(s.Text))
		if err != nil || p.Scenario.Generate[0].Jitter == nil {
			t.Errorf("%v, %s", err, s.Text)
		}
	})
}
