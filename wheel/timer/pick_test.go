package timer

import (
	"testing"
	"time"
)

// While the driver of a shard holds its mu, a new timer goes to another shard.
func TestNewTimersDoNotWaitForADriver(t *testing.T) {
	w := make1(t, WithShards(4))
	defer w.Shutdown(t.Context())
	s := w.pick()
	s.mu.Lock()
	s.driving.Store(true)
	scheduled := make(chan bool)
	go func() {
		h := w.AfterFunc(time.Hour, nothing)
		scheduled <- h.shard != s && h.Stop()
	}()
	select {
	case ok := <-scheduled:
		if !ok {
			t.Error("not scheduled in another shard")
		}
	case <-time.After(10 * time.Second):
		t.Error("AfterFunc waits for the driver")
	}
	s.driving.Store(false)
	s.mu.Unlock()
}

// The timers of a single goroutine are distributed over all shards, about equally, also after all
// or some are stopped and scheduled again. A new timer takes the place of the one that was stopped
// before it.
func TestOneGoroutineUsesAllShards(t *testing.T) {
	for name, distributions := range map[string]uint64{"alone": 0, "after others contended": 1} {
		t.Run(name, func(t *testing.T) {
			w := make1(t, WithShards(4))
			defer w.Shutdown(t.Context())
			w.distributions.Store(distributions)
			timers := make([]Timer, 40*balanceStep)
			for range 2 {
				for k := range timers {
					timers[k] = w.AfterFunc(time.Hour, nothing)
				}
				checkBalance(t, w, len(timers), distributions == 0)
				for k := range timers {
					timers[k].Stop()
				}
			}
			if distributions > 0 {
				return
			}
			for _, n := range []int{8 * balanceStep, len(timers)} {
				for k := range timers {
					timers[k].Stop()
				}
				for k := range n {
					timers[k] = w.AfterFunc(time.Hour, nothing)
				}
				checkBalance(t, w, n, true)
			}
			for k := 0; k < len(timers); k += 777 {
				timers[k].Stop()
				again := w.AfterFunc(time.Hour, nothing)
				if again.shard != timers[k].shard {
					t.Fatalf("timer %d was stopped in shard %d, the next one is in %d", k, timers[k].shard.number, again.shard.number)
				}
			}
		})
	}
}

// checkBalance checks how n timers are distributed over the shards. If even is true, no shard has
// more than 3·balanceStep timers too many; otherwise, the fullest shard must not have nearly all.
func checkBalance(t *testing.T, w *Wheel, n int, even bool) {
	t.Helper()
	fullest := 0
	for _, s := range w.shards {
		s.mu.Lock()
		fullest = max(fullest, s.wheel.Len())
		s.mu.Unlock()
	}
	most := n * 3 / 4
	if even {
		most = n/len(w.shards) + 3*balanceStep
	}
	if fullest > most {
		t.Errorf("of %d timers %d are in one of %d shards", n, fullest, len(w.shards))
	}
}
