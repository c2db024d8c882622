package cursor

import (
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
)

// tiny makes a small run have many chunks and many checkpoints.
var tiny = sim.Sizes{ChunkEvents: 20, ChunkWork: 30, CheckpointCost: 50, CheckpointBytes: 300 << 10, WorkMax: 1 << 40, SliceTicks: 5}

// openRun returns a run of a program with tiny sizes in its own store.
func openRun(t testing.TB, p *program.Program) *sim.Run {
	t.Helper()
	return openRunSized(t, p, tiny)
}

func openRunSized(t testing.TB, p *program.Program, sizes sim.Sizes) *sim.Run {
	t.Helper()
	s := sim.NewStore(sim.StoreOptions{Sizes: sizes})
	t.Cleanup(s.Close)
	r, err := s.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A reminder that was requested before another run is opened comes all the same: a viewer of the session may wait for it.
func TestOpenKeepsTheReminder(t *testing.T) {
	withRig(t, rigConfig{}, func(g *rig) {
		g.do(func(r *Runner) { r.Remind(time.Second) })
		g.must("open", func(r *Runner) error { return r.Open(r.Context(), g.run, sim.Start) })
		if calls := g.wait(2 * time.Second); count(calls, "reminded") != 1 {
			t.Errorf("after the reminder's time: %q", calls)
		}
	})
}
