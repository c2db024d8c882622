// Package testscenarios returns the built-in scenarios for tests, the long ones with fewer timers.
package testscenarios

import (
	"bytes"
	"os"

	"github.com/wheelscope/wheelscope/sim/library"
)

// fullEnv is the environment variable that makes tests use the long scenarios unchanged. `make soak`
// sets it.
const fullEnv = "WHEELSCOPE_WHOLE"

// longCount and shortCount are the numbers of generated timers in the long scenarios, which emit
// millions of events, and in their short versions.
var longCount, shortCount = []byte(`"count": 100000`), []byte(`"count": 3000`)

// All returns the built-in scenarios. Unless Full returns true, long ones have fewer timers.
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

// Long returns the original built-in scenarios that All shortens.
func Long() (list []*library.Scenario) {
	for _, b := range library.Builtins() {
		if bytes.Contains(b.Data, longCount) {
			list = append(list, b)
		}
	}
	return list
}

// Full reports whether tests use the long scenarios unchanged.
func Full() bool { return os.Getenv(fullEnv) != "" }
