package protocol

import (
	"maps"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/wheel"
	"pgregory.net/rapid"
)

type slotKey struct {
	level int8
	slot  uint32
}

// timersByPlace returns the number of timers by place, without empty places.
func (t *LaneCounts) timersByPlace() map[slotKey]int {
	all := map[slotKey]int{}
	t.slots.All(func(level int8, slot uint32, n int32) { all[slotKey{level, slot}] = int(n) })
	return all
}

func timersByPlace(s *wheel.State) map[slotKey]int {
	all := map[slotKey]int{}
	for _, p := range s.Places {
		all[slotKey{p.Level, p.Slot}] = p.Count
	}
	return all
}

func sameCounts(t *rapid.T, what string, got *LaneCounts, want *wheel.State) {
	t.Helper()
	if got.Live != int64(want.Live) || got.counts != want.Counts {
		t.Fatalf("%s: %d live %+v, want %d %+v", what, got.Live, got.counts, want.Live, want.Counts)
	}
	if !slices.Equal(got.levels, want.Levels) {
		t.Fatalf("%s: levels %v, want %v", what, got.levels, want.Levels)
	}
	if !maps.Equal(got.timersByPlace(), timersByPlace(want)) {
		t.Fatalf("%s: places %v, want %v", what, got.timersByPlace(), timersByPlace(want))
	}
}

// Between any two events, the counts that follow the records equal those of a computed state, and
// only changed counts are marked as changed.
func TestLaneCountsFollowsTheRecords(t *testing.T) {
	run := webtest.Open(t, webtest.Widely)
	last, err := run.EndSeq(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.Int64Range(0, last).Draw(t, "from")
		to := rapid.Int64Range(from, last).Draw(t, "to")
		before := snapshotAt(t, run, from)
		after := snapshotAt(t, run, to)
		part, err := run.EventRange(t.Context(), from, sim.After(to), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		lanes := make([]LaneCounts, len(before.Lanes))
		for i := range lanes {
			lanes[i].Reset(&before.Lanes[i].State)
		}
		for i := range part.Records {
			lanes[part.Records[i].Lane].Fold(&part.Records[i], 0)
		}
		for i := range lanes {
			id := run.Program().Scenario.Lanes[i].ID
			sameCounts(t, id, &lanes[i], &after.Lanes[i].State)
			checkChanged(t, id, &lanes[i], timersByPlace(&before.Lanes[i].State))
		}
	})
}

func snapshotAt(t *rapid.T, run *sim.Run, seq int64) *engine.Snapshot {
	s, err := run.Seek(t.Context(), sim.After(seq), 0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// checkChanged checks that every slot whose count differs from before is among the changed ones,
// once.
func checkChanged(t *rapid.T, lane string, got *LaneCounts, before map[slotKey]int) {
	t.Helper()
	now := got.timersByPlace()
	changed := map[slotKey]bool{}
	got.slots.Changed(func(level int8, slots []uint32) {
		for _, slot := range slots {
			if changed[slotKey{level, slot}] {
				t.Fatalf("%s: level %d slot %d is reported twice", lane, level, slot)
			}
			changed[slotKey{level, slot}] = true
		}
	})
	for _, all := range []map[slotKey]int{now, before} {
		for k := range all {
			if now[k] != before[k] && !changed[k] {
				t.Fatalf("%s: level %d slot %d went from %d to %d and was not sent", lane, k.level, k.slot, before[k], now[k])
			}
		}
	}
	got.MarkSent()
	got.slots.Changed(func(level int8, _ []uint32) {
		t.Fatalf("%s: level %d has changes after all were reported", lane, level)
	})
	if got.grown {
		t.Fatalf("%s: a level is new after all was sent", lane)
	}
}

// The slices of a snapshot are not shared: LaneCounts must not write to them.
func TestLaneCountsLeavesTheSnapshotAlone(t *testing.T) {
	run := webtest.Open(t, webtest.Widely)
	snap, err := run.Seek(t.Context(), sim.EndOf(0), wheel.AllEntries)
	if err != nil {
		t.Fatal(err)
	}
	const tower = 4
	was := slices.Clone(snap.Lanes[tower].Levels)
	var tl LaneCounts
	tl.Reset(&snap.Lanes[tower].State)
	tl.Fold(&engine.Record{Event: wheel.Event{Kind: wheel.KindGrow, FromLevel: int8(len(was)), X: 27}}, 0)
	if !tl.grown || len(tl.levels) != len(was)+1 || tl.levels[len(was)] != (wheel.Level{Level: len(was), Slots: 3, Width: 27}) {
		t.Errorf("grown to %v", tl.levels)
	}
	if !slices.Equal(snap.Lanes[tower].Levels, was) {
		t.Errorf("the snapshot has levels %v, had %v", snap.Lanes[tower].Levels, was)
	}
}
