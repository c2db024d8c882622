//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package sim

import (
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/wheel"
)

// TestSeekSeqAnywhere seeks to every event. At a tick's last event the state is the tick's; at
// any other, folding the rest of the tick onto it gives the tick's state.
func TestSeekSeqAnywhere(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	want := plantest.RunStraight(t, p)
	_, r := openRun(t, p)
	for n := int64(1); n <= int64(len(want.Records)); n++ {
		seq := n*101%int64(len(want.Records)) + 1
		got, err := r.Seek(t.Context(), After(seq), wheel.AllEntries)
		if err != nil {
			t.Fatal(err)
		}
		tick := want.Records[seq-1].Tick
		if got.Tick != tick || got.Seq != seq {
			t.Fatalf("seq %d: at tick %d seq %d", seq, got.Tick, got.Seq)
		}
		rest := seq
		for rest < int64(len(want.Records)) && want.Records[rest].Tick == tick {
			rest++
		}
		if err := got.Fold(p, tick, want.Records[seq:rest], wheel.AllEntries, costsOf(want.States[tick])); err != nil {
			t.Fatal(err)
		}
		for i := range got.Lanes {
			if !got.Lanes[i].State.Equal(&want.States[tick].Lanes[i].State) {
				t.Fatalf("seq %d lane %d: the rest of the tick leads elsewhere", seq, i)
			}
		}
	}
}

func TestEventStretchCosts(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	want := plantest.RunStraight(t, p)
	_, r := openRun(t, p)
	for seq := int64(1); seq <= int64(len(want.Records)); seq++ {
		s, err := r.EventRange(t.Context(), seq-1, After(seq), 1)
		if err != nil {
			t.Fatal(err)
		}
		at, err := r.Seek(t.Context(), After(seq), 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Records) != 1 || s.Records[0] != want.Records[seq-1] {
			t.Fatalf("seq %d: %+v", seq, s.Records)
		}
		for i := range s.Lanes {
			if s.Lanes[i] != at.Lanes[i].Cost {
				t.Fatalf("seq %d lane %d: stretch says cost %+v, seek %+v", seq, i, s.Lanes[i], at.Lanes[i].Cost)
			}
		}
	}
}
