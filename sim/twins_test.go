package sim

import (
	"bytes"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/library"
	"os"
	"testing"
)

// Two of the built-in scenarios emit millions of events. Tests of all built-ins use a twin of
// these, which has fewer timers and is otherwise the same; `make soak` sets WholeEnv, which
// makes them use the originals.

// WholeEnv is the environment variable that selects the originals.
const WholeEnv = "WHEELSCOPE_WHOLE"

// countWhole is the number of generated timers of the originals, countTwin that of the twins.
var countWhole, countTwin = []byte(`"count": 100000`), []byte(`"count": 3000`)

// Twins returns the built-in scenarios, with twins for the long ones.
func Twins() []*library.Scenario {
	if Whole() {
		return library.Builtins()
	}
	var list []*library.Scenario
	for _, b := range library.Builtins() {
		twin := *b
		twin.Data = bytes.ReplaceAll(b.Data, countWhole, countTwin)
		list = append(list, &twin)
	}
	return list
}

// Long returns the built-in scenarios that have a twin, as they are.
func Long() (list []*library.Scenario) {
	for _, b := range library.Builtins() {
		if bytes.Contains(b.Data, countWhole) {
			list = append(list, b)
		}
	}
	return list
}

// Whole reports whether tests use the built-in scenarios as they are.
func Whole() bool { return os.Getenv(WholeEnv) != "" }

func TestTwinsAreTwo(t *testing.T) {
	t.Setenv(WholeEnv, "")
	shorter := 0
	for k, b := range library.Builtins() {
		if twin := Twins()[k]; len(twin.Data) < len(b.Data) {
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
