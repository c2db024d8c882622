package program_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

func TestDefaultUntil(t *testing.T) {
	for _, c := range []struct {
		what, lanes, ops string
		want             int64
	}{
		{"nothing happens", `{"algorithm": "heap"}`, ``, 2},
		{"the last due", `{"algorithm": "heap"}`, `{"at": 3, "op": "schedule", "timer": "a", "delay": 7}`, 12},
		{"the due of a cancelled timer counts", `{"algorithm": "heap"}`, `{"at": 3, "op": "schedule", "timer": "a", "delay": 7}, {"at": 4, "op": "cancel", "timer": "a"}`, 12},
		{"the last run of a repeat", `{"algorithm": "heap"}`, `{"at": 0, "op": "schedule", "timer": "a", "delay": 5, "every": 10, "times": 4}`, 37},
		{"the last at", `{"algorithm": "heap"}`, `{"at": 3, "op": "schedule", "timer": "a", "delay": -7}`, 5},
		{"a stall's at, not its end", `{"algorithm": "heap"}`, `{"at": 3, "op": "stall", "for": 100}`, 5},
		{"the largest width of a lane", `{"algorithm": "simple", "width": 10}, {"algorithm": "rounds", "width": "25ms"}`, `{"at": 0, "op": "schedule", "timer": "a", "delay": 7}`, 57},
	} {
		p := plantest.Load(t, []byte(`{"wheelscope": 1, "lanes": [`+c.lanes+`], "workload": {"ops": [`+c.ops+`]}}`))
		if p.Until != c.want || p.Scenario.Until != c.want {
			t.Errorf("%s: until %d, want %d", c.what, p.Until, c.want)
		}
	}
}

func TestDefaultUntilHoldsGeneratedTimers(t *testing.T) {
	p := plantest.Load(t, plantest.Scenario("", `{"generate": [{`+goodGroup+`, "cancel": {"fraction": 1, "after": {"dist": "constant", "value": 20}}}]}`))
	if p.Until != 2+20+2 {
		t.Errorf("until %d: the last cancel is at 22", p.Until)
	}
}

func TestDurationsRoundUp(t *testing.T) {
	p := plantest.Load(t, plantest.Ops(`{"at": "1500us", "op": "schedule", "timer": "a", "delay": "2000001ns"},
		{"at": "2ms", "op": "schedule", "timer": "b", "delay": "-1500us", "every": "1us", "times": 2, "created": "-2500us"},
		{"at": "0s", "op": "clock", "by": "-1ns"}`))
	a, b, clock := p.Scenario.Ops[0], p.Scenario.Ops[1], p.Scenario.Ops[2]
	if a.At != 2 || a.Delay != 3 || b.At != 2 || b.Delay != -1 || b.Every != 1 || b.Created != -2 || clock.Amount != 0 {
		t.Errorf("%+v %+v %+v", a, b, clock)
	}
}

// planned returns the plan as text, one operation per element.
func planned(p *program.Program) []string {
	var list []string
	for _, op := range p.Ops {
		word := fmt.Sprintf("%d %s", op.At, op.Kind)
		if op.ID != 0 {
			word += fmt.Sprintf(" %s=%d", p.Name(op.ID), op.ID)
		}
		if op.Target != 0 {
			word += fmt.Sprintf(" →%d", op.Target)
		}
		list = append(list, word)
	}
	return list
}

