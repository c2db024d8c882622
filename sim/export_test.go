package sim

import "testing"

// RunMeasured runs a program until it has so many events in as many ticks, and
// reports as errors of the test what it used beyond the estimate.
func RunMeasured(t testing.TB, name string, p *Program, most int64) {
	t.Helper()
	measureRun(t, p, most).check(t, name, p.Estimate())
}
