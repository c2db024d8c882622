//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package cursor

import (
	"fmt"
	"testing"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
)

// From many positions, within ticks and between them, forwards and backwards, a search finds
// the first or last match in the list of all records.
func TestSearchFindsTheNearest(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	all := plantest.RunStraight(t, p)
	r := openRun(t, p)
	if err := r.Wait(t.Context(), p.Until); err != nil {
		t.Fatal(err)
	}
	last := int64(len(all.Records))
	var cursors []Position
	for seq := int64(0); seq <= last; seq += 13 {
		at, err := cursorAt(t.Context(), r, &engine.Snapshot{Tick: tickOf(all, seq), Seq: seq}, false)
		if err != nil {
			t.Fatal(err)
		}
		cursors = append(cursors, at)
	}
	for _, tick := range []int64{0, 1, 9, 30, p.Until} {
		cursors = append(cursors, Position{tick, all.States[tick].Seq, true})
	}
	for _, w := range conditions {
		t.Run(fmt.Sprintf("%s %d %s%d", w.Condition, w.Lane, w.Timer, w.Over), func(t *testing.T) {
			matches := matchesOf(t, p, all, w)
			for _, from := range cursors {
				checkSearch(t, r, w, from, matches)
			}
		})
	}
}
