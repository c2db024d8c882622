package program_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

func TestLoadRefusesWrongOps(t *testing.T) {
	const arm = `{"at": 0, "op": "schedule", "timer": "a", "delay": 5`
	for ops, want := range map[string]string{
		`7`:                              "workload.ops[0]: 7 is not an operation object",
		`{}`:                             "workload.ops[0].op: missing; expected one of schedule",
		`{"at": 0, "op": "jump"}`:        `workload.ops[0].op: "jump" is not one of schedule, set, cancel, reset, stall, clock`,
		`{"at": 0, "op": 3}`:             "workload.ops[0].op: 3 is not one of",
		`{"op": "cancel", "timer": "a"}`: "workload.ops[0].at: missing",
		`{"at": 0, "op": "schedule", "delay": 5}`:                                              "workload.ops[0].timer: missing; expected the name of a timer",
		`{"at": 0, "op": "schedule", "timer": "", "delay": 5}`:                                 `workload.ops[0].timer: "" is not the name of a timer`,
		`{"at": 0, "op": "schedule", "timer": 1, "delay": 5}`:                                  "workload.ops[0].timer: 1 is not the name of a timer",
		`{"at": 0, "op": "schedule", "timer": "a"}`:                                            "workload.ops[0].delay: missing",
		`{"at": 0, "op": "reset", "timer": "a"}`:                                               "workload.ops[0].delay: missing",
		`{"at": 0, "op": "schedule", "timer": "a", "delay": "soon"}`:                           `workload.ops[0].delay: "soon" is not a duration`,
		`{"at": 0, "op": "schedule", "timer": "a", "delay": 1.5}`:                              "workload.ops[0].delay: 1.5 is not a whole number",
		`{"at": 0, "op": "schedule", "timer": "a", "delay": [5]}`:                              "workload.ops[0].delay: a list is not a whole number",
		`{"at": 0, "op": "schedule", "timer": "` + strings.Repeat("x", 257) + `", "delay": 5}`: "workload.ops[0].timer: 257 bytes",
		`{"at": -1, "op": "schedule", "timer": "a", "delay": 5}`:                               "workload.ops[0].at: -1 is not a whole number between 0 and",
		arm + `, "wat": 1}`: "workload.ops[0].wat: unknown field; the operation schedule has at, op, timer, delay",
		arm + `, "for": 1}`: "workload.ops[0].for: unknown field",
		`{"at": 0, "op": "cancel", "timer": "a", "delay": 1}`: "workload.ops[0].delay: unknown field; the operation cancel has at, op, timer",
		arm + `, "times": 3}`:                                    "workload.ops[0].times: 3 without every is not a repeat",
		arm + `, "every": 0}`:                                    "workload.ops[0].every: 0 is not 1 tick or more",
		arm + `, "every": -5}`:                                   "workload.ops[0].every: -5 is not 1 tick or more",
		arm + `, "every": "0s"}`:                                 `workload.ops[0].every: "0s" is not 1 tick or more`,
		arm + `, "every": 5, "times": 0}`:                        "workload.ops[0].times: 0 is not −1 (for ever) or",
		arm + `, "every": 5, "times": -2}`:                       "workload.ops[0].times: -2 is not a whole number between -1 and",
		arm + `, "every": 5, "times": 2147483648}`:               "workload.ops[0].times: 2147483648 is not",
		arm + `, "every": 5}`:                                    "until: missing; expected the last tick",
		`{"at": 3, "op": "stall"}`:                               "workload.ops[0].for: missing",
		`{"at": 3, "op": "stall", "for": 0}`:                     "workload.ops[0].for: 0 is not",
		`{"at": 3, "op": "stall", "for": 4, "timer": "a"}`:       "workload.ops[0].timer: unknown field; the operation stall has at, op, for",
		`{"at": 3, "op": "clock"}`:                               "workload.ops[0].by: missing",
		`{"at": 0, "op": "cancel", "timer": "ghost"}`:            `workload.ops[0].timer: "ghost" is never scheduled before this cancel at tick 0`,
		`{"at": 0, "op": "reset", "timer": "ghost", "delay": 1}`: `workload.ops[0].timer: "ghost" is never scheduled before this reset`,
		`{"at": 1, "op": "cancel", "timer": "a"}, {"at": 2, "op": "schedule", "timer": "a", "delay": 1}`: `workload.ops[0].timer: "a" is never scheduled before`,
		arm + `}, {"at": 4, "op": "schedule", "timer": "a", "delay": 1}`:                                 `workload.ops[1].timer: "a" is scheduled at tick 4 but live until tick 5 by workload.ops[0];`,
	} {
		refused{ops[:min(len(ops), 80)], string(plantest.Ops(ops)), want}.check(t)
	}
}

