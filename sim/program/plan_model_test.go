//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package program_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// modelOp is an operation in the model below.
type modelOp struct {
	at, delay, every int64
	times            int
	kind             scenario.OpKind
	timer            string
	file             int
}

func (o modelOp) json() string {
	s := fmt.Sprintf(`{"at": %d, "op": %q, "timer": %q`, o.at, o.kind, o.timer)
	if o.kind.Arms() {
		s += fmt.Sprintf(`, "delay": %d`, o.delay)
	}
	if o.every > 0 {
		s += fmt.Sprintf(`, "every": %d, "times": %d`, o.every, o.times)
	}
	return s + "}"
}

// dues returns every due tick of the timer up to tick 1000.
func (o modelOp) dues() []int64 {
	list := []int64{o.at + o.delay}
	for o.every > 0 && list[len(list)-1] < 1000 && (o.times < 0 || len(list) < o.times) {
		list = append(list, list[len(list)-1]+o.every)
	}
	return list
}

// modelPlan computes the plan in words by a model that goes tick by tick: a name is live while one
// of its due ticks is ahead. The second result is the file position of the operation that is at
// fault, or −1.
func modelPlan(ops []modelOp) ([]string, int) {
	var words []string
	left := map[string][]int64{} // due ticks ahead, by name
	newest, ids := map[string]int{}, 0
	for tick := int64(0); tick <= 100; tick++ {
		for name, dues := range left {
			left[name] = slices.DeleteFunc(dues, func(due int64) bool { return due <= tick })
		}
		for _, o := range ops {
			if o.at != tick {
				continue
			}
			known := newest[o.timer] != 0
			if o.kind == scenario.OpSchedule && len(left[o.timer]) > 0 || !known && (o.kind == scenario.OpCancel || o.kind == scenario.OpReset) {
				return nil, o.file
			}
			word := fmt.Sprintf("%d %s", o.at, o.kind)
			target := ""
			if known && o.kind != scenario.OpSchedule {
				target = fmt.Sprintf(" →%d", newest[o.timer])
			}
			left[o.timer] = nil
			if o.kind.Arms() {
				ids++
				newest[o.timer] = ids
				word += fmt.Sprintf(" %s=%d", o.timer, ids)
				left[o.timer] = slices.DeleteFunc(o.dues(), func(due int64) bool { return due <= tick })
			}
			words = append(words, word+target)
		}
	}
	return words, -1
}

func randomOps(rng *rand.Rand, n int) []modelOp {
	kinds := []scenario.OpKind{scenario.OpSchedule, scenario.OpSchedule, scenario.OpSet, scenario.OpCancel, scenario.OpReset}
	var ops []modelOp
	for i := range n {
		o := modelOp{at: rng.Int64N(60), kind: kinds[rng.IntN(len(kinds))], timer: string(rune('a' + rng.IntN(6))), file: i}
		if o.kind.Arms() {
			o.delay = rng.Int64N(14) - 3
			if rng.IntN(4) == 0 {
				o.every, o.times = 1+rng.Int64N(7), []int{-1, 1, 2, 3}[rng.IntN(4)]
			}
		}
		ops = append(ops, o)
	}
	return ops
}

// TestPlanAgreesWithTheModel checks that random workloads are planned as the model plans them, or
// refused at the same operation.
func TestPlanAgreesWithTheModel(t *testing.T) {
	accepted := 0
	for seed := range uint64(6000) {
		rng := rand.New(rand.NewPCG(seed, 0))
		ops := randomOps(rng, 1+rng.IntN(7))
		var list []string
		for _, o := range ops {
			list = append(list, o.json())
		}
		p, err := program.Load(plantest.Scenario(`"until": 100`, `{"ops": [`+strings.Join(list, ",")+`]}`))
		want, fault := modelPlan(ops)
		switch {
		case fault >= 0 && (err == nil || !strings.HasPrefix(err.Error(), scenario.OpPath(fault)+".timer: ")):
			t.Fatalf("seed %d: %v; the model refuses operation %d of\n%s", seed, err, fault, strings.Join(list, "\n"))
		case fault < 0 && err != nil:
			t.Fatalf("seed %d: %v; the model accepts\n%s", seed, err, strings.Join(list, "\n"))
		case fault < 0:
			accepted++
			if got := planned(p); !slices.Equal(got, want) {
				t.Fatalf("seed %d:\n got %q\nwant %q", seed, got, want)
			}
		}
	}
	if accepted < 500 || accepted > 5500 {
		t.Errorf("%d of 6000 workloads are accepted: the test sees too little of one kind", accepted)
	}
}
