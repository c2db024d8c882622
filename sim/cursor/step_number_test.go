package cursor

import (
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
)

// chunksOf returns the number of chunks of a run that is computed.
func chunksOf(r *sim.Run) int {
	borders, _, _ := r.Borders()
	return len(borders) - 1
}

// Every event of a run with several chunks has the step number that follows from all records.
func TestStepNumbers(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	all := plantest.RunStraight(t, p)
	sizes := tiny
	sizes.ChunkEvents, sizes.ChunkWork = int64(len(all.Records)/5), 1<<40
	r := openRunSized(t, p, sizes)
	if _, steps := r.StepNumber(t.Context(), nil, 0); steps >= 0 {
		if _, done := r.Computed(); !done {
			t.Error("steps are numbered before they are known")
		}
	}
	if err := r.Wait(t.Context(), p.Until); err != nil {
		t.Fatal(err)
	}
	if n := chunksOf(r); n < 2 || n > sim.StepChunksMax {
		t.Fatalf("%d chunks: the test looks at the wrong thing", n)
	}
	want := int64(0)
	for seq := int64(0); seq <= int64(len(all.Records)); seq++ {
		if seq > 0 && (seq == 1 || int64(all.Marks[want-1]) < seq) {
			want++
		}
		step, steps := r.StepNumber(t.Context(), nil, seq)
		if step != want || steps != int64(len(all.Marks)) {
			t.Fatalf("event %d: step %d of %d, want %d of %d", seq, step, steps, want, len(all.Marks))
		}
	}
}

// The steps of a long run are not numbered.
func TestStepNumbersOfALongRun(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	r := openRun(t, p)
	if err := r.Wait(t.Context(), p.Until); err != nil {
		t.Fatal(err)
	}
	if n := chunksOf(r); n <= sim.StepChunksMax {
		t.Fatalf("%d chunks: the test looks at the wrong thing", n)
	}
	if step, steps := r.StepNumber(t.Context(), nil, 3); step != -1 || steps != -1 {
		t.Error("numbered")
	}
}
