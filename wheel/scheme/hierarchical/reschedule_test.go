package hierarchical

import (
	"math/rand/v2"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
)

// Random timers are scheduled, rescheduled and cancelled, also in the middle of a tick, and each fires once, at its
// last due tick.
func TestReschedule(t *testing.T) {
	for seed := range uint64(400) {
		rnd := rand.New(rand.NewPCG(3, seed))
		slots := []int{2, 3, 4, 8, 64}[seed%5]
		made, err := New(Config{Slots: []int{slots}, Grow: true, Endless: true, Width: 1, Placement: Placement(seed % 2)})
		if err != nil {
			t.Fatal(err)
		}
		w := made.(*hierarchical)
		fires, handles := map[uint32]wheel.Tick{}, map[uint32]wheel.Timer{}
		lazy, moved := 0, 0
		for key := uint32(1); key <= 3000; key++ {
			if rnd.IntN(3) > 0 {
				due := w.Now() + 1 + rnd.Int64N(1<<(1+rnd.IntN(11)))
				h, _, err := w.Schedule(wheel.Spec{Due: due, Key: key})
				if err != nil {
					t.Fatal(err)
				}
				handles[key], fires[key] = h, due
			}
			for range rnd.IntN(4) {
				other := 1 + rnd.Uint32N(key)
				due := w.Now() + 1 + rnd.Int64N(1<<(1+rnd.IntN(11)))
				slot := uint32(0)
				if n := w.Arena.Find(handles[other]); n != nil {
					slot = n.Slot
				}
				_, live := fires[other]
				if got, ok := w.Reschedule(handles[other], due); ok != live || ok && got != due {
					t.Fatalf("seed %d: Reschedule of %d is %v, want %v", seed, other, ok, live)
				}
				if live {
					fires[other] = due
					if w.Arena.Find(handles[other]).Slot == slot {
						lazy++
					} else {
						moved++
					}
				}
			}
			if other := 1 + rnd.Uint32N(key); rnd.IntN(4) == 0 {
				_, live := fires[other]
				if w.Cancel(handles[other]) != live {
					t.Fatalf("seed %d: Cancel", seed)
				}
				delete(fires, other)
			}
			if rnd.IntN(3) == 0 {
				to := w.Now() + rnd.Int64N(40)
				budget := rnd.IntN(2) * (1 + rnd.IntN(5))
				fired, _ := w.Advance(to, nil, budget)
				for _, e := range fired {
					if want, live := fires[e.Key]; !live || want != e.Due || e.Due > w.Now() {
						t.Fatalf("seed %d: %d fired at %d, due %d, want %d (%v)", seed, e.Key, w.Now(), e.Due, want, live)
					}
					delete(fires, e.Key)
				}
				if !w.Unfinished {
					for k, due := range fires {
						if due <= w.Now() {
							t.Fatalf("seed %d: %d is overdue, %d at %d", seed, k, due, w.Now())
						}
					}
				}
			}
			if key%16 == 0 {
				if err := w.Check(); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
			if w.Len() != len(fires) {
				t.Fatalf("seed %d: %d live, want %d", seed, w.Len(), len(fires))
			}
		}
		fired, _ := w.Advance(w.Now()+1<<20, nil, 0)
		for _, e := range fired {
			if fires[e.Key] != e.Due {
				t.Fatalf("seed %d: %d", seed, e.Key)
			}
			delete(fires, e.Key)
		}
		if len(fires) > 0 || w.Check() != nil || lazy < 30 || moved < 30 {
			t.Fatalf("seed %d: %d never fired, %d lazy, %d moved, %v", seed, len(fires), lazy, moved, w.Check())
		}
	}
}
