package sim

import (
	"bytes"
	"os"
	"testing"
)

// Two of the built-ins tell millions of events. Tests that go through all of them
// take a twin of those instead, the same in all but the number of timers; `make
// soak` sets WholeEnv and goes through the built-ins as they are.

// WholeEnv is the variable of the environment that asks for them.
const WholeEnv = "WHEELSCOPE_WHOLE"

// countWhole is the number of generated timers of those two, countTwin that of the
// twins.
var countWhole, countTwin = []byte(`"count": 100000`), []byte(`"count": 3000`)

// Twins are the built-ins, the long ones shortened.
func Twins() []*BuiltinScenario {
	if Whole() {
		return Builtins()
	}
	var list []*BuiltinScenario
	for _, b := range Builtins() {
		twin := *b
		twin.Data = bytes.ReplaceAll(b.Data, countWhole, countTwin)
		list = append(list, &twin)
	}
	return list
}

// Long are the built-ins that have a twin, as they are.
func Long() (list []*BuiltinScenario) {
	for _, b := range Builtins() {
		if bytes.Contains(b.Data, countWhole) {
			list = append(list, b)
		}
	}
	return list
}

// Whole says whether the built-ins are to be gone through as they are.
func Whole() bool { return os.Getenv(WholeEnv) != "" }

func TestTwinsAreTwo(t *testing.T) {
	t.Setenv(WholeEnv, "")
	shorter := 0
	for k, b := range Builtins() {
		if twin := Twins()[k]; len(twin.Data) < len(b.Data) {
			shorter++
			if p := load(t, string(twin.Data)); p.Timers() != 3000 || p.Scenario.Name != b.Name {
				t.Errorf("the twin of %s has %d timers", b.Name, p.Timers())
			}
		}
	}
	if shorter != 2 {
		t.Errorf("%d built-ins are shortened, want twelve-rings and hundred-thousand", shorter)
	}
}
