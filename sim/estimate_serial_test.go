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
		if least := p.Estimate().Events; least > m.events || least == 0 {
			t.Errorf("%s: %d events, expected at least %d", b.Name, m.events, least)
		}
		if e := p.Estimate(); m.engine > 8<<20 && e.EngineBytes > 10*m.engine {
			t.Errorf("%s: an engine of %d bytes, estimated were %d", b.Name, m.engine, e.EngineBytes)
		}
	}
}
