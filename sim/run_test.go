package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// tiny makes a small run have many chunks and many checkpoints, and drop checkpoints when
// their bytes are spent.
var tiny = Sizes{ChunkEvents: 20, ChunkWork: 30, TickEvents: 1 << 40, CheckpointCost: 50, CheckpointBytes: 200 << 10, WarmBytes: 1 << 20, WorkMax: 1 << 40, SliceTicks: 5}

// openRun returns a run of a scenario in its own store.
func openRun(t testing.TB, p *program.Program) (*Store, *Run) {
	t.Helper()
	return openRunSized(t, p, tiny)
}

func openRunSized(t testing.TB, p *program.Program, sizes Sizes) (*Store, *Run) {
	t.Helper()
	s := NewStore(StoreOptions{})
	s.sizes = sizes
	t.Cleanup(s.Close)
	r, err := s.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return s, r
}

// TestSeekAnywhere seeks to every tick, forwards and backwards, and compares the state with
// that of a sequential run.
func TestSeekAnywhere(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	want := plantest.RunStraight(t, p)
	_, r := openRun(t, p)
	for k := int64(0); k <= p.Until; k++ {
		tick := k * 37 % (p.Until + 1)
		got, err := r.Seek(t.Context(), EndOf(tick), wheel.AllEntries)
		if err != nil {
			t.Fatal(err)
		}
		plantest.SameSnapshot(t, fmt.Sprint("tick ", tick), got, want.States[tick])
	}
}

// costsOf returns the costs of a snapshot's lanes.
func costsOf(s *engine.Snapshot) (costs []engine.LaneCost) {
	for i := range s.Lanes {
		costs = append(costs, s.Lanes[i].Cost)
	}
	return costs
}

// TestFoldIsState folds every tick's records onto the state before it.
func TestFoldIsState(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	want := plantest.RunStraight(t, p)
	e, _ := engine.NewEngine(p)
	s := e.Snapshot(wheel.AllEntries)
	k := 0
	for tick := int64(0); tick <= p.Until; tick++ {
		from := k
		for k < len(want.Records) && want.Records[k].Tick == tick {
			k++
		}
		if err := s.Fold(p, tick, want.Records[from:k], wheel.AllEntries, costsOf(want.States[tick])); err != nil {
			t.Fatal(err)
		}
		for i := range s.Lanes {
			if !s.Lanes[i].State.Equal(&want.States[tick].Lanes[i].State) {
				t.Fatalf("tick %d lane %s: folded\n%+v\nwant\n%+v", tick, p.Scenario.Lanes[i].ID, s.Lanes[i].State, want.States[tick].Lanes[i].State)
			}
		}
	}
}

func TestStretchesAreTheRecords(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	want := plantest.RunStraight(t, p)
	_, r := openRun(t, p)
	var seq int64
	for tick := int64(0); tick <= p.Until; tick += 3 {
		s, err := r.EventRange(t.Context(), seq, EndOf(tick), len(want.Records))
		if err != nil {
			t.Fatal(err)
		}
		for k, rec := range s.Records {
			if rec != want.Records[seq+int64(k)] {
				t.Fatalf("seq %d: %+v, want %+v", seq+int64(k)+1, rec, want.Records[seq+int64(k)])
			}
		}
		for i, c := range s.Lanes {
			if c != want.States[tick].Lanes[i].Cost {
				t.Fatalf("tick %d lane %d: cost %+v, want %+v", tick, i, c, want.States[tick].Lanes[i].Cost)
			}
		}
		seq = s.To.Seq
	}
	if seq != want.States[60].Seq {
		t.Fatalf("stretches end at seq %d, want %d", seq, want.States[60].Seq)
	}
	if _, err := r.EventRange(t.Context(), 0, EndOf(p.Until), 5); !errors.Is(err, ErrTooMany) {
		t.Fatalf("error is %v, want ErrTooMany", err)
	}
}

// TestStepsForwardAndBack goes through every step in both directions.
func TestStepsForwardAndBack(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	want := plantest.RunStraight(t, p)
	_, r := openRun(t, p)
	ctx := t.Context()
	var ends []int64
	for seq := int64(0); ; {
		end, err := r.Steps(ctx, seq, 1)
		if err != nil {
			t.Fatal(err)
		}
		if end == seq {
			break
		}
		ends = append(ends, end)
		seq = end
	}
	if len(ends) != len(want.Marks) {
		t.Fatalf("%d steps, want %d", len(ends), len(want.Marks))
	}
	for k, end := range ends {
		if end != int64(want.Marks[k]) {
			t.Fatalf("step %d ends at %d, want %d", k, end, want.Marks[k])
		}
		for n := range k + 3 {
			before := int64(0)
			if n <= k {
				before = append([]int64{0}, ends...)[k+1-n]
			}
			if back, err := r.Steps(ctx, end, -int64(n)); err != nil || back != before {
				t.Fatalf("%d steps before %d is %d, want %d (%v)", n, end, back, before, err)
			}
		}
	}
}

// TestLastStepLeadsHere checks that LastStep returns the events from the beginning of the step up
// to the given event, or only the last ones if there are more than the maximum.
func TestLastStepLeadsHere(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	want := plantest.RunStraight(t, p)
	_, r := openRun(t, p)
	began := int64(0)
	for seq := int64(1); seq <= int64(len(want.Records)); seq++ {
		for _, max := range []int64{1000, 3} {
			s, err := r.LastStep(t.Context(), nil, seq, int(max))
			if err != nil {
				t.Fatal(err)
			}
			from := began
			if seq-max > from {
				from = seq - max
			}
			if s.From != from || s.To.Seq != seq || s.To.Tick != want.Records[seq-1].Tick || int64(len(s.Records)) != seq-from {
				t.Fatalf("seq %d, at most %d: %d to %+v, want from %d", seq, max, s.From, s.To, from)
			}
			for k, rec := range s.Records {
				if rec != want.Records[from+int64(k)] {
					t.Fatalf("seq %d: record %d is %+v", seq, k, rec)
				}
			}
		}
		if slices.Contains(want.Marks, int(seq)) {
			began = seq
		}
	}
	if s, err := r.LastStep(t.Context(), nil, 0, 5); err != nil || len(s.Records) > 0 {
		t.Fatalf("before anything: %+v, %v", s, err)
	}
}

func TestPositionsPastTheEnd(t *testing.T) {
	_, r := openRun(t, plantest.Load(t, plantest.Small))
	last, err := r.EndSeq(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var pos *PositionError
	if _, err := r.Seek(t.Context(), After(last+1), 0); !errors.As(err, &pos) || pos.Last != last {
		t.Fatalf("error is %v", err)
	}
	if end, err := r.Steps(t.Context(), last, 1); end != last || err != nil {
		t.Fatalf("a step after the end: %v %v", end, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Wait(ctx, 1<<40); err != nil { // the pass has ended: no wait
		t.Fatal(err)
	}
}
