package library

import (
	"embed"
	"fmt"
	"strings"
	"sync"
)

// A trial is a small scenario for one algorithm that shows the algorithm's rules within a few
// events. It is shown on the algorithm's page. Trials are not in the list of scenarios, but
// can be opened by name like a built-in scenario.

//go:embed scenarios/try/*.json
var trialFiles embed.FS

// trialPrefix is the prefix of the name of a trial scenario, a small scenario that shows the rules of one algorithm.
// It is followed by the ID of the algorithm.
const trialPrefix = "try-"

// trials returns a map from algorithm IDs to trial scenarios, small scenarios that each show the rules of one
// algorithm. It parses the embedded files once and panics if one is invalid; a test checks every file.
var trials = sync.OnceValue(func() map[string]*Scenario {
	files, err := trialFiles.ReadDir("scenarios/try")
	if err != nil {
		panic("sim: trials: " + err.Error())
	}
	all := make(map[string]*Scenario, len(files))
	for _, f := range files {
		data, err := trialFiles.ReadFile("scenarios/try/" + f.Name())
		if err != nil {
			panic(fmt.Sprintf("sim: trial %s: %v", f.Name(), err))
		}
		id := strings.TrimSuffix(f.Name(), ".json")
		if t, ok := parseBuiltin(trialPrefix+id, data); ok {
			all[id] = t
		}
	}
	return all
})

// Trial returns the trial scenario of the algorithm with the given ID: a small scenario that shows the
// algorithm's rules within a few events. It returns false if there is none. A test checks that each algorithm
// of the catalogue has one.
func Trial(algorithm string) (*Scenario, bool) {
	t, ok := trials()[algorithm]
	return t, ok
}

// trialNamed returns the named trial scenario, such as "try-heap", or false if there is none.
func trialNamed(name string) (*Scenario, bool) {
	algorithm, ok := strings.CutPrefix(name, trialPrefix)
	if !ok {
		return nil, false
	}
	return Trial(algorithm)
}