func TestLoadRefusesWhatDoesNotFit62Bits(t *testing.T) {
	const most = "4611686018427387903"
	op := func(at, rest string) string {
		return `{"at": ` + at + `, "op": "schedule", "timer": "a", ` + rest + `}`
	}
	for _, r := range []refused{
		{"due", string(plantest.Ops(op("1", `"delay": `+most))), "workload.ops[0].delay: " + most + " makes it due past tick"},
		{"delay", string(plantest.Ops(op("0", `"delay": 4611686018427387904`))), "workload.ops[0].delay: 4611686018427387904 is not a whole number between"},
		{"past", string(plantest.Ops(op("0", `"delay": -4611686018427387904`))), "workload.ops[0].delay: -4611686018427387904 is not"},
		{"at", string(plantest.Ops(op("4611686018427387904", `"delay": 0`))), "workload.ops[0].at: 4611686018427387904 is not"},
		{"start + at", string(plantest.Scenario(`"start": 5`, `{"ops": [`+op(most, `"delay": 0`)+`]}`)), "workload.ops[0].at: " + most + " is not a whole number between 0 and 4611686018427387898"},
		{"start + at + delay", string(plantest.Scenario(`"start": `+most, `{"ops": [`+op("0", `"delay": 1`)+`]}`)), "workload.ops[0].delay: 1 makes it due past tick"},
		{"times · every", string(plantest.Ops(op("0", `"delay": 1, "every": 4611686018427387, "times": 1002`))), "workload.ops[0].times: 1002 runs end past tick"},
		{"default until", string(plantest.Ops(op("0", `"delay": `+most))), "until: 4611686018427387905 is too large; expected at most"},
		{"every for ever", string(plantest.Scenario(`"until": 10`, `{"ops": [`+op("0", `"delay": 1, "every": 4611686018427387900`)+`]}`)), "until: 10 is too large; expected at most 3"},
		{"generated", string(groupOf(`"prefix": "c", "count": 3, "arrivals": {"dist": "constant", "value": 1}, "delay": {"dist": "constant", "value": ` + most + `}`)), `workload.generate[0]: timer "c0" is past tick`},
	} {
		r.check(t)
	}
}

func TestLoadRefusesRunsPastTheLimits(t *testing.T) {
	op := func(rest string) string { return `{"at": 0, "op": "schedule", "timer": "a", ` + rest + `}` }
	for _, r := range []refused{
		{"far in the past", string(plantest.Scenario(`"until": 10`, `{"ops": [`+op(`"delay": -1000000, "every": 1`)+`]}`)), "workload.ops[0].every: with 1 ticks, 1000002 runs are due at once; expected at most 100000"},
		{"within a wide slot", `{"wheelscope": 1, "until": 10, "lanes": [{"algorithm": "simple", "width": "10h"}], "workload": {"ops": [` + op(`"delay": 1, "every": 1`) + `]}}`, "workload.ops[0].every: with 1 ticks, 36000001 runs are due at once"},
		{"without migration", `{"wheelscope": 1, "until": 10, "lanes": [{"algorithm": "hierarchical", "migration": "none"}], "workload": {"ops": [` + op(`"delay": 300000, "every": 2`) + `]}}`, "workload.ops[0].every: with 2 ticks, 150001 runs"},
		{"too many in all", string(plantest.Scenario(`"until": 1000000000`, `{"ops": [`+op(`"delay": 1, "every": 1`)+`]}`)), "workload.ops[0].every: 1 ticks are too few: expected at most 268435456 runs"},
	} {
		r.check(t)
	}
	// The largest numbers within the limits are accepted.
	plantest.Load(t, plantest.Scenario(`"until": 10`, `{"ops": [`+op(`"delay": -99998, "every": 1`)+`]}`))
	plantest.Load(t, plantest.Scenario(`"until": 10`, `{"ops": [`+op(`"delay": -1000000, "every": 1, "times": 1000`)+`]}`))
}

