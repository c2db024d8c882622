//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package web

import (
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/web/locate"

	"testing"
)

// A lane called exact fires nothing early or late, in every built-in scenario.
func TestExactLanesAreExact(t *testing.T) {
	books := locate.New(nil, nil)
	for _, b := range library.Builtins() {
		if b.Name == "hundred-thousand" {
			continue // heartbeats in another size
		}
		p, err := books.Program(b.Name)
		if err != nil {
			t.Fatal(err)
		}
		run := webtest.Open(t, string(p.Scenario.AppendJSON(nil)))
		last, err := run.Seek(t.Context(), p.Until, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, info := range p.Scenario.Facts() {
			if c := last.Lanes[i].Counts; info.Exact && c.Early+c.Late > 0 && !stalls(p) {
				t.Errorf("%s: lane %s is called exact; %d early, %d late", b.Name, p.Scenario.Lanes[i].ID, c.Early, c.Late)
			}
		}
	}
}

// stalls reports whether a workload itself makes timers late: its driver pauses, or it schedules
// timers that are already due.
func stalls(p *program.Program) bool {
	for i := range p.Ops {
		if op := &p.Ops[i]; !op.Kind.Named() || op.Kind.Arms() && op.Delay < 0 {
			return true
		}
	}
	return false
}
