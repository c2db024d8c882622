package twins

import (
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/library"
)

func TestTwinsAreTwo(t *testing.T) {
	t.Setenv(wholeEnv, "")
	shorter := 0
	for k, b := range library.Builtins() {
		if twin := All()[k]; len(twin.Data) < len(b.Data) {
			shorter++
			if p := plantest.Load(t, string(twin.Data)); p.Timers() != 3000 || p.Scenario.Name != b.Name {
				t.Errorf("the twin of %s has %d timers", b.Name, p.Timers())
			}
		}
	}
	if shorter != 2 {
		t.Errorf("%d built-ins are shortened, want twelve-rings and hundred-thousand", shorter)
	}
}
