package program_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
)

// Jitter spreads first due ticks evenly over its share of the period or its duration, changes nothing else, and is written
// as it was read.
func TestJitter(t *testing.T) {
	group := func(jitter string) *program.Program {
		return plantest.Load(t, plantest.Scenario(`"until": 500`, `{"generate": [{"prefix": "c", "seed": 3, "count": 2000, "arrivals": {"dist": "uniform", "min": 0, "max": 9},
			"delay": {"dist": "uniform", "min": 1, "max": 5}, "every": 100, "times": 2`+jitter+`}]}`))
	}
	plain := map[uint32]program.Planned{}
	for _, o := range group("").Ops {
		plain[o.ID] = o
	}
	for jitter, span := range map[string]int64{`0`: 1, `0.25`: 25, `1`: 100, `"40ms"`: 40, `"0s"`: 1} {
		p := group(`, "jitter": ` + jitter)
		counts := make([]int, span)
		for _, o := range p.Ops {
			by := o.Delay - plain[o.ID].Delay
			if by < 0 || by >= span || o.At != plain[o.ID].At || o.Every != 100 || o.Times != 2 {
				t.Fatalf("jitter %s: %+v, without it %+v", jitter, o, plain[o.ID])
			}
			counts[by]++
		}
		for by, n := range counts {
			if want := 2000 / int(span); n < want/3 || n > want*3 {
				t.Errorf("jitter %s: %d timers are delayed by %d ticks of %d", jitter, n, by, span)
			}
		}
		if text := string(p.Scenario.AppendJSON(nil)); !strings.Contains(text, fmt.Sprintf(`,"jitter":%s}`, jitter)) {
			t.Errorf("jitter %s is written as %s", jitter, text)
		}
	}
	for jitter, want := range map[string]string{`1.5`: "is not a number between 0 and 1", `"-1s"`: "is not 0 or more", `"soon"`: "is not a duration", `true`: "is not a number"} {
		text := plantest.Scenario(`"until": 500`, `{"generate": [{"prefix": "c", "count": 1, "arrivals": {"dist": "constant", "value": 0}, "delay": {"dist": "constant", "value": 1}, "every": 5, "jitter": `+jitter+`}]}`)
		if _, err := program.Load([]byte(text)); err == nil || !strings.Contains(err.Error(), "workload.generate[0].jitter: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("jitter %s: %v", jitter, err)
		}
	}
	if _, err := program.Load([]byte(plantest.Scenario("", `{"generate": [`+resetGroup(1, 10, `"jitter": 1`)+`]}`))); err == nil || !strings.Contains(err.Error(), "given without every") {
		t.Error(err)
	}
}
