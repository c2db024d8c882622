// Package testscenarios provides the built-in scenarios for tests. Long scenarios have fewer timers than
// the originals, so that tests take less time.
package testscenarios

import (
	"bytes"

	"github.com/wheelscope/wheelscope/internal/soaktest"
	"github.com/wheelscope/wheelscope/sim/library"
)

// longCount is the JSON member that sets the number of generated timers in the long scenarios, which emit millions
// of events. All replaces it with shortCount.
var longCount, shortCount = []byte(`"count": 100000`), []byte(`"count": 3000`)

// All returns the built-in scenarios. In the short form of tests, the long scenarios have fewer timers than the
// originals.
func All() []*library.Scenario {
	if soaktest.Full() {
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
