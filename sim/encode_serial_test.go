//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package sim

import (
	"slices"
	"testing"
)

func TestBuiltinsRoundTrip(t *testing.T) {
	for _, b := range Builtins() {
		p := LoadProgram(t, b.Data)
		again := LoadProgram(t, p.Scenario.AppendJSON(nil))
		if again.Digest() != p.Digest() || !slices.Equal(again.Ops, p.Ops) {
			t.Errorf("%s is another scenario after a round trip", b.Name)
		}
	}
}