func TestLoadRefusesAnAtPastUntil(t *testing.T) {
	op := func(at int) string {
		return fmt.Sprintf(`{"at": %d, "op": "schedule", "timer": "t%d", "delay": 1}`, at, at)
	}
	refused{"past", string(plantest.Scenario(`"until": 12`, `{"ops": [`+op(12)+","+op(13)+`]}`)),
		"workload.ops[1].at: 13 is not a tick between 0 and 12 (until)"}.check(t)
	p := plantest.Load(t, plantest.Scenario(`"until": 12`, `{"ops": [`+op(12)+`]}`))
	if p.Until != 12 || len(p.Ops) != 1 {
		t.Errorf("until %d with %d operations", p.Until, len(p.Ops))
	}
}

func TestLoadRefusesTooManyOps(t *testing.T) {
	var data strings.Builder
	data.WriteString(`{"wheelscope": 1, "lanes": [{"algorithm": "heap"}], "workload": {"ops": [7`)
	for range scenario.OpsMax {
		data.WriteString(",7")
	}
	data.WriteString("]}}")
	refused{"not even objects", data.String(), "workload.ops[0]: 7 is not an operation object"}.check(t)
	groups := strings.Repeat("{"+goodGroup+"},", scenario.GroupsMax) + "{" + goodGroup + "}"
	refused{"groups", string(plantest.Scenario("", `{"generate": [`+groups+`]}`)), "workload.generate: more than 256 groups"}.check(t)
	s := *plantest.Load(t, plantest.Ops("")).Scenario
	s.Ops = make([]scenario.Op, scenario.OpsMax+1)
	if _, err := program.Plan(&s); err == nil || !strings.HasPrefix(err.Error(), "workload.ops: 1048577 operations; expected at most 1048576") {
		t.Error(err)
	}
}

// TestLoadTakesLongestPrefix checks the limit of names: a group's longest name is that of its last
// timer.
func TestLoadTakesLongestPrefix(t *testing.T) {
	const rest = `"arrivals": {"dist": "constant", "value": 0}, "delay": {"dist": "constant", "value": 5}`
	for count, digits := range map[int]int{0: 1, 1: 1, 10: 1, 11: 2, 100: 2, 1000: 3} {
		group := func(bytes int) string {
			return fmt.Sprintf(`{"generate": [{"prefix": "%s", "count": %d, %s}]}`, strings.Repeat("x", bytes), count, rest)
		}
		plantest.Load(t, plantest.Scenario("", group(scenario.NameMax-digits)))
		refused{"a byte more", string(plantest.Scenario("", group(scenario.NameMax-digits+1))), "workload.generate[0].prefix: 257 bytes with the index"}.check(t)
	}
}

