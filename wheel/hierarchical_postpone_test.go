package wheel

import (
	"math/rand/v2"
	"testing"
)

// A wheel of which random timers are put off, beside one in which they were scheduled
// for the later tick at once: they fire the same timers at the same ticks.
func TestPostponeIsSchedulingLater(t *testing.T) {
	for seed := range uint64(40) {
		rnd := rand.New(rand.NewPCG(1, seed))
		w := mustHierarchical(t, 4)
		fires := map[uint32]Tick{}
		handles := map[uint32]Timer{}
		for key := uint32(1); key <= 200; key++ {
			if now := w.Now(); rnd.IntN(4) == 0 {
				check(t, w, fires, now+rnd.Int64N(9))
			}
			due := w.Now() + 1 + rnd.Int64N(300)
			h, _, err := w.Schedule(Spec{Due: due, Key: key})
			if err != nil {
				t.Fatal(err)
			}
			handles[key], fires[key] = h, due
			other := 1 + rnd.Uint32N(key)
			by := 1 + rnd.Int64N(70)
			_, live := fires[other]
			if w.Postpone(handles[other], by) != live {
				t.Fatalf("seed %d: Postpone of timer %d is not %v", seed, other, live)
			}
			if live {
				fires[other] += by
			}
			if err := w.Check(); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		check(t, w, fires, w.Now()+5000)
		if len(fires) > 0 {
			t.Fatalf("seed %d: %d never fired", seed, len(fires))
		}
	}
}

func mustHierarchical(t *testing.T, slots int) *Hierarchical {
	t.Helper()
	w, err := NewHierarchical(HierarchicalConfig{Slots: []int{slots}, Grow: true, Width: 1})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// check advances tick by tick and takes what fires off the list of what is to fire.
func check(t *testing.T, w *Hierarchical, fires map[uint32]Tick, to Tick) {
	t.Helper()
	for now := w.Now() + 1; now <= to; now++ {
		fired, _ := w.Advance(now, nil, 0)
		for _, e := range fired {
			if fires[e.Key] != now || e.Due != now {
				t.Fatalf("timer %d fired at %d, due %d, want %d", e.Key, now, e.Due, fires[e.Key])
			}
			delete(fires, e.Key)
		}
	}
}

// Only where no timer can be lost by it.
func TestWhoPostpones(t *testing.T) {
	for _, c := range []struct {
		p    Params
		want bool
	}{
		{nil, true},
		{Params{"levels": int64(3)}, false},
		{Params{"slots": []int64{4096, 64, 64, 64, 64}}, false}, // PostponeMax, and not twice as far
		{Params{"slots": []int64{4096, 64, 64, 64, 64, 64}}, true},
		{Params{"slots": []int64{4096, 64, 64, 64, 64, 64}, "migration": "one"}, false},
	} {
		w, err := New("hierarchical", c.p, 0)
		if err != nil {
			t.Fatal(err)
		}
		if w.(Postponer).Postpones() != c.want {
			t.Errorf("with %v it is not %v", c.p, c.want)
		}
	}
	w := mustHierarchical(t, 64)
	h, _, err := w.Schedule(Spec{Due: TickMax >> 15, Key: 1})
	if err != nil {
		t.Fatal(err)
	}
	if w.Postpone(h, TickMax) || w.Postpone(Timer{}, 1) {
		t.Error("put off past the last tick, or a timer that is none")
	}
	var state State
	w.AppendState(&state, AllEntries)
	if state.Places[0].Entries[0].Due != TickMax>>15 || w.Check() != nil {
		t.Error("what could not be put off has changed")
	}
}
