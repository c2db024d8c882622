package program_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// planDigest returns the SHA-256 of a program's operations, field by field.
func planDigest(p *program.Program) string {
	h := sha256.New()
	for i := range p.Ops {
		op := &p.Ops[i]
		binary.Write(h, binary.LittleEndian, []int64{op.At, op.Delay, op.Every, op.Created, int64(op.Times), int64(op.ID), int64(op.Target), int64(op.Kind)})
		if op.ID != 0 {
			h.Write([]byte(p.Name(op.ID)))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// TestGeneratedWorkloadsArePinned checks that generated workloads are the same on every machine
// and in every release. A change here breaks every trace ever written.
func TestGeneratedWorkloadsArePinned(t *testing.T) {
	for _, c := range []struct{ what, groups, want string }{
		{"the contract's example", `{"prefix": "conn", "seed": 7, "count": 1000, "arrivals": {"dist": "poisson", "rate": "200/s"},
			"delay": {"dist": "exponential", "mean": "2s", "max": "30s"}, "cancel": {"fraction": 0.9, "after": {"dist": "uniform", "min": 0, "max": "1s"}}}`,
			"cb82f483960413ea257a15068aab811dd531e19c429f6b123c206195c3d0e5bb"},
		{"every distribution", `{"prefix": "a", "seed": 1, "count": 300, "arrivals": {"dist": "uniform", "min": 5, "max": "2s"}, "delay": {"dist": "pareto", "min": "3ms", "alpha": 1.16, "max": "1h"}},
			{"prefix": "b", "seed": 18446744073709551615, "count": 300, "arrivals": {"dist": "exponential", "mean": 70}, "delay": {"dist": "choice", "values": [1, "20ms", 300], "weights": [5, 3, 1]}},
			{"prefix": "c", "count": 300, "arrivals": {"dist": "pareto", "min": 1, "alpha": 0.5, "max": 9000}, "delay": {"dist": "constant", "value": 8}, "every": 9, "times": 4},
			{"prefix": "d", "seed": 3, "count": 300, "arrivals": {"dist": "choice", "values": [0, 1000]}, "delay": {"dist": "uniform", "min": 0, "max": 63},
			 "cancel": {"fraction": 0.333333, "after": {"dist": "pareto", "min": 1, "alpha": 2, "max": 50}}}`,
			"8d720c747c0d1bd0dacd0d6b79cc81776c0ecdaf3b1e74145af9c8a34e42f9f2"},
		{"a poisson by ticks", `{"prefix": "p", "seed": 42, "count": 5000, "arrivals": {"dist": "poisson", "rate": "3/tick"}, "delay": {"dist": "exponential", "mean": 1000}}`,
			"cf8c06d853038a19a9e5db400bd0242a7964b164795d7d990dc7c9c1214f9117"},
	} {
		p := plantest.Load(t, plantest.Scenario("", `{"generate": [`+c.groups+`]}`))
		if got := planDigest(p); got != c.want {
			t.Errorf("%s: SHA-256 %s, want %s", c.what, got, c.want)
		}
	}
}

// TestGroupsDrawAlone checks that a group's draws depend on its own seed and prefix only.
func TestGroupsDrawAlone(t *testing.T) {
	group := func(prefix string, seed int) string {
		return fmt.Sprintf(`{"prefix": %q, "seed": %d, "count": 50, "arrivals": {"dist": "poisson", "rate": "100/s"}, "delay": {"dist": "uniform", "min": 0, "max": 1000000}}`, prefix, seed)
	}
	draws := func(groups ...string) map[string][2]int64 {
		p := plantest.Load(t, plantest.Scenario("", `{"generate": [`+strings.Join(groups, ",")+`]}`))
		drawn := map[string][2]int64{}
		for _, op := range p.Ops {
			drawn[p.Name(op.ID)] = [2]int64{op.At, op.Delay}
		}
		return drawn
	}
	alone := draws(group("a", 1))
	both := draws(group("b", 1), group("a", 1), group("c", 1))
	for name, want := range alone {
		if both[name] != want {
			t.Errorf("%s: %v beside others, %v alone", name, both[name], want)
		}
	}
	if reflect.DeepEqual(alone, draws(group("a", 2))) {
		t.Error("another seed draws the same")
	}
	if both["a7"] == both["b7"] {
		t.Error("another prefix draws the same")
	}
}

// TestCancelFraction checks that a larger fraction only cancels more timers. Those cancelled with
// a smaller fraction are cancelled at the same tick.
func TestCancelFraction(t *testing.T) {
	cancels := func(fraction string) map[uint32]int64 {
		p := plantest.Load(t, plantest.Scenario("", `{"generate": [{"prefix": "c", "seed": 5, "count": 2000, "arrivals": {"dist": "constant", "value": 0}, "delay": {"dist": "constant", "value": 500},
			"cancel": {"fraction": `+fraction+`, "after": {"dist": "uniform", "min": 1, "max": 400}}}]}`))
		list := map[uint32]int64{}
		for _, op := range p.Ops {
			if op.Kind == scenario.OpCancel {
				list[op.Target] = op.At
			}
		}
		return list
	}
	if n := len(cancels("0")); n != 0 {
		t.Errorf("fraction 0 cancels %d", n)
	}
	if n := len(cancels("1")); n != 2000 {
		t.Errorf("fraction 1 cancels %d of 2000", n)
	}
	few, many := cancels("0.2"), cancels("0.6")
	if len(few) < 300 || len(few) > 500 || len(many) < 1100 || len(many) > 1300 {
		t.Errorf("0.2 cancels %d and 0.6 cancels %d of 2000", len(few), len(many))
	}
	for id, at := range few {
		if many[id] != at {
			t.Errorf("timer %d is cancelled at %d with 0.2, at %d with 0.6", id, at, many[id])
		}
	}
}

func TestGeneratedRepeats(t *testing.T) {
	p := plantest.Load(t, plantest.Scenario("", `{"generate": [{"prefix": "c", "count": 2, "every": "10ms", "times": 3, "arrivals": {"dist": "constant", "every": 1}, "delay": {"dist": "constant", "value": 5}}]}`))
	if p.Ops[1].Every != 10 || p.Ops[1].Times != 3 || p.Until != 1+5+20+2 {
		t.Errorf("%+v until %d", p.Ops[1], p.Until)
	}
	refused{"for ever", string(plantest.Scenario("", `{"generate": [{"prefix": "c", "count": 2, "every": 10, "arrivals": {"dist": "constant", "value": 1}, "delay": {"dist": "constant", "value": 5}}]}`)),
		"until: missing"}.check(t)
}

func TestNamesOfGeneratedTimers(t *testing.T) {
	p := plantest.Load(t, plantest.Scenario("", `{"ops": [{"at": 0, "op": "schedule", "timer": "écrit", "delay": 1}], "generate": [
		{"prefix": "心", "count": 12, "arrivals": {"dist": "constant", "value": 1}, "delay": {"dist": "constant", "value": 5}},
		{"prefix": "none", "count": 0, "arrivals": {"dist": "constant", "value": 1}, "delay": {"dist": "constant", "value": 5}},
		{"prefix": "b", "count": 1, "arrivals": {"dist": "constant", "value": 1}, "delay": {"dist": "constant", "value": 5}}]}`))
	for id, want := range map[uint32]string{1: "écrit", 2: "心0", 13: "心11", 14: "b0"} {
		if got := p.Name(id); got != want {
			t.Errorf("timer %d is called %q, want %q", id, got, want)
		}
	}
}
