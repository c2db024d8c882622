// Package testscenarios provides the built-in scenarios for tests. Long scenarios have fewer timers than
// the originals, so that tests take less time.
package testscenarios

import (
	"bytes"
	"os"

	"github.com/wheelscope/wheelscope/sim/library"
)

// fullEnv is the environment variable that makes tests use the unmodified long scenarios. `make soak`
// sets it.
const fullEnv = "WHEELSCOPE_WHOLE"

// longCount is the JSON member that sets the number of generated timers in the long scenarios, which emit millions
// of events. All replaces it with shortCount.
var longCount, shortCount = []byte(`"count": 100000`), []byte(`"count": 3000`)

// All returns the built-in scenarios. Unless Full returns true, the long scenarios have fewer timers than the
// originals.
func All() []*library.Scenario {
	if Full() {
		return library.Builtins()
	}
	var list []*library.Scenario
	for _, b := range library.Builtins() {
		short := *b
		short.Data = bytes.ReplaceAll(b.Data, longCount, shortCount)
		list = append(list, &short)
	}
	return list
}

// Long returns the unmodified long scenarios: those that All shortens.
func Long() (list []*library.Scenario) {
	for _, b := range library.Builtins() {
		if bytes.Contains(b.Data, longCount) {
			list = append(list, b)
		}
	}
	return list
}

// Full reports whether the environment variable fullEnv is set, which makes tests use the unmodified long scenarios.
func Full() bool { return os.Getenv(fullEnv) != "" }
