//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package cursor

import (
	"fmt"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
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
	var cursors []sim.Position
	for seq := int64(0); seq <= last; seq += 13 {
		at, err := r.Locate(t.Context(), sim.After(seq))
		if err != nil {
			t.Fatal(err)
		}
		cursors = append(cursors, at)
	}
	for _, tick := range []int64{0, 1, 9, 30, p.Until} {
		cursors = append(cursors, sim.Position{Tick: tick, Seq: all.States[tick].Seq, Whole: true})
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

// A chunk of many ticks stores the costs of those with events.
func TestSearchCostOverLongTimes(t *testing.T) {
	p := plantest.Load(t, `{"wheelscope":1,"until":200000,"lanes":[{"algorithm":"rounds","slots":4}],"workload":{"ops":[
	 {"at":3,"op":"schedule","timer":"a","delay":90000},{"at":3,"op":"schedule","timer":"b","delay":150000},{"at":100,"op":"schedule","timer":"c","delay":30}]}}`)
	r := openRunSized(t, p, sim.Sizes{ChunkEvents: 1 << 20, ChunkWork: 1 << 40, CheckpointCost: 1 << 40, CheckpointBytes: 1 << 30, WorkMax: 1 << 40, SliceTicks: 1 << 20})
	if err := r.Wait(t.Context(), p.Until); err != nil {
		t.Fatal(err)
	}
	c, err := r.ScanChunk(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, kept := c.CostsOf(c.Records[0].Tick + 2); kept {
		t.Fatal("the chunk keeps the costs of every tick: the test looks at the wrong thing")
	}
	var want []match
	eachTick(c, func(tick int64, _ []engine.Record) {
		s, err := r.Seek(t.Context(), sim.EndOf(tick), 0)
		if err != nil {
			t.Fatal(err)
		}
		if s.Lanes[0].Cost.Tick > 2 {
			want = append(want, match{tick: tick, at: sim.EndOf(tick)})
		}
	})
	w := Query{Condition: ConditionCost, Lane: -1, Over: 2}
	if got := costly(c, w); len(want) < 3 || !slices.Equal(got, want) {
		t.Errorf("%d ticks found, want %d", len(got), len(want))
	}
}
