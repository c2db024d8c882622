//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package quiz

import (
	"errors"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/library"
)

// TestPredictionsOfBuiltins checks that every built-in scenario yields questions and answers.
func TestPredictionsOfBuiltins(t *testing.T) {
	g := newFixture(t)
	for _, b := range library.Builtins() {
		a := askerOf(t, g.store, plantest.Load(t, plantest.Short(b.Data)))
		asked := 0
		for _, tick := range []int64{-1, 0, 1, a.Run.Program().Until / 2} {
			for n := range 2 {
				q, err := a.Predict(g.ctx, tick, 5, n, nil)
				if errors.Is(err, ErrNoAnswer) {
					continue
				}
				if err != nil {
					t.Fatalf("%s at %d: %v", b.Name, tick, err)
				}
				asked++
				checkAsked(t, a, q)
			}
		}
		if asked == 0 {
			t.Errorf("%s: nothing is asked", b.Name)
		}
	}
}
