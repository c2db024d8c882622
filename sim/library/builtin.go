package library

import (
	"embed"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

//go:embed scenarios/*.json
var scenarioFiles embed.FS

// Scenario is a scenario embedded in the program. `wheelscope scenarios --json` and GET /api/scenarios list
// its JSON form.
type Scenario struct {
	Name       string        `json:"name"`
	Title      scenario.Text `json:"title"`
	Summary    scenario.Text `json:"summary"`
	Question   scenario.Text `json:"question"`
	Lanes      []string      `json:"lanes"` // IDs of the lanes
	Algorithms []string      `json:"-"`     // algorithms of Lanes, in the same order
	Tick       string        `json:"-"`     // length of a base tick, as in the scenario file, such as "1ms"
	Data       []byte        `json:"-"`     // content of the scenario file
}

// Builtins returns the built-in scenarios in display order. It omits scenarios with an algorithm that is not
// linked into the program, such as that of package wheel/rediswheel/lane.
var Builtins = sync.OnceValue(func() []*Scenario {
	names := builtinNames()
	list := make([]*Scenario, 0, len(names))
	for _, name := range names {
		if b, ok := readBuiltin(name); ok {
			list = append(list, b)
		}
	}
	return list
})

// Builtin returns the content of the file of the built-in scenario with the given name, or false if there is
// none. The name may also be that of an algorithm's trial scenario, such as "try-heap".
func Builtin(name string) ([]byte, bool) {
	for _, b := range Builtins() {
		if b.Name == name {
			return b.Data, true
		}
	}
	if t, ok := trialNamed(name); ok {
		return t.Data, true
	}
	return nil, false
}

// readBuiltin reads the named built-in scenario. It does not plan the workload. ok is false if the scenario
// uses an algorithm that is not linked into the program. readBuiltin panics if the file is missing or
// invalid; a test checks every file.
func readBuiltin(name string) (b *Scenario, ok bool) {
	data, err := scenarioFiles.ReadFile("scenarios/" + name + ".json")
	if err != nil {
		panic(fmt.Sprintf("library: built-in scenario %s: %v", name, err))
	}
	return parseBuiltin(name, data)
}

// parseBuiltin decodes data, the content of a scenario file. ok is false if the scenario uses an algorithm
// that is not linked into the program. parseBuiltin panics if data is invalid.
func parseBuiltin(name string, data []byte) (b *Scenario, ok bool) {
	var lanes struct{ Lanes []struct{ Algorithm string } }
	if err := json.Unmarshal(data, &lanes, json.MatchCaseInsensitiveNames(true)); err != nil {
		panic(fmt.Sprintf("library: built-in scenario %s: %v", name, err))
	}
	for _, l := range lanes.Lanes {
		if _, linked := algorithms.Lookup(l.Algorithm); !linked {
			return nil, false
		}
	}
	s, err := scenario.Decode(data, scenario.DecodeOptions{})
	if err != nil {
		panic(fmt.Sprintf("library: built-in scenario %s: %v", name, err))
	}
	b = &Scenario{Name: name, Title: s.Title, Summary: s.Summary, Question: s.Question, Tick: s.Tick, Data: data}
	for i := range s.Lanes {
		b.Lanes = append(b.Lanes, s.Lanes[i].ID)
		b.Algorithms = append(b.Algorithms, s.Lanes[i].Algorithm)
	}
	return b, true
}
