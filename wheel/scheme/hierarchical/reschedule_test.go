package hierarchical

import (
	"math/rand/v2"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// Random timers are scheduled, rescheduled and cancelled, also in the middle of a tick, and each fires once, at its
// last due tick. In a wheel with Config.Program a timer may fire later if the budget of Advance is limited.
func TestReschedule(t *testing.T) {
	for seed := range uint64(240) {
		rnd := rand.New(rand.NewPCG(3, seed))
		slots := []int{2, 3, 4, 8, 64}[seed%5]
		c := Config{Slots: []int{slots}, Grow: true, Endless: true, Width: 1, Placement: Placement(seed % 2)}
		switch seed % 3 {
		case 1:
			c.Program = true
		case 2: // most due ticks are beyond the range
			c = Config{Slots: []int{slots, slots - 1}, Width: 1, Program: true}
		}
		made, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		w := made.(*hierarchical)
		fires, handles := map[uint32]wheel.Tick{}, map[uint32]wheel.Timer{}
		lazy, moved := 0, 0
		late := wheel.Tick(0) // how late timers may be
		check := func(fired []wheel.Expiry) {
			t.Helper()
			for _, e := range fired {
				if want, live := fires[e.Key]; !live || want != e.Due || e.Due > w.Now() || e.Due < w.Now()-late-40 {
					t.Fatalf("seed %d: %d fired at %d, due %d, want %d (%v)", seed, e.Key, w.Now(), e.Due, want, live)
				}
				delete(fires, e.Key)
			}
		}
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
				fired, status := w.Advance(to, nil, budget)
				if check(fired); status == wheel.Budget && c.Program {
					late += 40
				}
				if status == wheel.Done {
					late = 0
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
			if key%500 == 0 {
				settleAll(t, w)
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
		if len(fires) > 0 || w.Check() != nil || lazy < 5 || moved < 5 {
			t.Fatalf("seed %d: %d never fired, %d lazy, %d moved, %v", seed, len(fires), lazy, moved, w.Check())
		}
	}
}

// settleAll calls Compact until it is done, and checks that no timer is in a slot that is visited before the slot of its
// due tick, but those beyond the range and those whose visit has begun.
func settleAll(t *testing.T, w *hierarchical) {
	t.Helper()
	for w.Compact() {
	}
	for slot := range w.Slots {
		s := &w.Slots[slot]
		for k, i := range s.IDs {
			n := w.Arena.At(i)
			if l, _ := w.levelFor(max(n.Due, w.clock+1)); l >= 0 && n.State == core.StatePostponed && s.Holds(&w.Arena, uint32(slot), k) && !w.Waits(n) {
				t.Fatalf("timer %d, due %d, is still postponed at %d", n.Key, n.Due, w.clock)
			}
		}
	}
	if err := w.Check(); err != nil {
		t.Fatal(err)
	}
}

// While the visit of a slot with very many postponed timers goes on, timers of later ticks fire in time.
func TestLaterTicksPassALongVisit(t *testing.T) {
	const crowd, budget = 50_000, 1 << 10
	w, err := New(Config{Slots: []int{64}, Grow: true, Endless: true, Program: true, Width: 1})
	if err != nil {
		t.Fatal(err)
	}
	for key := range uint32(crowd) {
		h, _, err := w.Schedule(wheel.Spec{Due: 10_000, Key: key + 1})
		if err != nil {
			t.Fatal(err)
		}
		w.Reschedule(h, 20_000)
	}
	for tick := wheel.Tick(1); tick <= 20_000; tick++ {
		due := tick + 3
		if _, _, err := w.Schedule(wheel.Spec{Due: due, Key: crowd + uint32(due)}); err != nil {
			t.Fatal(err)
		}
		fired, _ := w.Advance(tick, nil, budget) // one turn a tick
		for _, e := range fired {
			if e.Due < tick && e.Key > crowd {
				t.Fatalf("a timer due %d fired at %d", e.Due, tick)
			}
		}
	}
	for status := wheel.Budget; status == wheel.Budget; {
		_, status = w.Advance(20_010, nil, budget)
	}
	if w.Len() != 0 {
		t.Errorf("%d timers have not fired", w.Len())
	}
}
