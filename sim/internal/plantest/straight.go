package plantest

import (
	"fmt"
	"testing"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// Small is a scenario that exercises the rules of the base algorithms within 60 ticks: cascades, rejections,
// rounds, a list beside a wheel, repeating timers, set and reset operations, operations on timers that are not
// pending, and a stall.
const Small = `{"wheelscope":1,"until":60,"lanes":[
 {"id":"simple","algorithm":"simple","slots":8},
 {"id":"list","algorithm":"simple","slots":4,"overflow":"list"},
 {"id":"rounds","algorithm":"rounds","slots":3},
 {"id":"naive","algorithm":"rounds","slots":3,"variant":"naive","width":2},
 {"id":"tower","algorithm":"hierarchical","slots":3},
 {"id":"digits","algorithm":"hierarchical","slots":[3,4,5],"placement":"digits","width":2},
 {"id":"one","algorithm":"hierarchical","slots":3,"levels":4,"migration":"one","round":"ceil"},
 {"id":"none","algorithm":"hierarchical","slots":3,"levels":4,"migration":"none","round":"nearest"},
 {"algorithm":"sorted"},{"algorithm":"heap"},{"id":"four","algorithm":"heap","arity":4}],
 "workload":{"ops":[
 {"at":0,"op":"schedule","timer":"a","delay":2},{"at":0,"op":"schedule","timer":"b","delay":4},
 {"at":0,"op":"schedule","timer":"far","delay":40},{"at":1,"op":"schedule","timer":"now","delay":0},
 {"at":1,"op":"schedule","timer":"beat","delay":3,"every":5,"times":6},
 {"at":2,"op":"cancel","timer":"b"},{"at":2,"op":"cancel","timer":"a"},
 {"at":3,"op":"set","timer":"a","delay":9},{"at":4,"op":"reset","timer":"a","delay":11},
 {"at":5,"op":"reset","timer":"now","delay":-2},{"at":6,"op":"stall","for":7},
 {"at":8,"op":"schedule","timer":"mid","delay":2},{"at":20,"op":"schedule","timer":"tick","delay":1,"every":1,"times":12}],
 "generate":[{"prefix":"g","seed":5,"count":40,"arrivals":{"dist":"uniform","min":0,"max":30},
  "delay":{"dist":"uniform","min":0,"max":25},"cancel":{"fraction":0.4,"after":{"dist":"uniform","min":0,"max":12}}}]}}`

// Endless is a scenario whose run takes too long to compute to its end: its lane visits the same timer at each
// of almost 2^62 ticks.
const Endless = `{"wheelscope":1,"until":4611686018427387000,"lanes":[{"algorithm":"rounds","slots":1}],
 "workload":{"ops":[{"at":0,"op":"schedule","timer":"far","delay":4611686018427386000}]}}`

// Straight holds all records and states of a program that an engine ran tick by tick. Tests compare them with
// the records and states of a sim.Run.
type Straight struct {
	Records []engine.Record
	States  []*engine.Snapshot // state of all lanes after each tick, indexed by tick
	Marks   []int              // for each step, the index in Records after its last record
}

// RunStraight runs p tick by tick to its end. After each tick, it calls each wheel's Check method and fails the
// test if Check returns an error.
func RunStraight(t testing.TB, p *program.Program) *Straight {
	t.Helper()
	e := Engine(t, p)
	out := &Straight{}
	for tick := int64(0); tick <= p.Until; tick++ {
		had := len(out.Records)
		out.Records = e.Tick(tick, out.Records)
		for _, m := range e.Marks {
			out.Marks = append(out.Marks, had+m)
		}
		out.States = append(out.States, e.Snapshot(wheel.AllEntries))
		for i, l := range e.Lanes {
			if err := l.Wheel.Check(); err != nil {
				t.Fatalf("tick %d, lane %s: %v", tick, p.Scenario.Lanes[i].ID, err)
			}
		}
	}
	return out
}

// SameSnapshot fails the test if got and want differ in position, states or costs. The failure message begins with
// the string what.
func SameSnapshot(t interface {
	Helper()
	Fatalf(string, ...any)
}, what string, got, want *engine.Snapshot) {
	t.Helper()
	if got.Tick != want.Tick || got.Seq != want.Seq {
		t.Fatalf("%s: at tick %d seq %d, want tick %d seq %d", what, got.Tick, got.Seq, want.Tick, want.Seq)
	}
	for i := range want.Lanes {
		g, w := &got.Lanes[i], &want.Lanes[i]
		if !g.State.Equal(&w.State) {
			t.Fatalf("%s: lane %d is at\n%+v\nwant\n%+v", what, i, g.State, w.State)
		}
		if g.Cost != w.Cost {
			t.Fatalf("%s: lane %d has cost and clock %+v, want %+v", what, i, g.Cost, w.Cost)
		}
	}
}

// OneTick returns a scenario with four lanes and the given number of timers, which are all scheduled at
// tick 0 and expire at tick 50.
func OneTick(timers int) string {
	return fmt.Sprintf(`{"wheelscope":1,"until":60,"lanes":[{"algorithm":"hierarchical","slots":8},{"algorithm":"simple","slots":64},{"algorithm":"rounds","slots":8},{"algorithm":"heap"}],
		"workload":{"generate":[{"prefix":"t","seed":5,"count":%d,"arrivals":{"dist":"constant","value":0},"delay":{"dist":"constant","value":50}}]}}`, timers)
}
