package plantest

import (
	"github.com/wheelscope/wheelscope/sim/program"
	"testing"
)

// LoadProgram reads and plans a scenario. It fails the test if that is refused.
func Load[T string | []byte](t testing.TB, text T) *program.Program {
	t.Helper()
	p, err := program.Load([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%.400s", err, string(text))
	}
	return p
}

// ScenarioOf returns the text of a scenario of one lane with the given leading fields, such as
// `"until": 20`, and the given workload, a JSON object.
func Scenario(head, workload string) []byte {
	if head != "" {
		head += ", "
	}
	return []byte(`{"wheelscope": 1, ` + head + `"lanes": [{"algorithm": "heap"}], "workload": ` + workload + `}`)
}

// OpsOf returns the text of a scenario of one lane with the given operations, the elements of a
// JSON array.
func Ops(ops string) []byte { return Scenario("", `{"ops": [`+ops+`]}`) }
