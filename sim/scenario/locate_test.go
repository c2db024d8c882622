package scenario_test

import (
	"errors"
	"testing"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// TestPlanningFaultsKnowTheirLine checks that the faults found by planning have a line, for
// editors.
func TestPlanningFaultsKnowTheirLine(t *testing.T) {
	const head = "{\"wheelscope\": 1,\n \"lanes\": [\n  {\"id\": \"a\", \"algorithm\": \"simple\"},\n  {\"id\": \"a\",\n   \"algorithm\": \"heap\"}],\n"
	for _, c := range []struct {
		text, path string
		line       int
	}{
		{head + ` "workload": {}}`, "lanes[1].id", 4},
		{"\ufeff" + head + ` "workload": {}}`, "lanes[1].id", 4},
		{"{\"wheelscope\": 1,\n \"lanes\": [{\"algorithm\": \"heap\"}],\n \"workload\": {\"ops\": [\n" +
			"  {\"at\": 0, \"op\": \"schedule\", \"timer\": \"a\", \"delay\": 9},\n  {\"at\": 1, \"op\": \"schedule\",\n   \"timer\": \"a\", \"delay\": 9}]}}", "workload.ops[1].timer", 6},
		{"{\"wheelscope\": 1,\n \"lanes\": [{\"algorithm\": \"heap\"}],\n \"workload\": {\n\"ops\": [\n" +
			"  {\"at\": 0, \"op\": \"schedule\", \"timer\": \"a\", \"delay\": 9, \"every\": 1}]}}", "until", 1},
	} {
		_, err := program.Load([]byte(c.text))
		input, ok := errors.AsType[*scenario.InputError](err)
		if !ok || input.Path != c.path || input.Line != c.line {
			t.Errorf("%v (line %d), want %s in line %d\n%s", err, input.Line, c.path, c.line, c.text)
		}
	}
}

func TestLineOfNothing(t *testing.T) {
	for _, text := range []string{"", "\ufeff", "x"} {
		if line := scenario.LineOf([]byte(text), "lanes[0]"); line != 0 {
			t.Errorf("%q has lanes[0] in line %d", text, line)
		}
	}
}
