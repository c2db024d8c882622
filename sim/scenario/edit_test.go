package scenario_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

func TestWithOp(t *testing.T) {
	p := plantest.Load(t, plantest.Scenario(`"until": 20`, `{"ops": [{"at": 0, "op": "schedule", "timer": "a", "delay": 5}]}`))
	before := string(p.Scenario.AppendJSON(nil))
	for _, c := range []struct {
		op    string
		at    int64
		until int64
	}{
		{`{"op": "schedule", "timer": "b", "delay": 5}`, 3, 20},
		{`{"op": "schedule", "timer": "b", "delay": 17}`, 3, 20},
		{`{"op": "schedule", "timer": "b", "delay": 18}`, 3, 23},
		{`{"op": "schedule", "timer": "b", "delay": "1s"}`, 3, 1005},
		{`{"op": "schedule", "timer": "b", "delay": 5, "every": 10, "times": 3}`, 3, 30},
		{`{"op": "schedule", "timer": "b", "delay": 5, "every": 10}`, 3, 20},
		{`{"op": "cancel", "timer": "a"}`, 3, 20},
		{`{"op": "reset", "timer": "a", "delay": 30}`, 20, 52},
	} {
		op, err := p.Scenario.DecodeOp([]byte(c.op), c.at)
		if err != nil {
			t.Fatal(err)
		}
		edited, err := program.Plan(p.Scenario.WithOp(op))
		if err != nil {
			t.Fatalf("%s: %v", c.op, err)
		}
		if edited.Until != c.until || len(edited.Scenario.Ops) != 2 || edited.Ops[1].At != c.at {
			t.Errorf("%s: until %d with %d operations, want until %d", c.op, edited.Until, len(edited.Scenario.Ops), c.until)
		}
	}
	if after := string(p.Scenario.AppendJSON(nil)); after != before || len(p.Ops) != 1 {
		t.Errorf("the edits changed the scenario: %s", after)
	}
}

// TestWithOpShareNothing checks that two edits of one scenario do not share operations in memory.
func TestWithOpShareNothing(t *testing.T) {
	s := plantest.Load(t, plantest.Ops("")).Scenario
	for _, name := range []string{"x", "y", "z"} {
		s = s.WithOp(scenario.Op{Kind: scenario.OpSchedule, Timer: name, Delay: 3})
	}
	a, b := s.WithOp(scenario.Op{Kind: scenario.OpSchedule, Timer: "a", Delay: 1}), s.WithOp(scenario.Op{Kind: scenario.OpSchedule, Timer: "b", Delay: 1})
	if a.Ops[3].Timer != "a" || b.Ops[3].Timer != "b" {
		t.Errorf("%+v %+v", a.Ops[3], b.Ops[3])
	}
}

func TestWithOpIsChecked(t *testing.T) {
	s := plantest.Load(t, plantest.Scenario(`"until": 20`, `{"ops": [{"at": 0, "op": "schedule", "timer": "a", "delay": 5}]}`)).Scenario
	for _, c := range []struct {
		op   scenario.Op
		want string
	}{
		{scenario.Op{At: 3, Kind: scenario.OpSchedule, Timer: "a", Delay: 1}, `workload.ops[1].timer: "a" is scheduled at tick 3 but live until tick 5 by workload.ops[0];`},
		{scenario.Op{At: 3, Kind: scenario.OpCancel, Timer: "b"}, `workload.ops[1].timer: "b" is never scheduled`},
		{scenario.Op{At: 21, Kind: scenario.OpCancel, Timer: "a"}, "workload.ops[1].at: 21 is not a tick between 0 and 20 (until)"},
		{scenario.Op{At: 3, Kind: scenario.OpSchedule, Timer: "b", Delay: wheel.TickMax}, "workload.ops[1].delay: "},
		{scenario.Op{At: 3, Kind: scenario.OpSchedule, Timer: "b", Delay: 1, Every: 2}, "workload.ops[1].times: 0 is not −1"},
		{scenario.Op{At: 3, Kind: scenario.OpSchedule, Timer: "b", Delay: 1, Times: 2}, "workload.ops[1].every: 0 is not"},
		{scenario.Op{At: 3, Kind: scenario.OpSchedule, Timer: "\xff", Delay: 1}, "workload.ops[1].timer: "},
		{scenario.Op{At: 3, Timer: "b"}, "workload.ops[1].op: "},
	} {
		_, err := program.Plan(s.WithOp(c.op))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("\n got %v\nwant %s", err, c.want)
		}
	}
	var input *scenario.InputError
	_, err := program.Plan(s.WithOp(scenario.Op{At: 3, Kind: scenario.OpCancel, Timer: "b"}))
	if !errors.As(err, &input) || input.Under("workload.ops[1]").Path != "timer" || input.Under("workload.ops[0]").Path != "workload.ops[1].timer" {
		t.Errorf("computed from the operation: %+v", input)
	}
}

