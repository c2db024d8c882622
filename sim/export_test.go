package sim

import "testing"

// RunMeasured runs a program until it has told so many events, and reports as errors
// of the test what it used beyond the estimate.
func RunMeasured(t testing.TB, name string, p *Program, eventsMax int64) {
	t.Helper()
	measureRun(t, p, eventsMax).check(t, name, p.Estimate())
}
