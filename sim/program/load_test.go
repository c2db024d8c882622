package program_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// groupOf returns a scenario with a generated group.
func groupOf(fields string) []byte {
	return plantest.Scenario(`"until": 1000`, `{"generate": [{`+fields+`}]}`)
}

const goodGroup = `"prefix": "c", "count": 3, "arrivals": {"dist": "constant", "every": 1}, "delay": {"dist": "constant", "value": 5}`

// laneOf returns a scenario with the given second lane.
func laneOf(lane string) []byte {
	return []byte(`{"wheelscope": 1, "lanes": [{"algorithm": "heap"}, ` + lane + `], "workload": {}}`)
}

// refused is a scenario that Load must refuse, and the expected message.
type refused struct{ name, data, want string }

func (r refused) check(t *testing.T) {
	t.Helper()
	t.Run(r.name, func(t *testing.T) {
		_, err := program.Load([]byte(r.data))
		var input *scenario.InputError
		switch {
		case err == nil:
			t.Fatal("accepted")
		case !errors.As(err, &input):
			t.Fatalf("%v is a %T", err, err)
		case !strings.HasPrefix(err.Error(), r.want):
			t.Errorf("\n got %s\nwant %s", err, r.want)
		case strings.ContainsAny(err.Error(), "\n\r") || len(err.Error()) > 600:
			t.Errorf("not one short line: %q", err)
		}
	})
}

func TestLoadRefusesWhatIsNotJSON(t *testing.T) {
	for _, r := range []refused{
		{"empty", "", "line 1: the text is empty; expected a JSON object"},
		{"only space", " \n\t\n", "line 1: the text is empty; expected a JSON object"},
		{"a word", "hello", "line 1: not JSON"},
		{"cut", `{"wheelscope": 1, "lanes": [`, "line 1: not JSON"},
		{"cut in a text", "{\n\"wheelsc", "line 2: not JSON"},
		{"comma at the end", "{\n\"wheelscope\": 1, }", "line 2: not JSON at column 18: "},
		{"comment", "{\n// hi\n}", "line 2: not JSON"},
		{"invalid UTF-8", "{\"name\": \"\xff\"}", "line 1: not JSON"},
		{"lone surrogate", `{"name": "\ud800"}`, "line 1: not JSON"},
		{"duplicate field", "{\"wheelscope\": 1,\n\n\"wheelscope\": 1}", `line 3: the field "wheelscope" is given twice in one object`},
		{"duplicate field in an op", "{\"wheelscope\": 1, \"workload\": {\"ops\": [\n{\"at\": 1, \"at\": 2}]}}", `line 2: the field "at" is given twice`},
		{"two values", "{}\n{}", "line 2: the JSON object is followed by more text"},
		{"rest", "{} x", "line 1: the JSON object is followed by more text"},
		{"depth bomb", strings.Repeat("[", 20000), "line 1: not JSON"},
		{"depth bomb in a field", `{"wheelscope": 1, "wat": ` + strings.Repeat(`{"a":`, 20000), "line 1: not JSON"},
		{"too long", `{"name": "` + strings.Repeat("x", scenario.BytesMax) + `"}`, "more than 134217728 bytes; expected a shorter scenario"},
	} {
		r.check(t)
	}
}

