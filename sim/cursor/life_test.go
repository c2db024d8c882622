package cursor

import (
	"errors"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/wheel"
)

// The next step, the last events and the history of every timer agree with the records of a
// sequential run, whatever the size of chunks.
func TestHistoryAgreesWithTheRecords(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	all := plantest.RunStraight(t, p).Records
	r := openRun(t, p)
	last := int64(len(all))
	for seq := int64(0); seq <= last; seq++ {
		next, err := r.StepFrom(t.Context(), seq, 7)
		if err != nil {
			t.Fatal(err)
		}
		end, err := r.Steps(t.Context(), seq, 1)
		if err != nil || (end > seq) != (seq < last) {
			t.Fatalf("seq %d: %v %v", seq, end, err)
		}
		want := all[seq:min(end, seq+7)]
		if !slices.Equal(next.Records, want) || next.From != seq {
			t.Fatalf("after %d comes %v, want %v", seq, next.Records, want)
		}
		recent, err := r.Recent(t.Context(), seq, 9)
		if err != nil || !slices.Equal(recent.Records, all[max(0, seq-9):seq]) || recent.From != max(0, seq-9) {
			t.Fatalf("the last events at %d: %v from %d, %v", seq, recent.Records, recent.From, err)
		}
	}
	var past *sim.PositionError
	for _, seq := range []int64{last + 1, last + 9, last + 99} {
		if _, err := r.Recent(t.Context(), seq, 9); !errors.As(err, &past) || past.Seq != seq || past.Last != last {
			t.Errorf("past the end, at %d: %v", seq, err)
		}
	}
}

// The cost of the first record of a range, minus the costs before the range, is the cost of that
// record alone.
func TestCostsAreThoseBeforeTheRecords(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	all := plantest.RunStraight(t, p).Records
	r := openRun(t, p)
	for seq := 0; seq < len(all); seq += 13 {
		next, err := r.StepFrom(t.Context(), int64(seq), 60)
		if err != nil {
			t.Fatal(err)
		}
		before := make([]int64, len(next.Lanes))
		for i := range all[:seq] {
			before[all[i].Lane] = all[i].Cost
		}
		for lane := range before { // empty ticks in between cost a lane, too
			if got := next.Lanes[lane].Total; got < before[lane] {
				t.Fatalf("seq %d, lane %d: %d spent, %d at its record before", seq, lane, got, before[lane])
			}
		}
		for i := range next.Records {
			rec := &next.Records[i]
			if rec.Cost < next.Lanes[rec.Lane].Total {
				t.Fatalf("seq %d: a record costs less than nothing", seq)
			}
		}
	}
}

func TestLifeOfEveryTimer(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	all := plantest.RunStraight(t, p).Records
	r := openRun(t, p)
	for id := uint32(1); int(id) <= p.Timers(); id++ {
		history, err := TimerHistoryOf(t.Context(), r, id, 1000)
		if err != nil {
			t.Fatal(err)
		}
		var want []engine.Record
		for i := range all {
			if all[i].ID == id && all[i].Kind != wheel.KindMiss {
				want = append(want, all[i])
			}
		}
		if !slices.Equal(history.Records, want) || !history.Whole {
			t.Fatalf("timer %d (%s): %d records, whole %v; want %d", id, p.Name(id), len(history.Records), history.Whole, len(want))
		}
		for k, seq := range history.Seqs {
			if all[seq-1] != history.Records[k] {
				t.Fatalf("timer %d: record %d is not event %d", id, k, seq)
			}
		}
	}
}

// A history with more records than the maximum is cut, and Whole is false.
func TestLifeIsBounded(t *testing.T) {
	p := plantest.Load(t, `{"wheelscope":1,"until":500,"lanes":[{"algorithm":"simple","slots":8}],
	 "workload":{"ops":[{"at":2,"op":"schedule","timer":"beat","delay":1,"every":1}]}}`)
	r := openRun(t, p)
	history, err := TimerHistoryOf(t.Context(), r, 1, 10)
	if err != nil || len(history.Records) != 10 || history.Whole || history.Until >= 20 {
		t.Fatalf("%d records, whole %v, until %d, %v", len(history.Records), history.Whole, history.Until, err)
	}
	if first := history.Records[0]; first.Kind != wheel.KindSchedule || first.Tick != 2 {
		t.Errorf("it begins with %+v", first)
	}
	for _, id := range []uint32{0, 2, 1<<32 - 1} {
		if _, err := TimerHistoryOf(t.Context(), r, id, 10); err == nil {
			t.Errorf("there is no timer %d, but it has a life", id)
		}
	}
}
