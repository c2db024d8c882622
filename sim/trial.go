package sim

import (
	"embed"
	"fmt"
	"strings"
	"sync"
)

// A trial is a small scenario made for one algorithm, in which it meets its own
// rules within a few events: the wheel to play with on the algorithm's page. Trials
// are not offered in the list of scenarios, but found by their names wherever a
// built-in scenario is.

//go:embed scenarios/try/*.json
var trialFiles embed.FS

// trialPrefix stands before the algorithm's id in the name of a trial.
const trialPrefix = "try-"

// trials are read once, by algorithm; a fault in one is the program's own, and
// held by a test.
var trials = sync.OnceValue(func() map[string]*BuiltinScenario {
	files, err := trialFiles.ReadDir("scenarios/try")
	if err != nil {
		panic("sim: trials: " + err.Error())
	}
	all := make(map[string]*BuiltinScenario, len(files))
	for _, f := range files {
		data, err := trialFiles.ReadFile("scenarios/try/" + f.Name())
		if err != nil {
			panic(fmt.Sprintf("sim: trial %s: %v", f.Name(), err))
		}
		id := strings.TrimSuffix(f.Name(), ".json")
		all[id] = parseBuiltin(trialPrefix+id, data)
	}
	return all
})

// Trial gives the trial of an algorithm. It is false for an algorithm without one;
// a test holds that all of the catalogue have theirs.
func Trial(algorithm string) (*BuiltinScenario, bool) {
	t, ok := trials()[algorithm]
	return t, ok
}

// trialNamed finds a trial by its name.
func trialNamed(name string) (*BuiltinScenario, bool) {
	algorithm, ok := strings.CutPrefix(name, trialPrefix)
	if !ok {
		return nil, false
	}
	return Trial(algorithm)
}
