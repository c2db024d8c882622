package algorithms

import (
	"math/rand/v2"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
)

// A copy equals the wheel it was made from, and is independent of it.
func TestClone(t *testing.T) {
	for _, a := range Catalogue() {
		t.Run(a.ID, func(t *testing.T) { testClone(t, a.ID, 8, 300) })
	}
	for _, id := range []string{"simple", "hierarchical", "linux"} { // with full pages of nodes
		t.Run(id+"-large", func(t *testing.T) { testClone(t, id, 4, 40_000) })
	}
}

// testClone copies a wheel in each round, after n random calls.
func testClone(t *testing.T, id string, rounds, n int) {
	w, err := New(id, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(5, 6))
	var timers []wheel.Timer
	for round := range rounds {
		timers = shake(w, rnd, timers, n)
		before := stateOf(w)
		c := w.Clone()
		if got := stateOf(c); !got.Equal(&before) {
			t.Fatalf("round %d: the copy is\n%+v\nwant\n%+v", round, got, before)
		}
		if err := c.Check(); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		w.PackCopies(true)
		packed := w.Clone()
		w.PackCopies(false)
		unpacked := packed.Clone()
		if got := stateOf(unpacked); !got.Equal(&before) || packed.Bytes() > w.Bytes() || unpacked.Check() != nil {
			t.Fatalf("round %d: a copy of a packed wheel of %d bytes (%d before) is\n%+v\n%v\nwant\n%+v", round, packed.Bytes(), w.Bytes(), got, unpacked.Check(), before)
		}
		shake(c, rnd, nil, n+100) // with timers that the original never had
		if got := stateOf(w); !got.Equal(&before) {
			t.Fatalf("round %d: what the copy did is seen in the original", round)
		}
	}
}

// shake schedules, cancels and advances at random, and returns the timers.
func shake(w wheel.Observable, rnd *rand.Rand, timers []wheel.Timer, n int) []wheel.Timer {
	for range n {
		switch k := rnd.IntN(10); {
		case k < 6:
			s := wheel.Spec{Due: w.Now() + rnd.Int64N(3000), Key: uint32(rnd.IntN(1000) + 1)}
			if k == 0 {
				s.Every, s.Times = 1+rnd.Int64N(50), 3
			}
			if timer, _, err := w.Schedule(s); err == nil {
				timers = append(timers, timer)
			}
		case k < 8 && len(timers) > 0:
			w.Cancel(timers[rnd.IntN(len(timers))])
		default:
			w.Advance(w.Now()+rnd.Int64N(20), nil, 0)
		}
	}
	return timers
}

func stateOf(w wheel.Observable) wheel.State {
	var s wheel.State
	w.AppendState(&s, wheel.AllEntries)
	return s
}
