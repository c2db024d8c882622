package script_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/own/script"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/simtest"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

func readSource(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// workload has timers near and far, repeats, cancels in every state, resets, a stall, and times without a timer.
const workload = `{"ops":[
  {"at":0,"op":"schedule","timer":"a","delay":3},{"at":0,"op":"schedule","timer":"now","delay":0},
  {"at":1,"op":"schedule","timer":"beat","delay":2,"every":5,"times":9},{"at":2,"op":"schedule","timer":"two","delay":9,"every":1,"times":3},
  {"at":4,"op":"reset","timer":"a","delay":40},{"at":6,"op":"cancel","timer":"now"},{"at":20,"op":"stall","for":13},{"at":25,"op":"set","timer":"late","delay":6},
  {"at":400,"op":"schedule","timer":"alone","delay":30},{"at":401,"op":"cancel","timer":"alone"},{"at":470,"op":"schedule","timer":"again","delay":70}],
 "generate":[{"prefix":"g","seed":3,"count":150,"arrivals":{"dist":"uniform","min":0,"max":200},"delay":{"dist":"uniform","min":0,"max":90},
  "cancel":{"fraction":0.4,"after":{"dist":"uniform","min":0,"max":60}},"reset":{"fraction":0.2,"every":{"dist":"uniform","min":1,"max":30}}}]}`

// load returns the program with a lane of the source beside the oracle's.
func load(t testing.TB, source, params, workload string) *program.Program {
	t.Helper()
	return loadUntil(t, 600, source, params, workload)
}

func loadUntil(t testing.TB, until int64, source, params, workload string) *program.Program {
	t.Helper()
	text, err := json.Marshal(source)
	if err != nil {
		t.Fatal(err)
	}
	p, err := program.Load([]byte(`{"wheelscope":1,"until":` + strconv.FormatInt(until, 10) + `,"start":77,"lanes":[{"algorithm":"sorted"},{"id":"mine","algorithm":"own"` + params + `,"source":` + string(text) + `}],"workload":` + workload + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func trace(t testing.TB, p *program.Program) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := tracefile.Write(context.Background(), &out, p, tracefile.Options{}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A right wheel fires what the oracle's lane fires, its events fold to its state, and a trace is repeated byte for byte.
func TestOwnLane(t *testing.T) {
	for _, c := range []struct{ source, params string }{{"rounds.js", ""}, {"hierarchical.js", `,"slots":4,"levels":4`}} {
		p := load(t, readSource(t, c.source), c.params, workload)
		e, err := engine.NewEngine(p)
		if err != nil {
			t.Fatal(err)
		}
		var outcomes [2][]engine.Outcome
		lane := e.Lane(1)
		var state wheel.State
		lane.Wheel.AppendState(&state, wheel.AllEntries)
		fold := wheel.NewFold(&state)
		e.KeepEvents(true)
		cascades := 0
		for tick, ok := e.Next(); ok; tick, ok = e.Next() {
			for _, r := range e.Tick(tick, nil) {
				if o, ok := engine.OutcomeOf(&r); ok {
					outcomes[r.Lane] = append(outcomes[r.Lane], o)
				}
				if r.Lane == 0 {
					continue
				}
				if r.Kind == wheel.KindCascade {
					cascades++
				}
				if err := fold.Apply(p.Start+r.Tick, &r.Event); err != nil {
					t.Fatalf("%s: tick %d: %v", c.source, r.Tick, err)
				}
			}
			if err := lane.Wheel.Check(); err != nil {
				t.Fatalf("%s: tick %d: %v", c.source, tick, err)
			}
			got, want := fold.State(wheel.AllEntries), lane.Snapshot(wheel.AllEntries).State
			if !got.Equal(&want) {
				t.Fatalf("%s: tick %d: the events fold to\n%+v\nand the state is\n%+v", c.source, tick, got, want)
			}
		}
		if err := e.Err(); err != nil {
			t.Fatal(err)
		}
		if !engine.AllAlike(outcomes[:]) || len(outcomes[1]) < 100 || lane.Stats().Late != e.Lane(0).Stats().Late || lane.Stats().Early > 0 {
			t.Errorf("%s: %d outcomes, the oracle has %d; %+v", c.source, len(outcomes[1]), len(outcomes[0]), lane.Stats())
		}
		if (cascades > 0) != (c.source == "hierarchical.js") {
			t.Errorf("%s: %d cascades", c.source, cascades)
		}
		simtest.Golden(t, p.Scenario.AppendJSON(nil), "testdata/"+strings.TrimSuffix(c.source, ".js")+".jsonl.gz")
		first := trace(t, p)
		if again := trace(t, load(t, readSource(t, c.source), c.params, workload)); !bytes.Equal(first, again) {
			t.Errorf("%s: two runs differ", c.source)
		}
		if _, err := tracefile.Verify(context.Background(), bytes.NewReader(first), tracefile.Options{}); err != nil {
			t.Errorf("%s: %v", c.source, err)
		}
	}
}

// A session seeks in the answers: the source runs once for each program, also when an operation is added.
func TestOwnRunsOnce(t *testing.T) {
	starts := 0
	defer engine.RecordOwnWith(func(ctx context.Context, p *program.Program, i int) (*recorded.Log, error) {
		starts++
		return script.Record(ctx, p, i)
	})()
	store := sim.NewStore(sim.StoreOptions{Sizes: sim.Sizes{ChunkEvents: 50, CheckpointCost: 400}})
	defer store.Close()
	p := load(t, readSource(t, "hierarchical.js"), `,"slots":4,"levels":4`, workload)
	run, err := store.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Wait(t.Context(), p.Until); err != nil {
		t.Fatal(err)
	}
	straight := func(p *program.Program, to int64) *engine.Snapshot {
		e, err := engine.NewEngine(p)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.RunTo(to); err != nil {
			t.Fatal(err)
		}
		return e.Snapshot(wheel.AllEntries)
	}
	compare := func(run *sim.Run, p *program.Program) {
		for _, tick := range []int64{500, 3, 499, 130, 0, 64, 63, 201, 600, 24, 33} {
			e, err := run.EngineAt(t.Context(), tick)
			if err != nil {
				t.Fatal(err)
			}
			got, want := e.Snapshot(wheel.AllEntries), straight(p, tick)
			run.Leave(e)
			for i := range got.Lanes {
				if !got.Lanes[i].State.Equal(&want.Lanes[i].State) || got.Lanes[i].Cost.Total != want.Lanes[i].Cost.Total {
					t.Errorf("tick %d, lane %d:\n%+v, want\n%+v", tick, i, got.Lanes[i].State, want.Lanes[i].State)
				}
			}
		}
	}
	compare(run, p)
	if starts != 1 {
		t.Errorf("the source ran %d times", starts)
	}
	// What would happen to another timer is not known.
	if f, err := run.Futures(t.Context(), 100, []int64{5}); err != nil || f[0][0].Kind != wheel.KindPlace || f[1][0].Kind != wheel.KindFinding {
		t.Errorf("%+v, %v", f, err)
	}
	more := strings.Replace(workload, `{"at":400`, `{"at":128,"op":"schedule","timer":"new","delay":100},{"at":400`, 1)
	q := load(t, readSource(t, "hierarchical.js"), `,"slots":4,"levels":4`, more)
	fork, err := store.Fork(t.Context(), run, q)
	if err != nil {
		t.Fatal(err)
	}
	if err := fork.Wait(t.Context(), q.Until); err != nil {
		t.Fatal(err)
	}
	compare(fork, q)
	if starts != 2 {
		t.Errorf("the source ran %d times for two programs", starts)
	}
}

// A source that fails gives one line and no run.
func TestOwnFails(t *testing.T) {
	wheelOf := func(schedule, advance string) string {
		return "function create() { return {schedule() { " + schedule + " }, cancel() { return true }, advance() { " + advance + " }} }"
	}
	for _, c := range []struct{ source, want string }{
		{"function create( {", "SyntaxError: wheel.js: Line 1:19 Unexpected end of input (and 4 more errors)"},
		{"let a", "wheel.js: there is no function create(start, params)"},
		{wheelOf("for (;;);", ""), "schedule(1, 80): no answer after 1s"},
		{wheelOf("throw new Error('no')", ""), "schedule(1, 80): Error: no at schedule (wheel.js:1:48(3))"},
		{wheelOf("", ""), "schedule(1, 80): it returned undefined; expected true or false"},
		{wheelOf("return true", ""), "advance(78): it returned undefined; expected the keys that fired, such as [1, 2]"},
		{wheelOf("return true", "return [1.5]"), "advance(78): it returned the key 1.5, which was never scheduled"},
		{wheelOf("return true", "return [999]"), "it fired timer 999, which was never scheduled"},
		{"function create() { return {schedule() { return true }, cancel() { return true }, advance() { return [] }, layout() { return [] }, place() {}} }", "layout() returned 0 levels; expected 1 to 8"},
		{"function create() { return {schedule() { return true }, cancel() { return true }, advance() { return [] }, layout() { return [{slots: 4, width: 1}] }, place() { return {level: 0, slot: 4} }} }", "place(1) returned slot 4 of level 0, which its layout does not have"},
	} {
		_, err := engine.NewEngine(load(t, c.source, "", workload))
		if want := "lanes[1].source: the wheel of lane \"mine\" failed: " + c.want; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	undo := engine.RecordOwnWith(nil)
	defer undo()
	if _, err := engine.NewEngine(load(t, wheelOf("", ""), "", workload)); err == nil || !strings.Contains(err.Error(), "use the command line") {
		t.Error(err)
	}
}

// A wheel that is wrong is shown as it is: late timers are late, and those that nobody waits for are findings.
func TestOwnWrong(t *testing.T) {
	source := strings.Replace(readSource(t, "rounds.js"), "(due - now - 1)", "(due - now)", 1)
	source = strings.Replace(source, "slots[timer.slot].splice(slots[timer.slot].indexOf(timer), 1);", "", 1)
	e, err := engine.NewEngine(load(t, source, "", `{"ops":[{"at":0,"op":"schedule","timer":"a","delay":8},{"at":0,"op":"schedule","timer":"b","delay":9},{"at":2,"op":"cancel","timer":"b"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	e.KeepEvents(true)
	for tick, ok := e.Next(); ok; tick, ok = e.Next() {
		for _, r := range e.Tick(tick, nil) {
			if r.Lane == 1 && (r.Kind == wheel.KindExpire || r.Kind == wheel.KindFinding) {
				got = append(got, fmt.Sprintf("%d %v %s %d", r.Tick, r.Kind, wheel.CodeName(r.Code), r.ID))
			}
		}
	}
	if want := "[9 finding revived 2 16 expire  1]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

func BenchmarkOwnLane(b *testing.B) {
	source := readSource(b, "rounds.js")
	for b.Loop() {
		p := loadUntil(b, 40_000, source, `,"slots":256`, `{"generate":[{"prefix":"conn","seed":7,"count":10000,"arrivals":{"dist":"poisson","rate":"500/s"},"delay":{"dist":"exponential","mean":"2s","max":"30s"},"cancel":{"fraction":0.5,"after":{"dist":"uniform","min":0,"max":"1s"}}}]}`)
		if _, err := engine.NewEngine(p); err != nil {
			b.Fatal(err)
		}
	}
}