func wantPlan(t *testing.T, p *program.Program, want ...string) {
	t.Helper()
	if got := planned(p); !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

func TestOpsRunByTickThenInFileOrder(t *testing.T) {
	p := plantest.Load(t, plantest.Ops(`{"at": 5, "op": "schedule", "timer": "late", "delay": 1}, {"at": 0, "op": "schedule", "timer": "b", "delay": 9},
		{"at": 5, "op": "cancel", "timer": "b"}, {"at": 0, "op": "schedule", "timer": "a", "delay": 9}, {"at": 5, "op": "stall", "for": 2}`))
	wantPlan(t, p, "0 schedule b=1", "0 schedule a=2", "5 schedule late=3", "5 cancel →1", "5 stall")
	if p.Timers() != 3 {
		t.Errorf("%d timers", p.Timers())
	}
}

func TestGroupsFollowOpsInFileOrder(t *testing.T) {
	at0 := `"arrivals": {"dist": "constant", "value": 0}, "delay": {"dist": "constant", "value": 5}`
	p := plantest.Load(t, plantest.Scenario("", `{"generate": [
		{"prefix": "b", "count": 2, `+at0+`, "cancel": {"fraction": 1, "after": {"dist": "constant", "value": 0}}},
		{"prefix": "a", "count": 1, `+at0+`}],
		"ops": [{"at": 0, "op": "schedule", "timer": "z", "delay": 1}]}`))
	wantPlan(t, p, "0 schedule z=1", "0 schedule b0=2", "0 cancel →2", "0 schedule b1=3", "0 cancel →3", "0 schedule a0=4")
}

func TestGeneratedPastUntilDoesNotHappen(t *testing.T) {
	p := plantest.Load(t, plantest.Scenario(`"until": 5`, `{"generate": [{"prefix": "c", "count": 4, "arrivals": {"dist": "constant", "every": 2},
		"delay": {"dist": "constant", "value": 100}, "cancel": {"fraction": 1, "after": {"dist": "constant", "value": 3}}}]}`))
	wantPlan(t, p, "0 schedule c0=1", "2 schedule c1=2", "3 cancel →1", "4 schedule c2=3", "5 cancel →2")
}

// TestLiveNames checks that a name is live from its schedule until the due tick of its last run.
func TestLiveNames(t *testing.T) {
	again := func(at int) string { return fmt.Sprintf(`{"at": %d, "op": "schedule", "timer": "a", "delay": 1}`, at) }
	for _, c := range []struct {
		what, first string
		at          int
		live        string // in the error; "" if the name is free
	}{
		{"before its due", `{"at": 2, "op": "schedule", "timer": "a", "delay": 5}`, 6, "until tick 7 by workload.ops[0]"},
		{"at its due", `{"at": 2, "op": "schedule", "timer": "a", "delay": 5}`, 7, ""},
		{"no delay", `{"at": 2, "op": "schedule", "timer": "a", "delay": 0}`, 2, ""},
		{"a negative delay", `{"at": 2, "op": "schedule", "timer": "a", "delay": -9}`, 2, ""},
		{"a negative delay that repeats", `{"at": 2, "op": "schedule", "timer": "a", "delay": -1, "every": 5, "times": 2}`, 5, "until tick 6 by"},
		{"before the last run", `{"at": 0, "op": "schedule", "timer": "a", "delay": 5, "every": 10, "times": 3}`, 24, "until tick 25 by"},
		{"at the last run", `{"at": 0, "op": "schedule", "timer": "a", "delay": 5, "every": 10, "times": 3}`, 25, ""},
		{"for ever", `{"at": 0, "op": "schedule", "timer": "a", "delay": 5, "every": 10}`, 90, "for ever, until it is cancelled by"},
		{"for ever, cancelled", `{"at": 0, "op": "schedule", "timer": "a", "delay": 5, "every": 10}, {"at": 7, "op": "cancel", "timer": "a"}`, 7, ""},
		{"set over a live one", `{"at": 0, "op": "schedule", "timer": "a", "delay": 5}, {"at": 1, "op": "set", "timer": "a", "delay": 9}`, 9, "until tick 10 by workload.ops[1]"},
		{"reset to an earlier due", `{"at": 0, "op": "schedule", "timer": "a", "delay": 50}, {"at": 1, "op": "reset", "timer": "a", "delay": 2}`, 3, ""},
		{"cancelled at the same tick", `{"at": 0, "op": "schedule", "timer": "a", "delay": 50}, {"at": 8, "op": "cancel", "timer": "a"}`, 8, ""},
		{"after the last run cancelled", `{"at": 0, "op": "schedule", "timer": "a", "delay": 5}, {"at": 9, "op": "cancel", "timer": "a"}`, 9, ""},
	} {
		_, err := program.Load(plantest.Scenario(`"until": 100`, `{"ops": [`+c.first+", "+again(c.at)+`]}`))
		switch {
		case c.live == "" && err != nil:
			t.Errorf("%s: %v", c.what, err)
		case c.live != "" && (err == nil || !strings.Contains(err.Error(), "live "+c.live)):
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

func TestTargetIsTheNewestId(t *testing.T) {
	p := plantest.Load(t, plantest.Ops(`{"at": 0, "op": "set", "timer": "a", "delay": 5}, {"at": 1, "op": "set", "timer": "a", "delay": 5},
		{"at": 2, "op": "reset", "timer": "a", "delay": 1}, {"at": 9, "op": "schedule", "timer": "a", "delay": 5},
		{"at": 10, "op": "cancel", "timer": "a"}, {"at": 11, "op": "cancel", "timer": "a"}, {"at": 12, "op": "reset", "timer": "a", "delay": 3}`))
	wantPlan(t, p, "0 set a=1", "1 set a=2 →1", "2 reset a=3 →2", "9 schedule a=4", "10 cancel →4", "11 cancel →4", "12 reset a=5 →4")
}

// TestLiveNamesAcrossGroups checks that the names of groups follow the same rules, even if two
// groups can make the same name.
func TestLiveNamesAcrossGroups(t *testing.T) {
	group := func(prefix string, count, at, delay int) string {
		return fmt.Sprintf(`{"prefix": %q, "count": %d, "arrivals": {"dist": "constant", "value": %d}, "delay": {"dist": "constant", "value": %d}}`, prefix, count, at, delay)
	}
	for _, c := range []struct{ what, ops, groups, want string }{
		{"a written name in a group", `{"at": 0, "op": "schedule", "timer": "c1", "delay": 9}`, group("c", 3, 4, 9),
			`workload.generate[0].prefix: "c1" is scheduled at tick 4 but live until tick 9 by workload.ops[0];`},
		{"a group's name written", `{"at": 7, "op": "schedule", "timer": "c2", "delay": 9}`, group("c", 3, 4, 9),
			`workload.ops[0].timer: "c2" is scheduled at tick 7 but live until tick 13 by workload.generate[0];`},
		{"the same prefix twice", "", group("c", 3, 0, 9) + "," + group("c", 1, 4, 9),
			`workload.generate[1].prefix: "c0" is scheduled at tick 4 but live until tick 9 by workload.generate[0];`},
		{"one prefix goes on with a digit", "", group("c1", 3, 0, 9) + "," + group("c", 12, 4, 9),
			`workload.generate[1].prefix: "c10" is scheduled at tick 4 but live until tick 9 by workload.generate[0];`},
		{"the same, the other way round", "", group("c", 12, 0, 9) + "," + group("c1", 3, 4, 9),
			`workload.generate[1].prefix: "c10" is scheduled at tick 4 but live until tick 9 by workload.generate[0];`},
		{"a cancel before its group's timer", `{"at": 3, "op": "cancel", "timer": "c0"}`, group("c", 3, 4, 9),
			`workload.ops[0].timer: "c0" is never scheduled before this cancel at tick 3`},
		{"past the group's count", `{"at": 5, "op": "cancel", "timer": "c3"}`, group("c", 3, 4, 9), `workload.ops[0].timer: "c3" is never scheduled`},
		{"a leading zero", `{"at": 5, "op": "cancel", "timer": "c01"}`, group("c", 3, 4, 9), `workload.ops[0].timer: "c01" is never scheduled`},
	} {
		_, err := program.Load(plantest.Scenario("", `{"ops": [`+c.ops+`], "generate": [`+c.groups+`]}`))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s:\n got %v\nwant %s", c.what, err, c.want)
		}
	}
	p := plantest.Load(t, plantest.Scenario("", `{"ops": [{"at": 5, "op": "cancel", "timer": "c1"}, {"at": 30, "op": "reset", "timer": "c10", "delay": 1}],
		"generate": [`+group("c", 2, 4, 9)+","+group("c", 11, 20, 9)+","+group("c1", 1, 40, 9)+`]}`))
	if got := planned(p); got[2] != "5 cancel →2" || got[len(got)-2] != "30 reset c10=14 →13" || got[len(got)-1] != "40 schedule c10=15" {
		t.Errorf("%q", got)
	}
}

func TestStallsMerge(t *testing.T) {
	for _, c := range []struct {
		what, ops string
		want      [][2]int64
	}{
		{"none", ``, nil},
		{"one", `{"at": 3, "op": "stall", "for": 4}`, [][2]int64{{4, 6}}},
		{"of one tick", `{"at": 3, "op": "stall", "for": 1}`, nil},
		{"apart", `{"at": 9, "op": "stall", "for": 2}, {"at": 3, "op": "stall", "for": 3}`, [][2]int64{{4, 5}, {10, 10}}},
		{"from the end of one", `{"at": 3, "op": "stall", "for": 3}, {"at": 6, "op": "stall", "for": 3}`, [][2]int64{{4, 5}, {7, 8}}},
		{"overlapping", `{"at": 3, "op": "stall", "for": 5}, {"at": 6, "op": "stall", "for": 5}`, [][2]int64{{4, 10}}},
		{"in the last tick of one", `{"at": 3, "op": "stall", "for": 3}, {"at": 5, "op": "stall", "for": 3}`, [][2]int64{{4, 7}}},
		{"within one", `{"at": 3, "op": "stall", "for": 9}, {"at": 5, "op": "stall", "for": 2}`, [][2]int64{{4, 11}}},
		{"to until", `{"at": 15, "op": "stall", "for": 5}`, [][2]int64{{16, 19}}},
		{"past until", `{"at": 15, "op": "stall", "for": 6}`, [][2]int64{{16, 20}}},
		{"far past until", `{"at": 15, "op": "stall", "for": 4611686018427387903}`, [][2]int64{{16, 20}}},
		{"at until", `{"at": 20, "op": "stall", "for": 6}`, nil},
	} {
		p := plantest.Load(t, plantest.Scenario(`"until": 20`, `{"ops": [`+c.ops+`]}`))
		if !reflect.DeepEqual(p.Stalls, c.want) {
			t.Errorf("%s: %v, want %v", c.what, p.Stalls, c.want)
		}
	}
}

// TestEndlessRepeatPastAllTicks checks that the error is reported for the field that can be
// changed: no until makes room for a repeat that is longer than all ticks.
func TestEndlessRepeatPastAllTicks(t *testing.T) {
	const every = `{"ops": [{"at": 0, "op": "schedule", "timer": "a", "delay": 1, "every": 7}, {"at": 1, "op": "schedule", "timer": "b", "delay": 1, "every": %d}]}`
	for _, c := range []struct {
		until, every int64
		want         string
	}{
		{5, wheel.TickMax - 8, ""},
		{5, wheel.TickMax - 7, "until: 5 is too large; expected at most 4: "},
		{5, wheel.TickMax - 3, "until: 5 is too large; expected at most 0: "},
		{5, wheel.TickMax - 2, "workload.ops[1].every: 4611686018427387901 is too large; expected at most 4611686018427387895: start + until + every"},
		{5, wheel.TickMax, "workload.ops[1].every: 4611686018427387903 is too large; expected at most 4611686018427387895: start + until + every"},
		{wheel.TickMax - 3, wheel.TickMax, "until: 4611686018427387900 is too large; expected at most 0: "},
	} {
		_, err := program.Load(plantest.Scenario(fmt.Sprintf(`"start": 3, "until": %d`, c.until), fmt.Sprintf(every, c.every)))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("until %d, every %d: %v, want %q", c.until, c.every, err, c.want)
		}
	}
}
