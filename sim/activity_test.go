package sim

import (
	"testing"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/wheel"
)

// Flows are counted up to FlowsMax, and dropped beyond it.
func TestFlowsMax(t *testing.T) {
	for _, n := range []uint32{FlowsMax, FlowsMax + 1} {
		var l LaneActivity
		for slot := range 2 * n {
			l.flow(&engine.Record{Event: wheel.Event{FromLevel: 1, ToSlot: slot % n}})
		}
		if l.capFlows(); n <= FlowsMax && (len(l.Flows) != FlowsMax || l.Flows[0].Count != 2) || n > FlowsMax && l.Flows != nil {
			t.Errorf("%d flows counted as %d", n, len(l.Flows))
		}
	}
}

// At every event of a run with several chunks, the activity equals the counts of the tick's
// records, or of the step's if the tick has more events.
func TestActivityAtEveryEvent(t *testing.T) {
	p := plantest.Load(t, small)
	all := runStraight(t, p)
	sizes := tiny
	sizes.chunkEvents, sizes.chunkWork = int64(len(all.records)/5), 1<<40
	_, r := openRunSized(t, p, sizes)
	if err := r.Wait(t.Context(), p.Until); err != nil {
		t.Fatal(err)
	}
	last := int64(len(all.records))
	for seq := int64(1); seq <= last; seq++ {
		tick := all.records[seq-1].Tick
		at, err := r.StretchSeq(t.Context(), seq, seq, 0)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Activity(t.Context(), r, tick, seq, at.Lanes, last)
		if err != nil {
			t.Fatal(err)
		}
		from := int64(0)
		for _, end := range all.marks { // the step before
			if int64(end) < seq {
				from = int64(end)
			}
		}
		first := all.records[from].Kind
		operation := first == wheel.KindSchedule || first == wheel.KindCancel || first == wheel.KindMark || first == wheel.KindMiss
		whole := (seq == last || all.records[seq].Tick > tick) && !operation
		if whole {
			from = 0
		}
		want := make([][wheel.NumKinds]int64, len(at.Lanes))
		for k := from; k < seq; k++ {
			if rec := &all.records[k]; rec.Tick == tick {
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
	_, r := openRun(t, plantest.Load(t, string(data)))
	const tick = 512
	seq, err := r.SeqAt(t.Context(), tick)
	if err != nil {
		t.Fatal(err)
	}
	at, err := r.StretchSeq(t.Context(), seq, seq, 0)
	if err != nil {
		t.Fatal(err)
	}
	lanes, err := Activity(t.Context(), r, tick, seq, at.Lanes, 4000)
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
	if lanes, err := Activity(t.Context(), r, tick, seq, at.Lanes, 400); lanes != nil || err != nil {
		t.Errorf("past the bound: %v, %v", lanes, err)
	}
}
