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

// builtinNames lists the built-in scenarios in display order. The first is shown by default.
var builtinNames = []string{
	"three-slots", "reach", "clock-12", "ten-slots", "rounds-off-by-one", "simple-three", "rounds-three", "paper-clock",
	"paper-hash", "two-m", "crowded-slot", "cascade-storm", "migration", "heartbeats", "hundred-thousand",
	"lk668-whole-revolution", "lk668-endless-tick", "lk668-times", "lk668-remove-twice", "lk668-below-a-second", "lk668-created",
	"xiaoxu-negative-delay", "xiaoxu-race", "godis-below-a-second", "russellluo-early", "russellluo-deadlock", "stalled-driver", "clock-jump",
	"every-algorithm", "lateness", "kafka-stale-clock", "kafka-ranges", "calendar-skew", "riicarus-later-round", "riicarus-from-now",
	"redis-worker-dies", "redis-scan-missed", "redis-callback-fails", "redis-same-key", "redis-delete-ahead", "redis-wrong-minute", "redis-time-zone",
	"netty-mask", "xiaoxu-own-test", "cache-expiry", "request-timeouts", "twelve-rings",
}

// Scenario is a scenario embedded in the program. `wheelscope scenarios --json` and GET
// /api/scenarios list its JSON form.
type Scenario struct {
	Name       string        `json:"name"`
	Title      scenario.Text `json:"title"`
	Summary    scenario.Text `json:"summary"`
	Question   scenario.Text `json:"question"`
	Lanes      []string      `json:"lanes"` // lane ids
	Algorithms []string      `json:"-"`     // algorithms of Lanes, in the same order
	Data       []byte        `json:"-"`     // the scenario file
}

// Builtins returns the built-in scenarios in display order, without those that use an algorithm
// that is not linked into the program (wheel/rediswheel/lane).
var Builtins = sync.OnceValue(func() []*Scenario {
	list := make([]*Scenario, 0, len(builtinNames))
	for _, name := range builtinNames {
		if b, ok := readBuiltin(name); ok {
			list = append(list, b)
		}
	}
	return list
})

// Builtin returns the file of the built-in scenario or trial with the given name, or false if there is none.
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

// readBuiltin reads the embedded scenario with the given name without planning its workload. It
// panics if the file is invalid; a test loads every file.
func readBuiltin(name string) (b *Scenario, ok bool) {
	data, err := scenarioFiles.ReadFile("scenarios/" + name + ".json")
	if err != nil {
		panic(fmt.Sprintf("library: built-in scenario %s: %v", name, err))
	}
	return parseBuiltin(name, data)
}

// parseBuiltin decodes data, a scenario file. It returns false if the scenario uses an algorithm
// that is not linked into the program.
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
	b = &Scenario{Name: name, Title: s.Title, Summary: s.Summary, Question: s.Question, Data: data}
	for i := range s.Lanes {
		b.Lanes = append(b.Lanes, s.Lanes[i].ID)
		b.Algorithms = append(b.Algorithms, s.Lanes[i].Algorithm)
	}
	return b, true
}
