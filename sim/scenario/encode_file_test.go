//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package scenario_test

import (
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// TestLongestScenarioAsFile checks that the longest scenario can be written to a file and read
// again.
func TestLongestScenarioAsFile(t *testing.T) {
	testkit.SoakOnly(t) // a file of 128 MiB
	op := `{"at":0,"op":"set","timer":"` + strings.Repeat("a", 200) + `","delay":1}`
	text := func(name string, ops int) string {
		return `{"wheelscope":1,"name":"` + name + `","tick":"1ms","start":0,"until":1,"lanes":[{"id":"heap","algorithm":"heap","width":1,"arity":2}],"workload":{"ops":[` +
			strings.Repeat(op+",", ops-1) + op + `]}}`
	}
	ops := 1 + (scenario.BytesMax-len(text("xx", 1)))/(len(op)+1)
	name := strings.Repeat("x", scenario.BytesMax-len(text("", ops)))
	for _, name := range []string{name, name[1:]} {
		file := plantest.Load(t, text(name, ops)).Scenario.AppendFile(nil)
		if len(file) != scenario.BytesMax {
			t.Errorf("%d bytes, want %d", len(file), scenario.BytesMax)
		}
		if _, err := program.Load(file); err != nil {
			t.Error(err)
		}
	}
}