func TestLoadRefusesWrongFields(t *testing.T) {
	const head = `{"wheelscope": 1, `
	const rest = `"lanes": [{"algorithm": "heap"}], "workload": {}}`
	for _, r := range []refused{
		{"a list", "[]", "line 1: a list is not an object"},
		{"a number", "7", "line 1: 7 is not an object"},
		{"null", "null", "line 1: null is not an object"},
		{"nothing in it", "{}", "wheelscope: missing; expected the version"},
		{"later version", `{"wheelscope": 99, "wat": 1}`, "wheelscope: 99 is not 1, the version"},
		{"version as text", `{"wheelscope": "1"}`, `wheelscope: "1" is not 1`},
		{"unknown field", head + `"wat": 1, ` + rest, "wat: unknown field; a scenario has $schema, wheelscope, name, title"},
		{"unknown field that is no word", head + `"a\nb": 1, ` + rest, `"a\nb": unknown field`},
		{"no lanes", `{"wheelscope": 1, "workload": {}}`, "lanes: missing"},
		{"no lane", `{"wheelscope": 1, "lanes": [], "workload": {}}`, "lanes: 0 lanes; expected 1 to 24"},
		{"lanes as object", `{"wheelscope": 1, "lanes": {}, "workload": {}}`, "lanes: an object is not a list"},
		{"too many lanes", `{"wheelscope": 1, "lanes": [` + strings.Repeat(`{"algorithm": "heap"},`, 24) + `{"algorithm": "heap"}], "workload": {}}`, "lanes: more than 24 lanes"},
		{"no workload", `{"wheelscope": 1, "lanes": [{"algorithm": "heap"}]}`, "workload: missing"},
		{"workload as list", head + `"lanes": [{"algorithm": "heap"}], "workload": []}`, "workload: a list is not an object"},
		{"unknown field of the workload", head + `"lanes": [{"algorithm": "heap"}], "workload": {"op": []}}`, "workload.op: unknown field; a workload has ops, generate"},
		{"name as number", head + `"name": 7, ` + rest, "name: 7 is not a name"},
		{"long name", head + `"name": "` + strings.Repeat("x", 257) + `", ` + rest, "name: 257 bytes; expected a name of at most 256"},
		{"title as list", head + `"title": [], ` + rest, "title: a list is not a text"},
		{"title's text as number", head + `"title": {"en": 1}, ` + rest, "title.en: 1 is not a text"},
		{"title in no language", head + `"title": {"": "x"}, ` + rest, `title: "" is not a language`},
		{"long title", head + `"title": "` + strings.Repeat("x", 4097) + `", ` + rest, "title: 4097 bytes; expected a text of at most 4096"},
		{"long text", head + `"summary": {"zh": "` + strings.Repeat("x", 4097) + `"}, ` + rest, "summary.zh: 4097 bytes"},
		{"many fields", head + manyFields(100000) + rest, "l0: unknown field"},
		{"very many languages", head + `"question": {` + manyLanguages(100000) + `}, ` + rest, "question: 64 languages; expected at most 16"},
		{"many languages", head + `"question": {` + manyLanguages(17) + `}, ` + rest, "question: 17 languages; expected at most 16"},
		{"tick as number", head + `"tick": 1, ` + rest, "tick: 1 is not a duration"},
		{"tick of nothing", head + `"tick": "0s", ` + rest, `tick: "0s" is not a duration`},
		{"negative tick", head + `"tick": "-1ms", ` + rest, `tick: "-1ms" is not a duration`},
		{"tick without a unit", head + `"tick": "5", ` + rest, `tick: "5" is not a duration`},
		{"negative start", head + `"start": -1, ` + rest, "start: -1 is not a whole number between 0 and"},
		{"start past 62 bits", head + `"start": 4611686018427387904, ` + rest, "start: 4611686018427387904 is not a whole number between"},
		{"until huge", head + `"until": 1180591620717411303424, ` + rest, "until: 1180591620717411303424 is not a whole number"},
		{"until with a point", head + `"until": 1.5, ` + rest, `until: 1.5 is not a whole number of ticks or a duration such as "5ms"`},
		{"a rate and long ticks", `{"wheelscope":1,"tick":"1000000h","lanes":[{"algorithm":"heap"}],"workload":{"generate":[{"prefix":"c","count":1,"arrivals":{"dist":"poisson","rate":"200/s"},"delay":{"dist":"constant","value":1}}]}}`,
			`workload.generate[0].arrivals.rate: "200/s" is too many for ticks this long; expected 2 or fewer`},
		{"negative until", head + `"until": -1, ` + rest, "until: -1 is not a whole number between 0 and"},
		{"fraction", head + `"until": 1.5, ` + rest, "until: 1.5 is not a whole number"},
		{"exponent", head + `"until": 1e3, ` + rest, "until: 1e3 is not a whole number"},
		{"null in a field", head + `"until": null, ` + rest, "until: null is not a whole number"},
		{"true in a field", head + `"until": true, ` + rest, "until: true is not a whole number"},
		{"start + until", head + `"start": 4611686018427387903, "until": 1, ` + rest, "until: 1 is too large; expected at most 0: start + until"},
		{"a duration past 292 years", head + `"until": "3000000h", ` + rest, `until: "3000000h" is not a duration`},
	} {
		r.check(t)
	}
}

func manyFields(n int) string { return manyLanguages(n) + ", " }

func manyLanguages(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`"l%d": "x"`, i))
	}
	return strings.Join(list, ", ")
}

