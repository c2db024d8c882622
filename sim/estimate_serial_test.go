//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package sim

import (
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/library"
)

func TestEstimateOfBuiltins(t *testing.T) {
	for _, b := range library.Builtins() {
		p := plantest.Load(t, string(b.Data))
		m := measureRun(t, p, 1<<40)
		m.check(t, b.Name, p.Estimate())
		m.tight(t, b.Name, p.Estimate())
	}
}
