// Package twins provides shorter forms of long built-in scenarios, for tests of all of them.
package twins

import (
	"bytes"
	"os"

	"github.com/wheelscope/wheelscope/sim/library"
)

// Two of the built-in scenarios emit millions of events. Tests of all built-in scenarios replace
// these two by twins, which have fewer timers and are otherwise the same. `make soak` sets
// wholeEnv, which makes them use the originals.

// wholeEnv is the environment variable that makes tests use the originals.
const wholeEnv = "WHEELSCOPE_WHOLE"

// countWhole and countTwin are the numbers of generated timers in the originals and in the twins.
var countWhole, countTwin = []byte(`"count": 100000`), []byte(`"count": 3000`)

// All returns the built-in scenarios. Long ones are replaced by their shorter twins unless Whole returns
// true.
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

// Long returns the original built-in scenarios that All replaces by shorter ones.
func Long() (list []*library.Scenario) {
	for _, b := range library.Builtins() {
		if bytes.Contains(b.Data, countWhole) {
			list = append(list, b)
		}
	}
	return list
}

// Whole reports whether tests use the original built-in scenarios.
func Whole() bool { return os.Getenv(wholeEnv) != "" }
