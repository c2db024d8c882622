// Package plantest provides programs and scenarios for tests, and helpers that plan and run them.
package plantest

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
)

// Load decodes and plans the scenario in text. It fails the test if the scenario is invalid.
func Load[T string | []byte](t testing.TB, text T) *program.Program {
	t.Helper()
	p, err := program.Load([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%.400s", err, string(text))
	}
	return p
}

// Scenario returns the text of a scenario with one lane. head contains its first fields, such as
// `"until": 20`, and workload is a JSON object.
func Scenario(head, workload string) []byte {
	if head != "" {
		head += ", "
	}
	return []byte(`{"wheelscope": 1, ` + head + `"lanes": [{"algorithm": "heap"}], "workload": ` + workload + `}`)
}

// Ops returns the text of a scenario with one lane. ops lists the operations of the workload as JSON objects,
// separated by commas.
func Ops(ops string) []byte { return Scenario("", `{"ops": [`+ops+`]}`) }

// Golden returns the programs of the scenarios in sim/testdata/golden, by file name without .json. It works
// only in tests of packages directly below sim.
func Golden(t testing.TB) map[string]*program.Program {
	t.Helper()
	files, err := filepath.Glob("../testdata/golden/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios in ../testdata/golden: %v", err)
	}
	programs := make(map[string]*program.Program, len(files))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		programs[strings.TrimSuffix(filepath.Base(file), ".json")] = Load(t, string(data))
	}
	return programs
}

// longCount is the JSON member that sets the number of generated timers in the built-in scenarios that emit millions of
// events.
var longCount, shortCount = []byte(`"count": 100000`), []byte(`"count": 3000`)

// IsLong reports whether the built-in scenario in data emits millions of events.
func IsLong(data []byte) bool { return bytes.Contains(data, longCount) }

// Short returns the built-in scenario in data with fewer timers if it is long, so that tests take less time. In the long
// form of tests it returns data.
func Short(data []byte) []byte {
	if testkit.Full() {
		return data
	}
	return bytes.ReplaceAll(data, longCount, shortCount)
}

// ManyTimers is a scenario whose trace is so long that package tracefile writes it in many blocks.
const ManyTimers = `{"wheelscope":1,"name":"many","until":3000,
	"lanes":[{"algorithm":"simple","slots":64,"overflow":"list"},{"algorithm":"rounds","slots":64},{"algorithm":"hierarchical","slots":8},{"algorithm":"heap"}],
	"workload":{"generate":[{"prefix":"t","seed":3,"count":900,"arrivals":{"dist":"uniform","min":0,"max":2000},
		"delay":{"dist":"exponential","mean":200,"max":900},"cancel":{"fraction":0.3,"after":{"dist":"uniform","min":0,"max":300}}}]}}`

// Engine returns an engine for p in its initial state.
func Engine(t testing.TB, p *program.Program) *engine.Engine {
	t.Helper()
	e, err := engine.NewEngine(p)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TakeTurns makes every other client of q wait until leave is called. q must admit one client at a time. If a
// client keeps its turn for too long, q admits one more client; TakeTurns waits for that to happen and takes
// both turns.
func TakeTurns(t testing.TB, q *fairqueue.Queue) (leave func()) {
	t.Helper()
	var both [2]func()
	for k := range both {
		var err error
		if _, both[k], err = q.Enter(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	return func() { both[0](); both[1]() }
}

// Driven is a scenario whose lanes depend on their driver. It has stalls, jumps of the wall clock, and a timer
// whose due tick is in the past, which stops one lane.
const Driven = `{"wheelscope":1,"tick":"1s","start":1000,"until":120,"lanes":[
 {"id":"lk668","algorithm":"lk668","slots":7,"width":2},
 {"id":"ticker","algorithm":"xiaoxu","slots":8,"width":3},
 {"id":"made-up","algorithm":"xiaoxu","slots":8,"width":3,"as":"corrected"},
 {"id":"godis","algorithm":"godis","slots":5},
 {"id":"exact","algorithm":"hierarchical","slots":4}],
 "workload":{"ops":[
 {"at":0,"op":"schedule","timer":"beat","delay":5,"every":9,"times":-1},
 {"at":1,"op":"schedule","timer":"old","delay":20,"created":-7},
 {"at":4,"op":"stall","for":12},
 {"at":8,"op":"schedule","timer":"in the pause","delay":14},
 {"at":20,"op":"clock","by":6},
 {"at":21,"op":"schedule","timer":"older","delay":20,"created":-3},
 {"at":30,"op":"stall","for":2},
 {"at":40,"op":"schedule","timer":"far","delay":60},
 {"at":41,"op":"set","timer":"far","delay":50},
 {"at":60,"op":"schedule","timer":"past","delay":-20},
 {"at":70,"op":"schedule","timer":"a revolution of lk668","delay":14},
 {"at":110,"op":"stall","for":99}]}}`
