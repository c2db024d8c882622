package scenario_test

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

func TestAppendJSONFillsInDefaults(t *testing.T) {
	for _, c := range []struct{ what, data, want string }{
		{"the least", `{"wheelscope": 1, "lanes": [{"algorithm": "heap"}], "workload": {}}`,
			`{"wheelscope":1,"tick":"1ms","start":0,"until":2,"lanes":[{"id":"heap","algorithm":"heap","width":1,"arity":2}],"workload":{"ops":[]}}`},
		{"fields in any order", `{"workload": {"ops": [{"times": 3, "every": "5ms", "delay": "1500us", "timer": "beat", "op": "schedule", "at": "1ms"}]},
			"lanes": [{"slots": 3, "algorithm": "simple", "id": "one", "overflow": "list", "width": "2ms"}], "until": "1s", "start": "2ms", "question": "Why?", "summary": {"zh": "总", "de": "Alles", "en": "All"},
			"title": {"zh": "题"}, "name": "n", "wheelscope": 1}`,
			`{"wheelscope":1,"name":"n","title":{"zh":"题"},"summary":{"en":"All","zh":"总","de":"Alles"},"question":"Why?","tick":"1ms","start":2,"until":1000,` +
				`"lanes":[{"id":"one","algorithm":"simple","slots":3,"width":2,"overflow":"list"}],` +
				`"workload":{"ops":[{"at":1,"op":"schedule","timer":"beat","delay":2,"every":5,"times":3}]}}`},
		{"parameters without a default stay away", `{"wheelscope": 1, "tick": "10us", "lanes": [{"algorithm": "hierarchical"}, {"algorithm": "hierarchical", "id": "b", "levels": 2, "slots": 4}, {"algorithm": "hierarchical", "id": "c", "slots": [3, 5]}], "workload": {}}`,
			`{"wheelscope":1,"tick":"10us","start":0,"until":2,"lanes":[{"id":"hierarchical","algorithm":"hierarchical","slots":64,"width":1,"placement":"distance","migration":"full","round":"floor"},` +
				`{"id":"b","algorithm":"hierarchical","slots":4,"levels":2,"width":1,"placement":"distance","migration":"full","round":"floor"},` +
				`{"id":"c","algorithm":"hierarchical","slots":[3,5],"width":1,"placement":"distance","migration":"full","round":"floor"}],"workload":{"ops":[]}}`},
		{"every operation", string(plantest.Scenario(`"until": 20`, `{"ops": [{"at": 0, "op": "set", "timer": "a", "delay": 1, "every": 2}, {"at": 1, "op": "cancel", "timer": "a"},
			{"at": 2, "op": "reset", "timer": "a", "delay": -3, "created": 0}, {"at": 3, "op": "stall", "for": "4ms"}, {"at": 9, "op": "clock", "by": -5}]}`)),
			`{"wheelscope":1,"tick":"1ms","start":0,"until":20,"lanes":[{"id":"heap","algorithm":"heap","width":1,"arity":2}],"workload":{"ops":[{"at":0,"op":"set","timer":"a","delay":1,"every":2,"times":-1},` +
				`{"at":1,"op":"cancel","timer":"a"},{"at":2,"op":"reset","timer":"a","delay":-3,"created":0},{"at":3,"op":"stall","for":4},{"at":9,"op":"clock","by":-5}]}}`},
		{"generate is kept as it is", string(plantest.Scenario(`"until": 20`, `{"generate": [{"seed": 7, "prefix": "c", "count": 2, "cancel": {"after": {"max": "1s", "dist": "uniform", "min": 0}, "fraction": 0.90}, "delay": {"dist": "exponential", "mean": "2s", "max": "30s"},
			"arrivals": {"dist": "poisson", "rate": "200/s"}}, {"prefix": "d", "count": 1, "every": "1500us", "arrivals": {"dist": "constant", "every": 3}, "delay": {"dist": "pareto", "min": 1, "alpha": 1.5, "max": 9}},
			{"prefix": "e", "count": 1, "arrivals": {"dist": "constant", "value": 3}, "delay": {"dist": "choice", "values": ["1ms", 2], "weights": [1, 2]},
			"reset": {"until": {"dist": "constant", "value": "1m"}, "fraction": 0.250, "every": {"dist": "constant", "value": "2ms"}}}]}`)),
			`{"wheelscope":1,"tick":"1ms","start":0,"until":20,"lanes":[{"id":"heap","algorithm":"heap","width":1,"arity":2}],"workload":{"ops":[],"generate":[` +
				`{"prefix":"c","seed":7,"count":2,"arrivals":{"dist":"poisson","rate":"200/s"},"delay":{"dist":"exponential","mean":"2s","max":"30s"},"cancel":{"fraction":0.9,"after":{"dist":"uniform","min":0,"max":"1s"}}},` +
				`{"prefix":"d","seed":0,"count":1,"arrivals":{"dist":"constant","every":3},"delay":{"dist":"pareto","min":1,"alpha":1.5,"max":9},"every":"1500us","times":-1},` +
				`{"prefix":"e","seed":0,"count":1,"arrivals":{"dist":"constant","value":3},"delay":{"dist":"choice","values":["1ms",2],"weights":[1,2]},` +
				`"reset":{"fraction":0.25,"every":{"dist":"constant","value":"2ms"},"until":{"dist":"constant","value":"1m"}}}]}}`},
		{"escaped only where JSON must", string(plantest.Ops(`{"at": 0, "op": "schedule", "timer": "<\u4e2d>\u0022\u005c\u0009\u0001\u2028", "delay": 1}`)),
			`{"wheelscope":1,"tick":"1ms","start":0,"until":3,"lanes":[{"id":"heap","algorithm":"heap","width":1,"arity":2}],"workload":{"ops":[{"at":0,"op":"schedule","timer":"<中>\"\\\t\u0001` + "\u2028" + `","delay":1}]}}`},
	} {
		p := plantest.Load(t, []byte(c.data))
		got := p.Scenario.AppendJSON(nil)
		if string(got) != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.what, got, c.want)
		}
		if again := plantest.Load(t, got).Scenario.AppendJSON(nil); string(again) != string(got) {
			t.Errorf("%s, loaded again:\n got %s\nwant %s", c.what, again, got)
		}
	}
}

