package program_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// FuzzLoad checks that Load never panics, that its errors have one line, and that the canonical
// form of a scenario loads to the same canonical form.
func FuzzLoad(f *testing.F) {
	for _, b := range library.Builtins() {
		if b.Name != "hundred-thousand" {
			f.Add(b.Data)
		}
	}
	for _, w := range acceptedWorkloads {
		f.Add(plantest.Scenario(`"until": 1000`, w))
	}
	f.Add(laneOf(`{"algorithm": "hierarchical", "slots": [3, 4], "width": "5ms"}`))
	f.Add([]byte(`{"wheelscope": 1, "wat": "\ud800"`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return // the limits on bytes have their own tests
		}
		p, err := program.Load(data)
		if err != nil {
			var input *scenario.InputError
			if !errors.As(err, &input) || strings.ContainsAny(err.Error(), "\n\r") || input.Message.String() == "" {
				t.Fatalf("%T: %q", err, err)
			}
			return
		}
		checkPlan(t, p)
		canonical := p.Scenario.AppendJSON(nil)
		again, err := program.Load(canonical)
		if err != nil {
			t.Fatalf("%v in the canonical form %s", err, canonical)
		}
		if second := again.Scenario.AppendJSON(nil); string(second) != string(canonical) {
			t.Fatalf("canonical form\n%s\nof\n%s", second, canonical)
		}
	})
}

// checkPlan checks the invariants of a plan: order, bounds, ids without gaps, targets that exist.
func checkPlan(t *testing.T, p *program.Program) {
	t.Helper()
	last, at := uint32(0), int64(0)
	for i := range p.Ops {
		op := &p.Ops[i]
		if op.At < at || op.At > p.Until || op.Target > last {
			t.Fatalf("operation %d after tick %d and id %d: %+v", i, at, last, op)
		}
		at = op.At
		if op.Kind.Arms() {
			if last++; op.ID != last || p.Name(op.ID) == "" {
				t.Fatalf("operation %d has id %d, want %d", i, op.ID, last)
			}
		}
	}
	if int(last) != p.Timers() {
		t.Fatalf("%d timers, the last id is %d", p.Timers(), last)
	}
}
