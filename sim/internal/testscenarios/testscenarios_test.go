package testscenarios

import (
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/library"
)

// TestTwoAreShortened checks which scenarios All shortens, and how.
func TestTwoAreShortened(t *testing.T) {
	t.Setenv("WHEELSCOPE_WHOLE", "")
	shortened := 0
	for k, b := range library.Builtins() {
		if short := All()[k]; len(short.Data) < len(b.Data) {
			shortened++
			if p := plantest.Load(t, string(short.Data)); p.Timers() != 3000 || p.Scenario.Name != b.Name {
				t.Errorf("the short version of %s has %d timers", b.Name, p.Timers())
			}
		}
	}
	if shortened != 2 {
		t.Errorf("%d built-ins are shortened, want twelve-rings and hundred-thousand", shortened)
	}
}
