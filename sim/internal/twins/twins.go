// Package twins has shorter forms of the long built-in scenarios, for tests of all of them.
package twins

import (
	"bytes"
	"os"

	"github.com/wheelscope/wheelscope/sim/library"
)

// Two of the built-in scenarios emit millions of events. Tests of all built-ins use a twin of
// these, which has fewer timers and is otherwise the same; `make soak` sets WholeEnv, which
// makes them use the originals.

// WholeEnv is the environment variable that selects the originals.
const WholeEnv = "WHEELSCOPE_WHOLE"

// countWhole is the number of generated timers of the originals, countTwin that of the twins.
var countWhole, countTwin = []byte(`"count": 100000`), []byte(`"count": 3000`)

// All returns the built-in scenarios, with twins for the long ones.
func All() []*library.Scenario {
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
