package input_test

import (
	"os"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
	"github.com/wheelscope/wheelscope/internal/cli/input"
	"github.com/wheelscope/wheelscope/sim/library"
)

// Every built-in can be run by its name; a file of that name takes precedence.
func TestScenarioByName(t *testing.T) {
	for _, b := range library.Builtins() {
		p, err := input.Load(t.Context(), b.Name, nil)
		if err != nil || p.Scenario.Name != b.Name {
			t.Errorf("%s: %v", b.Name, err)
		}
	}
	t.Chdir(t.TempDir())
	name := library.Builtins()[0].Name
	if err := os.WriteFile(name, []byte(clitest.Tiny), 0o666); err != nil {
		t.Fatal(err)
	}
	if p, err := input.Load(t.Context(), name, nil); err != nil || p.Scenario.Name != "tiny" {
		t.Errorf("with a file of that name: %v, %v", p, err)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(name, 0o777); err != nil {
		t.Fatal(err)
	}
	if p, err := input.Load(t.Context(), name, nil); err != nil || p.Scenario.Name != name {
		t.Errorf("with a directory of that name: %v, %v", p, err)
	}
}