func TestWithLanes(t *testing.T) {
	s := plantest.Load(t, plantest.Ops(`{"at": 0, "op": "schedule", "timer": "a", "delay": 5}`)).Scenario
	lane, err := s.DecodeLane([]byte(`{"algorithm": "simple", "width": "3ms"}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := program.Plan(s.WithLanes(append(s.Lanes[:1:1], lane)))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"id":"simple","algorithm":"simple","slots":64,"width":3,"overflow":"reject"}`
	if got := string(p.Scenario.AppendJSON(nil)); !strings.Contains(got, want) || len(s.Lanes) != 1 || p.Until != 7 {
		t.Errorf("%s, until %d, %d lanes before", got, p.Until, len(s.Lanes))
	}
	if _, err := program.Plan(s.WithLanes([]scenario.LaneSpec{lane, lane})); err == nil || !strings.HasPrefix(err.Error(), `lanes[1].id: "simple" is the id of lanes[0] too`) {
		t.Error(err)
	}
	if _, err := program.Plan(s.WithLanes(nil)); err == nil {
		t.Error("a scenario without lanes")
	}
	if _, err := program.Plan(s.WithLanes([]scenario.LaneSpec{{ID: "x", Algorithm: "sundial"}})); err == nil || !strings.HasPrefix(err.Error(), "lanes[0].algorithm: ") {
		t.Error(err)
	}
}

func TestDecodeOpReportsPathsFromTheObject(t *testing.T) {
	s := plantest.Load(t, plantest.Scenario(`"start": 10`, `{}`)).Scenario
	for data, want := range map[string]string{
		``:                   "line 1: the text is empty",
		`{"op": "schedule"}`: "timer: missing",
		`{"op": "jump"}`:     `op: "jump" is not one of`,
		`{"op": "cancel", "timer": "a", "at": 5}`:                              "at: unknown field; the operation happens at tick 7",
		`{"op": "cancel", "timer": ""}`:                                        `timer: "" is not the name of a timer`,
		`{"op": "schedule", "timer": "a", "delay": "x"}`:                       `delay: "x" is not a duration`,
		`{"op": "schedule", "timer": "a", "delay": 4611686018427387900}`:       "delay: 4611686018427387900 makes it due past",
		`{"op": "schedule", "timer": "a", "delay": 1, "every": 5, "times": 0}`: "times: 0 is not",
		`{"op": "schedule", "timer": "a", "delay": 1, "wat": 5}`:               "wat: unknown field",
		`[]`: "line 1: a list is not an object",
	} {
		if _, err := s.DecodeOp([]byte(data), 7); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s:\n got %v\nwant %s", data, err, want)
		}
	}
	op, err := s.DecodeOp([]byte(`{"op": "reset", "timer": "a", "delay": "5ms", "every": 2, "times": 9}`), 7)
	if want := (scenario.Op{At: 7, Kind: scenario.OpReset, Timer: "a", Delay: 5, Every: 2, Times: 9}); err != nil || op != want {
		t.Errorf("%+v, %v", op, err)
	}
}

func TestDecodeLaneReportsPathsFromTheObject(t *testing.T) {
	s := plantest.Load(t, plantest.Ops("")).Scenario
	for data, want := range map[string]string{
		`{`:                                     "line 1: not JSON",
		`{}`:                                    "algorithm: missing",
		`{"algorithm": "simple", "slots": 0}`:   "slots: 0 is not",
		`{"algorithm": "simple", "slots": "x"}`: `slots: "x" is not`,
		`{"algorithm": "hierarchical", "slots": [3,0]}`: "slots[1]: 0 is not",
		`{"algorithm": "heap", "arity": 3}`:             "arity: 3 is not",
		`{"algorithm": "heap", "id": ""}`:               `id: "" is not a name`,
	} {
		if _, err := s.DecodeLane([]byte(data)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s:\n got %v\nwant %s", data, err, want)
		}
	}
}