func TestLoadRefusesWrongGroups(t *testing.T) {
	const head = `"prefix": "c", "count": 3, `
	const arrivals = `"arrivals": {"dist": "constant", "value": 0}, `
	const delay = `"delay": {"dist": "constant", "value": 5}`
	dist := func(d string) string { return head + arrivals + `"delay": {` + d + `}` }
	arrive := func(d string) string { return head + delay + `, "arrivals": {` + d + `}` }
	for fields, want := range map[string]string{
		``: "prefix: missing",
		`"prefix": "", "count": 3, ` + arrivals + delay:                                 `prefix: "" is not the beginning of a name`,
		`"prefix": "` + strings.Repeat("x", 256) + `", "count": 3, ` + arrivals + delay: "prefix: 257 bytes with the index",
		`"prefix": "c", ` + arrivals + delay:                                            "count: missing",
		`"prefix": "c", "count": -1, ` + arrivals + delay:                               "count: -1 is not a whole number between 0 and 2097152",
		`"prefix": "c", "count": 2097153, ` + arrivals + delay:                          "count: 2097153 is not",
		goodGroup + `, "seed": -1`:                                                      "seed: -1 is not a whole number between 0 and 18446744073709551615",
		goodGroup + `, "seed": 1.5`:                                                     "seed: 1.5 is not",
		goodGroup + `, "wat": 1`:                                                        "wat: unknown field; a generated group has prefix, seed",
		goodGroup + `, "times": 2`:                                                      "times: 2 without every",
		goodGroup + `, "every": 0`:                                                      "every: 0 is not 1 tick or more",
		goodGroup + `, "every": 5, "times": 0`:                                          "times: 0 is not −1",
		goodGroup + `, "cancel": 1`:                                                     "cancel: 1 is not an object",
		goodGroup + `, "cancel": {}`:                                                    "cancel.fraction: missing",
		goodGroup + `, "cancel": {"fraction": 1.5}`:                                     "cancel.fraction: 1.5 is not a number between 0 and 1",
		goodGroup + `, "cancel": {"fraction": -0.5}`:                                    "cancel.fraction: -0.5 is not",
		goodGroup + `, "cancel": {"fraction": "half"}`:                                  `cancel.fraction: "half" is not`,
		goodGroup + `, "cancel": {"fraction": 0.1234567}`:                               "cancel.fraction: 0.1234567 is not a number between 0 and 1 with at most 6 decimals",
		goodGroup + `, "cancel": {"fraction": 0.5}`:                                     "cancel.after: missing",
		goodGroup + `, "cancel": {"fraction": 0.5, "after": {"dist": "poisson"}}`:       `cancel.after.dist: "poisson" is not one of constant, uniform, exponential, pareto, choice`,
		goodGroup + `, "reset": {"fraction": 0.5}`:                                      "reset.every: missing",
		goodGroup + `, "reset": {"fraction": 0.5, "when": 1}`:                           "reset.when: unknown field",
		goodGroup + `, "cancel": {"fraction": 0.5, "when": 1}`:                          "cancel.when: unknown field",
		head + delay:                                               "arrivals: missing; expected an object with dist: constant, uniform, exponential, poisson, pareto, choice",
		head + arrivals + `"delay": 5`:                             "delay: 5 is not an object",
		dist(``):                                                   "delay.dist: missing",
		dist(`"dist": "normal"`):                                   `delay.dist: "normal" is not one of constant, uniform, exponential, pareto, choice`,
		dist(`"dist": 1`):                                          "delay.dist: 1 is not one of",
		dist(`"dist": "constant"`):                                 "delay.value: missing",
		dist(`"dist": "constant", "every": 1`):                     "delay.every: unknown field; the distribution constant has dist, value",
		dist(`"dist": "constant", "value": -1`):                    "delay.value: -1 is not 0 ticks or more",
		dist(`"dist": "uniform", "min": 5`):                        "delay.max: missing",
		dist(`"dist": "uniform", "min": 5, "max": 4`):              "delay.max: 4 is not min (5 ticks) or more",
		dist(`"dist": "exponential"`):                              "delay.mean: missing",
		dist(`"dist": "exponential", "mean": 0`):                   "delay.mean: 0 is not 1 tick or more",
		dist(`"dist": "pareto", "min": 1, "max": 9`):               "delay.alpha: missing",
		dist(`"dist": "pareto", "min": 1, "max": 9, "alpha": 0`):   "delay.alpha: 0 is not a number between 0.1 and 100",
		dist(`"dist": "pareto", "min": 0, "max": 9, "alpha": 1`):   "delay.min: 0 is not 1 tick or more",
		dist(`"dist": "choice"`):                                   "delay.values: missing",
		dist(`"dist": "choice", "values": []`):                     "delay.values: the list is empty",
		dist(`"dist": "choice", "values": 5`):                      "delay.values: 5 is not a list",
		dist(`"dist": "choice", "values": [5, -1]`):                "delay.values[1]: -1 is not 0 ticks or more",
		dist(`"dist": "choice", "values": [5], "weights": [0]`):    "delay.weights[0]: 0 is not",
		dist(`"dist": "choice", "values": [5], "weights": [1, 2]`): "delay.weights: more weights than values (1)",
		dist(`"dist": "choice", "values": [5, 6], "weights": [1]`): "delay.weights: 1 weights for 2 values; expected one for each",
		dist(`"dist": "choice", "values": [` + strings.Repeat("1,", scenario.ChoicesMax) + `1]`): "delay.values: more than 1024 values",
		arrive(`"dist": "poisson"`):                          "arrivals.rate: missing",
		arrive(`"dist": "poisson", "rate": 5`):               "arrivals.rate: 5 is not a rate such as",
		arrive(`"dist": "poisson", "rate": "5"`):             `arrivals.rate: "5" is not a rate`,
		arrive(`"dist": "poisson", "rate": "0/s"`):           `arrivals.rate: "0/s" is not a rate`,
		arrive(`"dist": "poisson", "rate": "5/year"`):        `arrivals.rate: "5/year" is not a rate`,
		arrive(`"dist": "constant", "value": 1, "every": 1`): "arrivals.value: value and every can't both be given",
		arrive(`"dist": "constant"`):                         "arrivals.value: missing",
		arrive(`"dist": "constant", "every": 0`):             "arrivals.every: 0 is not 1 tick or more",
	} {
		refused{fields[:min(len(fields), 120)], string(groupOf(fields)), "workload.generate[0]." + want}.check(t)
	}
	refused{"in all", string(plantest.Scenario("", `{"generate": [{"prefix": "a", "count": 2097152, `+arrivals+delay+`}, {"prefix": "b", "count": 1, `+arrivals+delay+`}]}`)),
		"workload: 2097153 timers, written and generated; expected at most 2097152"}.check(t)
	refused{"with the written ones", string(plantest.Scenario("", `{"ops": [{"at": 0, "op": "schedule", "timer": "x", "delay": 1}], "generate": [{"prefix": "a", "count": 2097152, `+arrivals+delay+`}]}`)),
		"workload: 2097153 timers, written and generated; expected at most 2097152"}.check(t)
}

