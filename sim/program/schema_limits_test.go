package program_test

import (
	"os"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
)

// docs/SCENARIO.md lists what the schema cannot express. For each item the schema accepts a
// scenario that Load refuses.
func TestSchemaCannotExpress(t *testing.T) {
	data, err := os.ReadFile(testkit.DocFile(t, "SCENARIO.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(data), "\n## What the schema cannot express\n")
	schema := testkit.CompileSchema(t, testkit.ScenarioSchema)
	const arm = `{"at": 0, "op": "schedule", "timer": "a", "delay": 5`
	manyLanes := `{"algorithm": "simple", "slots": 65536}`
	for _, id := range strings.Fields("a b c d e f g h i j k l m n o p") {
		manyLanes += `, {"id": "` + id + `", "algorithm": "simple", "slots": 65536}`
	}
	group := func(delay string) []byte {
		return groupOf(`"prefix": "c", "count": 3, "arrivals": {"dist": "constant", "every": 1}, "delay": ` + delay)
	}
	for _, c := range []struct {
		item string
		data []byte
	}{
		{"two lanes with one id", laneOf(`{"algorithm": "heap"}, {"algorithm": "heap"}`)},
		{"A timer that is live", plantest.Ops(arm + `}, ` + arm + `}`)},
		{"scheduled before", plantest.Ops(`{"at": 0, "op": "cancel", "timer": "a"}`)},
		{"operation after `until`", plantest.Scenario(`"until": 3`, `{"ops": [{"at": 4, "op": "stall", "for": 1}]}`)},
		{"repeats for ever", plantest.Ops(arm + `, "every": 5}`)},
		{"`min` is not greater than `max`", group(`{"dist": "uniform", "min": 9, "max": 1}`)},
		{"one weight for each value", group(`{"dist": "choice", "values": [1, 2], "weights": [1]}`)},
		{"at most 6 decimals", group(`{"dist": "pareto", "min": 1, "alpha": 1.12345678, "max": 9}`)},
		{"a wheel that grows needs 2 slots", laneOf(`{"algorithm": "hierarchical", "slots": 1}`)},
		{"fits 62 bits", laneOf(`{"algorithm": "hierarchical", "slots": 65536, "levels": 8}`)},
		{"only if it is one base tick", laneOf(`{"algorithm": "sorted", "width": "5ms"}`)},
		{"more than 0 where 0", plantest.Scenario(`"tick": "0s"`, `{}`)},
		{"at most 292 years", plantest.Scenario(`"until": "9999999h"`, `{}`)},
		{"absolute times fit 62 bits", plantest.Scenario(`"start": 4611686018427387903, "until": 4611686018427387903`, `{}`)},
		{"1048576 slots", laneOf(manyLanes)},
		{"2097152 timers", groupOf(`"prefix": "c", "count": 2097152, "arrivals": {"dist": "constant", "every": 1}, "delay": {"dist": "constant", "value": 5}},
			{"prefix": "d", "count": 1, "arrivals": {"dist": "constant", "every": 1}, "delay": {"dist": "constant", "value": 5}`)},
		{"bytes of UTF-8", plantest.Scenario(`"name": "`+strings.Repeat("轮", 100)+`"`, `{}`)},
	} {
		if !strings.Contains(list, c.item) {
			t.Errorf("the list has no %q", c.item)
		}
		if err := testkit.Validate(t, schema, c.data); err != nil {
			t.Errorf("%s: the schema refuses it: %v", c.item, err)
		}
		if _, err := program.Load(c.data); err == nil {
			t.Errorf("%s: Load accepts %.200s", c.item, c.data)
		}
	}
	if _, err := program.Load([]byte(`{"wheelscope": 1, "wheelscope": 1, "lanes": [{"algorithm": "heap"}], "workload": {}}`)); err == nil {
		t.Error("Load accepts a field twice")
	}
}
