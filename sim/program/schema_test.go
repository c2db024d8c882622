package program_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// The schema accepts every built-in scenario, as written and as in a trace.
func TestSchemaAcceptsBuiltins(t *testing.T) {
	schema := testkit.CompileSchema(t, testkit.ScenarioSchema)
	for _, b := range library.Builtins() {
		if err := testkit.Validate(t, schema, b.Data); err != nil {
			t.Errorf("%s: %v", b.Name, err)
		}
		if err := testkit.Validate(t, schema, plantest.Load(t, b.Data).Scenario.AppendJSON(nil)); err != nil {
			t.Errorf("%s, canonical: %v", b.Name, err)
		}
	}
}

// acceptedWorkloads use every field of the format.
var acceptedWorkloads = []string{
	`{}`,
	`{"ops": []}`,
	`{"ops": [{"at": "5ms", "op": "schedule", "timer": "a", "delay": -5, "every": "1h30m", "times": -1, "created": -7}, {"at": 5, "op": "set", "timer": "a", "delay": ".5s"},
		{"at": 6, "op": "cancel", "timer": "a"}, {"at": 7, "op": "reset", "timer": "a", "delay": 0, "every": 2, "times": 3},
		{"at": 8, "op": "stall", "for": 1}, {"at": 9, "op": "clock", "by": "-3s"}]}`,
	`{"generate": [{"prefix": "c", "seed": 18446744073709551615, "count": 2, "every": "5ms", "times": 2, "arrivals": {"dist": "constant", "value": 0}, "delay": {"dist": "uniform", "min": 0, "max": "1s"}},
		{"prefix": "d", "count": 2, "arrivals": {"dist": "constant", "every": "2ms"}, "delay": {"dist": "exponential", "mean": 7}},
		{"prefix": "e", "count": 2, "arrivals": {"dist": "poisson", "rate": "5/tick"}, "delay": {"dist": "pareto", "min": 1, "alpha": 1.16, "max": 900}},
		{"prefix": "f", "count": 2, "arrivals": {"dist": "poisson", "rate": "200/1m30s"}, "delay": {"dist": "choice", "values": [1, "2ms"], "weights": [3, 4]},
		 "cancel": {"fraction": 0.25, "after": {"dist": "exponential", "mean": "1s", "max": 9}}},
		{"prefix": "h", "count": 2, "arrivals": {"dist": "constant", "every": 9}, "delay": {"dist": "constant", "value": 9},
		 "reset": {"fraction": 0.5, "every": {"dist": "uniform", "min": 0, "max": "5ms"}, "until": {"dist": "constant", "value": 50}}},
		{"prefix": "i", "count": 2, "arrivals": {"dist": "constant", "every": 9}, "delay": {"dist": "constant", "value": 9}, "reset": {"fraction": 1, "every": {"dist": "constant", "value": 10}}},
		{"prefix": "g", "count": 2, "arrivals": {"dist": "choice", "values": [7]}, "delay": {"dist": "constant", "value": 3}}]}`,
}

func TestSchemaAndLoadAcceptAlike(t *testing.T) {
	schema := testkit.CompileSchema(t, testkit.ScenarioSchema)
	for _, workload := range acceptedWorkloads {
		data := plantest.Scenario(`"$schema": "x", "name": "n", "title": "t", "summary": {"en": "s", "fr": "r"}, "tick": "1ms", "start": "5s", "until": 1000`, workload)
		if err := testkit.Validate(t, schema, data); err != nil {
			t.Errorf("schema: %v\n%s", err, data)
		}
		plantest.Load(t, data)
	}
}

