//go:build race

package sim

import "testing"

// serial skips a long test whose work is done by one goroutine: the race detector can find
// nothing in it and makes it eight times as slow. `make unit` also runs this package without
// the detector, and these tests with it.
func serial(t *testing.T) { t.Skip("one goroutine: runs without the race detector") }
