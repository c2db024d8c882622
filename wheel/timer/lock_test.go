package timer

import (
	"sync"
	"testing"
	"time"
)

// A single goroutine schedules at one shard, however often it waits there for the driver.
// Goroutines that contend for a lock, or that wait for the driver, are distributed over the shards.
func TestContendingGoroutinesUseAllShards(t *testing.T) {
	for name, c := range map[string]struct {
		driver        bool // holds s.mu
		armers        int  // wait for s.mu
		distributions bool
	}{
		"alone behind the driver":        {true, 1, false},
		"several behind the driver":      {true, 3, true},
		"one that meets another at work": {false, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := make1(t, WithShards(8))
			defer w.Shutdown(t.Context())
			for range contentionsEach {
				meet(t, w.shards[0], c.driver, c.armers)
			}
			if n := picked(w); (n > 1) != c.distributions {
				t.Errorf("100 goroutines schedule at %d shards", n)
			}
		})
	}
}

// meet makes goroutines wait for s.mu of a shard.
func meet(t *testing.T, s *shard, driver bool, armers int) {
	s.mu.Lock()
	s.driving.Store(driver)
	var group sync.WaitGroup
	for range armers {
		group.Go(func() {
			s.lock()
			s.mu.Unlock()
		})
	}
	for deadline := time.Now().Add(10 * time.Second); s.waiting.Load() < int32(armers); {
		if time.Now().After(deadline) {
			t.Fatal("they do not wait")
		}
		time.Sleep(10 * time.Microsecond)
	}
	s.driving.Store(false)
	s.mu.Unlock()
	group.Wait()
}

// picked returns how many shards concurrent goroutines are given.
func picked(w *Wheel) int {
	var mu sync.Mutex
	var group, all sync.WaitGroup
	shards := map[*shard]bool{}
	all.Add(100)
	for range 100 {
		group.Go(func() {
			s := w.pick()
			mu.Lock()
			shards[s] = true
			mu.Unlock()
			all.Done()
			all.Wait()
		})
	}
	group.Wait()
	return len(shards)
}
