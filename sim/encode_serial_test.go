//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package sim

import (
	"testing"
)

func TestBuiltinsRoundTrip(t *testing.T) {
	for _, b := range Builtins() {
		p := loaded(t, b.Data)
		again := loaded(t, p.Scenario.AppendJSON(nil))
		if again.Digest() != p.Digest() || planDigest(again) != planDigest(p) {
			t.Errorf("%s is another scenario after a round trip", b.Name)
		}
	}
}
