package hierarchical

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/coretest"
)

// Random timers are staged, some of them cancelled before or after they are placed, and placed
// later than planned. Each fires once, at the resulting tick, and those of one tick in the
// order in which they were placed.
func TestStageAndPlace(t *testing.T) {
	for seed := range uint64(40) {
		rnd := rand.New(rand.NewPCG(1, seed))
		w := mustHierarchical(t, 4)
		fires := map[uint32]wheel.Tick{}
		handles := map[uint32]wheel.Timer{}
		var staged []uint32
		for key := uint32(1); key <= 400; key++ {
			if rnd.IntN(4) == 0 {
				for _, k := range staged {
					by := rnd.Int64N(70) * rnd.Int64N(2)
					if fires[k] > 0 {
						fires[k] += by
					}
					w.Place(handles[k], by)
				}
				staged = nil
				if err := w.Check(); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				check(t, w, fires, w.Now()+rnd.Int64N(9))
			}
			due := w.Now() + 1 + rnd.Int64N(300)
			h, err := w.Stage(wheel.Spec{Due: due, Key: key})
			if err != nil {
				t.Fatal(err)
			}
			handles[key], fires[key] = h, due
			staged = append(staged, key)
			other := 1 + rnd.Uint32N(key)
			if _, live := fires[other]; rnd.IntN(2) == 0 && w.Cancel(handles[other]) != live {
				t.Fatalf("seed %d: Cancel of timer %d is not %v", seed, other, live)
			} else if !w.Armed(handles[other]) {
				delete(fires, other)
			}
			if w.Len() != len(fires) {
				t.Fatalf("seed %d: %d live, want %d", seed, w.Len(), len(fires))
			}
		}
		for _, k := range staged {
			w.Place(handles[k], 0)
		}
		check(t, w, fires, w.Now()+5000)
		if len(fires) > 0 {
			t.Fatalf("seed %d: %d never fired", seed, len(fires))
		}
	}
}

func mustHierarchical(t *testing.T, slots int) *hierarchical {
	t.Helper()
	w, err := New(Config{Slots: []int{slots}, Grow: true, Width: 1})
	if err != nil {
		t.Fatal(err)
	}
	return w.(*hierarchical)
}

// check advances tick by tick and removes each timer that fires from the expected ones.
func check(t *testing.T, w *hierarchical, fires map[uint32]wheel.Tick, to wheel.Tick) {
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

// A staged timer reuses the node of a cancelled timer whose dead entry is still in a slot. The
// staged timer must not be found there.
func TestStagedTimerIsInNoSlot(t *testing.T) {
	w := mustHierarchical(t, 4)
	for key := uint32(1); key <= 3; key++ { // nodes 1, 2 and 3, in slot 1
		if _, _, err := w.Schedule(wheel.Spec{Due: 1, Key: key}); err != nil {
			t.Fatal(err)
		}
	}
	for _, i := range []uint32{1, 2} { // the list of free nodes links 2 to 1, which is the number of the slot
		if !w.Cancel(wheel.NewTimer(i, 1)) {
			t.Fatal("not cancelled")
		}
	}
	h, err := w.Stage(wheel.Spec{Due: 3, Key: 4})
	if err != nil || h.Index() != 2 {
		t.Fatalf("handle %+v, %v, want node 2", h, err)
	}
	var state wheel.State
	w.AppendState(&state, wheel.AllEntries)
	if n := len(state.Places[0].Entries); n != 1 {
		t.Errorf("slot 1 lists %d timers, want 1", n)
	}
	w.Place(h, 0)
	w.Place(h, 1) // it is placed already: no effect
	w.Place(wheel.Timer{}, 1)
	check(t, w, map[uint32]wheel.Tick{3: 1, 4: 3}, 4)
	if err := w.Check(); err != nil || w.Len() != 0 {
		t.Errorf("%v, %d live", err, w.Len())
	}
}

// A timer as far ahead as possible, delayed by the maximum, still gets a place.
func TestPlaceFarAhead(t *testing.T) {
	w := mustHierarchical(t, 64)
	h, err := w.Stage(wheel.Spec{Due: wheel.StageMax, Key: 1})
	if err != nil {
		t.Fatal(err)
	}
	w.Place(h, wheel.TickMax)
	if due, ok := w.Next(); !ok || due > 2*wheel.StageMax || w.Check() != nil || w.Len() != 1 {
		t.Errorf("the next work is at %d, %v; %d live", due, ok, w.Len())
	}
}

// A full wheel stages no timer and does not change.
func TestStageIsBounded(t *testing.T) {
	w := mustHierarchical(t, 64)
	w.Arena.Live = wheel.LiveMax
	if _, err := w.Stage(wheel.Spec{Due: 1, Key: 1}); !errors.Is(err, wheel.ErrCapacity) || w.Len() != wheel.LiveMax {
		t.Errorf("%v, %d live", err, w.Len())
	}
}

// Stages is true only if no timer can be lost by staging.
func TestWhichWheelsStage(t *testing.T) {
	for _, c := range []struct {
		p    catalog.Params
		want bool
	}{
		{nil, true},
		{catalog.Params{"levels": int64(3)}, false},
		{catalog.Params{"slots": []int64{4096, 64, 64, 64, 64}}, false}, // StageMax, but not twice as far
		{catalog.Params{"slots": []int64{4096, 64, 64, 64, 64, 64}}, true},
		{catalog.Params{"slots": []int64{4096, 64, 64, 64, 64, 64}, "migration": "one"}, false},
		{catalog.Params{"width": int64(10), "rounding": "floor"}, false},
		{catalog.Params{"width": int64(10)}, true},
	} {
		w := coretest.Build(t, Algorithm, c.p, 0)
		if w.(*hierarchical).Stages() != c.want {
			t.Errorf("with %v it is not %v", c.p, c.want)
		}
	}
}
