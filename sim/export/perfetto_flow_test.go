package export

import (
	"fmt"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// stop is one end of an arrow: a slice, given by its time and thread.
type stop struct {
	ts       int64
	pid, tid int
}

// paths returns the stops of each run of a timer, from its schedule to its expire event, according
// to the records of the program. The keys are lane, timer and number of the run.
func paths(t *testing.T, p *program.Program, tickMicros int64) map[string][]stop {
	t.Helper()
	e := plantest.Engine(t, p)
	all := map[string][]stop{}
	run := map[[2]int]uint32{} // number of the last schedule, by lane and timer
	for at, ok := e.Next(); ok; at, ok = e.Next() {
		for k, r := range e.Tick(at, nil) {
			timer := [2]int{int(r.Lane), int(r.ID)}
			tid := tidCalls
			switch r.Kind {
			case wheel.KindSchedule:
				run[timer] = max(r.Run, 1)
			case wheel.KindPlace, wheel.KindCascade:
				tid = tidLevels + int(r.ToLevel)
			case wheel.KindExpire:
				if r.FromLevel != wheel.NoLevel {
					tid = tidLevels + int(r.FromLevel)
				}
			default:
				continue
			}
			key := fmt.Sprintf("lane %d, timer %d, run %d", r.Lane, r.ID, run[timer])
			all[key] = append(all[key], stop{at*tickMicros + int64(k), int(r.Lane) + 1, tid})
		}
	}
	return all
}

// The file has exactly one flow for each run of a timer. A flow has one start, its first event, and
// at most one end, its last event.
func TestPerfettoHasAFlowForEachRun(t *testing.T) {
	repeats := 0
	everyScenario(t, func(t *testing.T, p *program.Program) {
		f, _ := perfettoOf(t, p)
		flows := map[[3]string][]stop{}
		ended := map[[3]string]bool{}
		for i, e := range f.TraceEvents {
			if e.Ph != "s" && e.Ph != "t" && e.Ph != "f" {
				continue
			}
			identity := [3]string{e.ID, e.Cat, e.Name}
			if start := len(flows[identity]) == 0; start != (e.Ph == "s") {
				t.Fatalf("event %d: %q of flow %v, which has %d events", i, e.Ph, identity, len(flows[identity]))
			}
			if ended[identity] {
				t.Fatalf("event %d: %q of flow %v, which has ended", i, e.Ph, identity)
			}
			ended[identity] = e.Ph == "f"
			flows[identity] = append(flows[identity], stop{e.Ts, e.Pid, e.Tid})
		}
		want := paths(t, p, int64(f.Metadata["tick_us"].(float64)))
		if len(flows) != len(want) {
			t.Errorf("%d flows, want %d: one for each run of a timer", len(flows), len(want))
		}
		began := map[stop][]stop{} // a slice begins one flow at most
		for _, path := range flows {
			began[path[0]] = path
		}
		for key, path := range want {
			if got := began[path[0]]; !slices.Equal(got, path) {
				t.Fatalf("%s: the arrows lead through %v, want %v", key, got, path)
			}
		}
		repeats += len(want) - timersOf(want, p)
	})
	if repeats == 0 {
		t.Error("no scenario has a timer with a second run")
	}
}

// timersOf counts the timers that the lanes hold at any time.
func timersOf(paths map[string][]stop, p *program.Program) int {
	n := 0
	for lane := range p.Scenario.Lanes {
		for id := 1; id <= p.Timers(); id++ {
			if len(paths[fmt.Sprintf("lane %d, timer %d, run 1", lane, id)]) > 0 {
				n++
			}
		}
	}
	return n
}
