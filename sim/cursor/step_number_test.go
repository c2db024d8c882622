package sim

import (
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"testing"
)

// Every event of a run with several chunks has the step number that follows from all records.
func TestStepNumbers(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	all := plantest.RunStraight(t, p)
	sizes := tiny
	sizes.ChunkEvents, sizes.ChunkWork = int64(len(all.Records)/5), 1<<40
	_, r := openRunSized(t, p, sizes)
	if _, _, ok := r.StepNumber(t.Context(), 0); ok {
		if _, done := r.Computed(); !done {
			t.Error("steps are numbered before they are known")
		}
	}
	if err := r.Wait(t.Context(), p.Until); err != nil {
		t.Fatal(err)
	}
	if n := len(r.borders) - 1; n < 2 || n > StepChunksMax {
		t.Fatalf("%d chunks: the test looks at the wrong thing", n)
	}
	want := int64(0)
	for seq := int64(0); seq <= int64(len(all.Records)); seq++ {
		if seq > 0 && (seq == 1 || int64(all.Marks[want-1]) < seq) {
			want++
		}
		step, steps, ok := r.StepNumber(t.Context(), seq)
		if !ok || step != want || steps != int64(len(all.Marks)) {
			t.Fatalf("event %d: step %d of %d (%v), want %d of %d", seq, step, steps, ok, want, len(all.Marks))
		}
	}
}

// The steps of a long run are not numbered.
func TestStepNumbersOfALongRun(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	_, r := openRun(t, p)
	if err := r.Wait(t.Context(), p.Until); err != nil {
		t.Fatal(err)
	}
	if n := len(r.borders) - 1; n <= StepChunksMax {
		t.Fatalf("%d chunks: the test looks at the wrong thing", n)
	}
	if _, _, ok := r.StepNumber(t.Context(), 3); ok {
		t.Error("numbered")
	}
}
