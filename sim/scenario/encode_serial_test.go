//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package scenario_test

import (
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/library"
)

func TestBuiltinsRoundTrip(t *testing.T) {
	for _, b := range library.Builtins() {
		p := plantest.Load(t, b.Data)
		again := plantest.Load(t, p.Scenario.AppendJSON(nil))
		if again.Digest() != p.Digest() || !slices.Equal(again.Ops, p.Ops) {
			t.Errorf("%s is another scenario after a round trip", b.Name)
		}
	}
}
