package cursor

import (
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/wheel"
)

// Flows are counted between slots up to FlowsMax, and beyond it between groups of slots.
func TestFlowsMax(t *testing.T) {
	for n, step := range map[uint32]uint32{FlowsMax: 1, FlowsMax + 1: 2, 4096: 8} {
		var l LaneActivity
		for slot := range 2 * n {
			l.flow(&engine.Record{Event: wheel.Event{FromLevel: 1, ToSlot: slot % n}})
		}
		var all int64
		for _, f := range l.Flows {
			if all += f.Count; f.ToSlot%step != 0 {
				t.Errorf("of %d slots, a flow to slot %d", n, f.ToSlot)
			}
		}
		if want := (n + step - 1) / step; len(l.Flows) != int(want) || all != int64(2*n) {
			t.Errorf("%d flows counted as %d, of %d timers", n, len(l.Flows), all)
		}
	}
}

// At every event of a run with several chunks, the activity equals the counts of the tick's
// records, or of the step's if the tick has more events.
func TestActivityAtEveryEvent(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	all := plantest.RunStraight(t, p)
	sizes := tiny
	sizes.ChunkEvents, sizes.ChunkWork = int64(len(all.Records)/5), 1<<40
	r := openRunSized(t, p, sizes)
	if err := r.Wait(t.Context(), p.Until); err != nil {
		t.Fatal(err)
	}
	last := int64(len(all.Records))
	for seq := int64(1); seq <= last; seq++ {
		tick := all.Records[seq-1].Tick
		at, err := r.EventRange(t.Context(), seq, sim.After(seq), 0)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Activity(t.Context(), r, at.Chunk, at.To, at.Lanes, last)
		if err != nil {
			t.Fatal(err)
		}
		from := int64(0)
		for _, end := range all.Marks { // the step before
			if int64(end) < seq {
				from = int64(end)
			}
		}
		first := all.Records[from].Kind
		operation := first == wheel.KindSchedule || first == wheel.KindCancel || first == wheel.KindMark || first == wheel.KindMiss
		whole := (seq == last || all.Records[seq].Tick > tick) && !operation
		if whole {
			from = 0
		}
		want := make([][wheel.NumKinds]int64, len(at.Lanes))
		for k := from; k < seq; k++ {
			if rec := &all.Records[k]; rec.Tick == tick {
				want[rec.Lane][rec.Kind]++
			}
		}
		for lane := range got {
			a := &got[lane]
			if a.Kinds != want[lane] {
				t.Fatalf("event %d, lane %d: %v, want %v", seq, lane, a.Kinds, want[lane])
			}
			if whole && a.Cost != at.Lanes[lane].Tick || a.Cost < a.Moves+a.Timers {
				t.Errorf("event %d, lane %d: cost %d of which %d and %d, in the tick %d", seq, lane, a.Cost, a.Moves, a.Timers, at.Lanes[lane].Tick)
			}
		}
	}
}

// A cascade with more events than a message may hold is counted completely, and a heap's cost
// includes the comparison after its last event. Beyond the bound nothing is counted.
func TestActivityOfACascade(t *testing.T) {
	data, ok := library.Builtin("cascade-storm")
	if !ok {
		t.Fatal("no such scenario")
	}
	r := openRun(t, plantest.Load(t, string(data)))
	const tick = 512
	seq, err := r.SeqAt(t.Context(), tick)
	if err != nil {
		t.Fatal(err)
	}
	at, err := r.EventRange(t.Context(), seq, sim.After(seq), 0)
	if err != nil {
		t.Fatal(err)
	}
	lanes, err := Activity(t.Context(), r, at.Chunk, at.To, at.Lanes, 4000)
	if err != nil {
		t.Fatal(err)
	}
	if n := lanes[0].Kinds[wheel.KindCascade]; n != 500 || lanes[0].Cost != at.Lanes[0].Tick {
		t.Errorf("%d moved at a cost of %d; the trace has 500 and %d", n, lanes[0].Cost, at.Lanes[0].Tick)
	}
	moved := int64(0)
	for _, f := range lanes[0].Flows {
		moved += f.Count
		if f.FromLevel != 2 || f.FromSlot != 2 || f.ToLevel > 1 {
			t.Errorf("a flow that the tick does not have: %+v", f)
		}
	}
	if moved != 500 {
		t.Errorf("%d moved in %d flows", moved, len(lanes[0].Flows))
	}
	if lanes, err := Activity(t.Context(), r, at.Chunk, at.To, at.Lanes, 400); lanes != nil || err != nil {
		t.Errorf("past the bound: %v, %v", lanes, err)
	}
}