// The schema and Load refuse the same scenarios.
func TestSchemaAndLoadRefuseAlike(t *testing.T) {
	schema := testkit.CompileSchema(t, testkit.ScenarioSchema)
	const arm = `"at": 0, "op": "schedule", "timer": "a", "delay": 5`
	bad := []string{
		`7`, `{"wheelscope": 1}`, `{"wheelscope": 2, "lanes": [{"algorithm": "heap"}], "workload": {}}`,
		`{"wheelscope": 1, "lanes": [], "workload": {}}`, `{"wheelscope": 1, "lanes": [{}], "workload": {}}`,
		string(plantest.Scenario(`"wat": 1`, `{}`)), string(plantest.Scenario(`"tick": "5"`, `{}`)), string(plantest.Scenario(`"tick": 5`, `{}`)),
		string(plantest.Scenario(`"start": -1`, `{}`)), string(plantest.Scenario(`"until": 1.5`, `{}`)), string(plantest.Scenario(`"until": "soon"`, `{}`)),
		string(plantest.Scenario(`"title": 7`, `{}`)), string(plantest.Scenario(`"title": {"en": 7}`, `{}`)), string(plantest.Scenario("", `{"wat": 1}`)), string(plantest.Scenario("", `[]`)),
	}
	for _, lane := range []string{`{"algorithm": "sundial"}`, `{"algorithm": "simple", "slots": 0}`, `{"algorithm": "simple", "slots": 65537}`, `{"algorithm": "simple", "slots": [3]}`,
		`{"algorithm": "simple", "arity": 2}`, `{"algorithm": "rounds", "variant": "odd"}`, `{"algorithm": "sorted", "width": 2}`, `{"algorithm": "sorted", "width": "x"}`, `{"algorithm": "heap", "id": "h", "arity": 3}`,
		`{"algorithm": "hierarchical", "levels": 9}`, `{"algorithm": "hierarchical", "slots": []}`, `{"algorithm": "hierarchical", "placement": "random"}`, `{"algorithm": "simple", "id": ""}`} {
		bad = append(bad, string(laneOf(lane)))
	}
	for _, op := range []string{`{}`, `{"at": 0, "op": "jump"}`, `{"at": -1, "op": "cancel", "timer": "a"}`, `{"at": 0, "op": "cancel", "timer": "a", "delay": 1}`, `{"at": 0, "op": "stall"}`,
		`{"at": 0, "op": "stall", "for": 0}`, `{` + arm + `, "times": 2}`, `{` + arm + `, "every": 0}`, `{` + arm + `, "every": 5, "times": 0}`, `{"at": 0, "op": "schedule", "timer": "", "delay": 5}`} {
		bad = append(bad, string(plantest.Ops(op)))
	}
	for _, group := range []string{`"count": 3`, goodGroup + `, "seed": -1`, goodGroup + `, "times": 2`, goodGroup + `, "cancel": {"fraction": 2}`,
		goodGroup + `, "reset": {"fraction": 1}`, goodGroup + `, "reset": {"fraction": 1, "every": {"dist": "constant", "value": 1}, "for": 5}`,
		`"prefix": "c", "count": 3, "arrivals": {"dist": "constant", "every": 1, "value": 1}, "delay": {"dist": "constant", "value": 5}`,
		`"prefix": "c", "count": 3, "arrivals": {"dist": "constant", "every": 1}, "delay": {"dist": "poisson", "rate": "5/s"}`,
		`"prefix": "c", "count": 3, "arrivals": {"dist": "poisson", "rate": "0/s"}, "delay": {"dist": "constant", "value": 5}`,
		`"prefix": "c", "count": 3, "arrivals": {"dist": "constant", "every": 1}, "delay": {"dist": "choice", "values": []}`} {
		bad = append(bad, string(groupOf(group)))
	}
	for _, data := range bad {
		if testkit.Validate(t, schema, []byte(data)) == nil {
			t.Errorf("the schema accepts %s", data)
		}
		if _, err := program.Load([]byte(data)); err == nil {
			t.Errorf("Load accepts %s", data)
		}
	}
}

// schemaLane is the schema's description of one algorithm.
type schemaLane struct {
	Properties map[string]struct {
		Const   any   `json:"const"`
		Enum    []any `json:"enum"`
		Default any   `json:"default"`
		Minimum int64 `json:"minimum"`
		Maximum int64 `json:"maximum"`
		Items   struct{ Enum []string }
	} `json:"properties"`
}

// The schema has the algorithms and parameters of the catalogue, so that a new one is known to
// editors, too.
func TestSchemaHoldsTheCatalogue(t *testing.T) {
	data, err := os.ReadFile(testkit.DocFile(t, testkit.ScenarioSchema))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Defs struct {
			Lane struct {
				Properties struct {
					Algorithm struct{ Enum []string }
				}
				OneOf []schemaLane
			}
		} `json:"$defs"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	lane := file.Defs.Lane
	var want []string
	catalogue := append(slices.Clone(algorithms.Catalogue()), recorded.Algorithm)
	for _, a := range catalogue {
		want = append(want, a.ID)
	}
	if !slices.Equal(lane.Properties.Algorithm.Enum, want) {
		t.Errorf("algorithms %q, want %q", lane.Properties.Algorithm.Enum, want)
	}
	for i, a := range catalogue {
		if i >= len(lane.OneOf) {
			t.Fatalf("the schema has no lane for %s", a.ID)
		}
		checkSchemaLane(t, &a, lane.OneOf[i])
	}
}

func checkSchemaLane(t *testing.T, a *catalog.Algorithm, lane schemaLane) {
	t.Helper()
	if lane.Properties["algorithm"].Const != a.ID {
		t.Errorf("lane %v where %s is expected", lane.Properties["algorithm"].Const, a.ID)
	}
	if got, want := len(lane.Properties), len(a.Parameters)+2; got != want {
		t.Errorf("%s has %d fields in the schema, want %d", a.ID, got, want)
	}
	for _, q := range a.Parameters {
		p, ok := lane.Properties[q.Name]
		if !ok {
			t.Errorf("%s.%s is not in the schema", a.ID, q.Name)
			continue
		}
		if q.Type == catalog.TypeChoice {
			var options []string
			for _, o := range p.Enum {
				options = append(options, o.(string))
			}
			if !slices.Equal(options, q.Options) || p.Default != q.Default {
				t.Errorf("%s.%s: %q (%v), want %q (%v)", a.ID, q.Name, options, p.Default, q.Options, q.Default)
			}
		}
		if q.Type == catalog.TypeNames && !slices.Equal(p.Items.Enum, q.Options) {
			t.Errorf("%s.%s: names %q, want %q", a.ID, q.Name, p.Items.Enum, q.Options)
		}
		if p.Maximum != 0 && (p.Minimum != q.Min || p.Maximum != q.Max) {
			t.Errorf("%s.%s: %d to %d, want %d to %d", a.ID, q.Name, p.Minimum, p.Maximum, q.Min, q.Max)
		}
		if n, ok := q.Default.(int64); ok && p.Default != nil && p.Default != float64(n) {
			t.Errorf("%s.%s: default %v, want %d", a.ID, q.Name, p.Default, n)
		}
	}
}
