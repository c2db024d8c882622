package sim

import (
	"testing"

	"github.com/wheelscope/wheelscope/sim/program"
)

// RunMeasured runs a program until it has `most` events or `most` ticks with work, and reports a
// test error if it exceeds its estimate.
func RunMeasured(t testing.TB, name string, p *program.Program, most int64) {
	t.Helper()
	measureRun(t, p, most).check(t, name, p.Estimate())
}