// TestPlanChecksGroupsMadeInGo checks that scenarios made by a Go program are checked like files.
func TestPlanChecksGroupsMadeInGo(t *testing.T) {
	s := *plantest.Load(t, plantest.Ops("")).Scenario
	for _, c := range []struct {
		group scenario.Group
		want  string
	}{
		{scenario.Group{Prefix: "c", Count: -1}, "workload.generate[0].count: -1 is not a whole number between 0 and 2097152"},
		{scenario.Group{Prefix: "", Count: 1}, `workload.generate[0].prefix: "" is not`},
		{scenario.Group{Prefix: "c", Repeat: scenario.Repeat{Every: scenario.Span{Ticks: -1}, Times: 2}}, "workload.generate[0].every: -1 is not"},
		{scenario.Group{Prefix: "c", Repeat: scenario.Repeat{Every: scenario.Span{Ticks: 1}}}, "workload.generate[0].times: 0 is not −1"},
	} {
		s.Generate = []scenario.Group{c.group}
		if _, err := program.Plan(&s); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("\n got %v\nwant %s", err, c.want)
		}
	}
	s.Generate = make([]scenario.Group, scenario.GroupsMax+1)
	if _, err := program.Plan(&s); err == nil || !strings.HasPrefix(err.Error(), "workload.generate: 257 groups; expected at most 256") {
		t.Error(err)
	}
	s = *plantest.Load(t, plantest.Ops("")).Scenario
	s.Tick = "soon"
	if _, err := program.Plan(&s); err == nil || !strings.HasPrefix(err.Error(), `tick: "soon" is not a duration`) {
		t.Error(err)
	}
}
