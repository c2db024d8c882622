// Package webtest provides scenarios and computed runs for the tests of package web and the packages
// below it. It adds the algorithm redis to the catalogue.
package webtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	_ "github.com/wheelscope/wheelscope/wheel/rediswheel/lane" // adds the algorithm redis to the catalogue
)

// Small is a scenario with two lanes. Its run has a rejection, a cascade, a cancelled timer and a repeating timer.
const Small = `{"wheelscope":1,"name":"small","title":{"en":"Small","zh":"小"},"until":9,
 "lanes":[{"id":"one","algorithm":"simple","slots":3},{"id":"tower","algorithm":"hierarchical","slots":3,"levels":2}],
 "workload":{"ops":[
  {"at":0,"op":"schedule","timer":"near","delay":2},
  {"at":0,"op":"schedule","timer":"far","delay":5},
  {"at":1,"op":"schedule","timer":"beat","delay":1,"every":2,"times":3},
  {"at":3,"op":"schedule","timer":"gone","delay":2},
  {"at":4,"op":"cancel","timer":"gone"}]}}`

// LoadSmall returns the program of the scenario Small.
func LoadSmall(t testing.TB) *program.Program {
	t.Helper()
	p, err := program.Load([]byte(Small))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Widely is a scenario whose run has many kinds of events. It has side lists, rounds, cascades, growing levels,
// swaps in a heap, rejections, misses and a stall.
const Widely = `{"wheelscope":1,"name":"widely","until":90,"lanes":[
 {"id":"simple","algorithm":"simple","slots":8},{"id":"list","algorithm":"simple","slots":4,"overflow":"list"},
 {"algorithm":"rounds","slots":3},{"id":"naive","algorithm":"rounds","slots":3,"variant":"naive","width":2},
 {"id":"tower","algorithm":"hierarchical","slots":3},{"id":"none","algorithm":"hierarchical","slots":3,"levels":4,"migration":"none","round":"nearest"},
 {"algorithm":"sorted"},{"algorithm":"heap"}],
 "workload":{"ops":[{"at":0,"op":"schedule","timer":"far","delay":70},{"at":1,"op":"schedule","timer":"now","delay":0},
  {"at":1,"op":"schedule","timer":"beat","delay":3,"every":5,"times":9},{"at":4,"op":"reset","timer":"now","delay":-2},
  {"at":5,"op":"cancel","timer":"now"},{"at":6,"op":"stall","for":7},{"at":20,"op":"set","timer":"far","delay":30}],
 "generate":[{"prefix":"g","seed":5,"count":60,"arrivals":{"dist":"uniform","min":0,"max":50},
  "delay":{"dist":"uniform","min":0,"max":30},"cancel":{"fraction":0.4,"after":{"dist":"uniform","min":0,"max":12}}}]}}`

// Open returns the completely computed run of the scenario in text. Each call creates a store for the run.
func Open(t testing.TB, text string) *sim.Run {
	t.Helper()
	p, err := program.Load([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	store := sim.NewStore(sim.StoreOptions{})
	t.Cleanup(store.Close)
	run, err := store.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	store.Retain(t.Context(), run) // a run without viewers is dropped if its first pass takes long
	if err := run.Wait(t.Context(), p.Until); err != nil {
		t.Fatal(err)
	}
	return run
}

// ThreeSlots returns the program of the built-in scenario three-slots and its completely computed run.
func ThreeSlots(t testing.TB) (*program.Program, *sim.Run) {
	t.Helper()
	data, _ := library.Builtin("three-slots")
	run := Open(t, string(data))
	return run.Program(), run
}

// ManyFields returns a JSON object of about size bytes. It consists of begin, an incomplete JSON object,
// followed by unknown fields and the closing braces.
func ManyFields(begin string, size int) []byte {
	b := []byte(begin)
	for i := 0; len(b) < size-20; i++ {
		b = fmt.Appendf(b, `,"_%d":0`, i)
	}
	for range strings.Count(begin, "{") {
		b = append(b, '}')
	}
	return b
}