func TestLoadRefusesWrongLanes(t *testing.T) {
	for lane, want := range map[string]string{
		`7`:                               "lanes[1]: 7 is not an object",
		`{}`:                              "lanes[1].algorithm: missing; expected the id of an algorithm: simple, rounds",
		`{"algorithm": "sundial"}`:        `lanes[1].algorithm: "sundial" is not one of simple, rounds`,
		`{"algorithm": 7}`:                "lanes[1].algorithm: 7 is not the id of an algorithm",
		`{"algorithm": "heap"}`:           `lanes[1].id: "heap" is the id of lanes[0] too`,
		`{"algorithm": "heap", "id": ""}`: `lanes[1].id: "" is not a name`,
		`{"algorithm": "simple", "id": "` + strings.Repeat("x", 257) + `"}`: "lanes[1].id: 257 bytes",
		`{"algorithm": "simple", "wat": 1}`:                                 "lanes[1].wat: unknown field; a lane of algorithm simple has id, algorithm, slots, width, overflow",
		`{"algorithm": "simple", "arity": 2}`:                               "lanes[1].arity: unknown field; a lane of algorithm simple has",
		`{"algorithm": "simple", "slots": 0}`:                               "lanes[1].slots: 0 is not ",
		`{"algorithm": "rounds", "slots": -3}`:                              "lanes[1].slots: -3 is not ",
		`{"algorithm": "rounds", "slots": 65537}`:                           "lanes[1].slots: 65537 is not ",
		`{"algorithm": "simple", "slots": 1099511627776}`:                   "lanes[1].slots: 1099511627776 is not ",
		`{"algorithm": "simple", "slots": 1180591620717411303424}`:          "lanes[1].slots: 1180591620717411303424 is not a whole number between 1 and 65536",
		`{"algorithm": "simple", "slots": 1.5}`:                             "lanes[1].slots: 1.5 is not a whole number between",
		`{"algorithm": "simple", "slots": "3"}`:                             `lanes[1].slots: "3" is not a whole number between`,
		`{"algorithm": "simple", "slots": [3]}`:                             "lanes[1].slots: a list is not a whole number between",
		`{"algorithm": "simple", "slots": null}`:                            "lanes[1].slots: null is not",
		`{"algorithm": "simple", "width": 0}`:                               "lanes[1].width: 0 is not ",
		`{"algorithm": "simple", "width": "0s"}`:                            "lanes[1].width: 0 is not ",
		`{"algorithm": "simple", "width": "soon"}`:                          `lanes[1].width: "soon" is not a duration`,
		`{"algorithm": "sorted", "width": 2}`:                               "lanes[1].width: 2 is not ",
		`{"algorithm": "simple", "overflow": "spill"}`:                      `lanes[1].overflow: "spill" is not one of reject, list`,
		`{"algorithm": "simple", "overflow": 1}`:                            "lanes[1].overflow: 1 is not one of reject, list",
		`{"algorithm": "sorted", "id": "s", "arity": 2}`:                    "lanes[1].arity: unknown field",
		`{"algorithm": "heap", "id": "h", "arity": 3}`:                      "lanes[1].arity: 3 is not ",
		`{"algorithm": "hierarchical", "slots": []}`:                        "lanes[1].slots: a list of 0 is not ",
		`{"algorithm": "hierarchical", "slots": [1,2,3,4,5,6,7,8,9]}`:       "lanes[1].slots: a list of 9 is not ",
		`{"algorithm": "hierarchical", "slots": [1,2,3,4,5,6,7,8,9,1,2,3]}`: "lanes[1].slots: the list is too long; expected 1 to 8",
		`{"algorithm": "hierarchical", "slots": [60, 0]}`:                   "lanes[1].slots[1]: 0 is not ",
		`{"algorithm": "hierarchical", "slots": [60, "x"]}`:                 `lanes[1].slots[1]: "x" is not `,
		`{"algorithm": "hierarchical", "levels": 9}`:                        "lanes[1].levels: 9 is not ",
		`{"algorithm": "hierarchical", "levels": 0}`:                        "lanes[1].levels: 0 is not ",
		`{"algorithm": "hierarchical", "slots": 1}`:                         "lanes[1].slots: 1 is not ",
	} {
		refused{lane[:min(len(lane), 60)], string(laneOf(lane)), want}.check(t)
	}
}

// TestLoadRefusesTooManySlotsInAll checks lanes that are within the limits individually, not in
// sum.
func TestLoadRefusesTooManySlotsInAll(t *testing.T) {
	var lanes []string
	for i := range 6 {
		lanes = append(lanes, fmt.Sprintf(`{"id": "l%d", "algorithm": "hierarchical", "slots": 65536, "levels": 3}`, i))
	}
	refused{"slots", `{"wheelscope": 1, "lanes": [` + strings.Join(lanes, ",") + `], "workload": {}}`,
		"lanes[5]: 1179648 slots in the lanes up to this one; expected at most 1048576"}.check(t)
}