// A scenario may have OpsMax operations with names as long as a UUID before it has too many bytes.
func TestOpsFitTheBytes(t *testing.T) {
	op := `{"at": 99999999, "op": "schedule", "timer": "1b4e28ba-2fa1-11d2-883f-0016d3cca427", "delay": 99999999, "created": 0}`
	one := len(plantest.Load(t, plantest.Ops(op)).Scenario.AppendJSON(nil))
	if each := one - len(plantest.Load(t, plantest.Ops("")).Scenario.AppendJSON(nil)) + 1; one+(scenario.OpsMax-1)*each > scenario.BytesMax { // 1: the comma
		t.Errorf("%d operations of %d bytes are more than %d bytes", scenario.OpsMax, each, scenario.BytesMax)
	}
}

func TestAppendJSONAppends(t *testing.T) {
	p := plantest.Load(t, plantest.Ops(""))
	if got := string(p.Scenario.AppendJSON([]byte("x"))); got[:15] != `x{"wheelscope":` {
		t.Error(got)
	}
}

func TestDigest(t *testing.T) {
	p := plantest.Load(t, plantest.Ops(`{"at": 0, "op": "schedule", "timer": "a", "delay": 5}`))
	sum := sha256.Sum256(p.Scenario.AppendJSON(nil))
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if got := p.Digest(); got != hex.EncodeToString(sum[:]) {
				t.Errorf("digest %s", got)
			}
		})
	}
	wait.Wait()
	if other := plantest.Load(t, plantest.Ops(`{"at": 0, "op": "schedule", "timer": "a", "delay": 6}`)); other.Digest() == p.Digest() {
		t.Error("two scenarios with one digest")
	}
}
