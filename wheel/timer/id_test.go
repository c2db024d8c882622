package timer

import (
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// Cancel by number holds what Stop holds: once true, never for a number that is stale, though
// its place has another timer.
func TestCancelByNumber(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		var ran atomic.Int32
		first, err := w.Schedule(time.Second, func() { t.Error("cancelled, and it ran") })
		must(t, err)
		if first == 0 || !w.Cancel(first) || w.Cancel(first) {
			t.Fatalf("%x is cancelled once, and only once", first)
		}
		second, err := w.Schedule(time.Second, func() { ran.Add(1) })
		must(t, err)
		if second == first || w.Cancel(first) {
			t.Fatalf("%x cancels what came after it in its place, %x", first, second)
		}
		time.Sleep(2 * time.Second)
		if ran.Load() != 1 || w.Cancel(second) {
			t.Errorf("it ran %d times, and can be cancelled after", ran.Load())
		}
		third, err := w.Schedule(time.Second, nothing)
		must(t, err)
		if !w.Cancel(third) {
			t.Errorf("%x, the third of its place, can't be cancelled", third)
		}
		if s := w.Stats(); s.Pending != 0 || s.Cancelled != 2 || s.Fired != 1 {
			t.Errorf("stats %+v", s)
		}
	})
}

// Numbers that no timer has cancel none.
func TestCancelUnknown(t *testing.T) {
	w := make1(t, Shards(5))
	id, err := w.Schedule(time.Hour, nothing)
	must(t, err)
	rnd := rand.New(rand.NewPCG(1, 2))
	for k := range 100_000 {
		other := ID(rnd.Uint64() >> (k % 64))
		if other != id && w.Cancel(other) {
			t.Fatalf("%x is nobody's number", other)
		}
	}
	if !w.Cancel(id) {
		t.Error("the timer is gone")
	}
	if _, err := w.Schedule(time.Second, nil); !errors.Is(err, ErrNil) {
		t.Errorf("no function: %v", err)
	}
	if _, err := w.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if id, err := w.Schedule(time.Second, nothing); id != 0 || !errors.Is(err, ErrShutdown) {
		t.Errorf("after Shutdown: %x, %v", id, err)
	}
}

// Timers of every shard, in each number of shards, have numbers of their own, and each
// cancels its own timer.
func TestNumbersOfShards(t *testing.T) {
	for _, shards := range []int{1, 2, 3, 5, 8, ShardsMax} {
		w := make1(t, Shards(shards))
		seen := map[ID]bool{}
		for _, s := range w.shards {
			for _, place := range []uint32{1, 2, 1<<(32-w.shardBits) - 1} {
				id, ok := s.id(wheel.NewTimer(place, 7))
				if !ok || seen[id] {
					t.Errorf("%d shards: place %d of shard %d has number %x, given before: %v", shards, place, s.number, id, seen[id])
				}
				seen[id] = true
			}
			if id, ok := s.id(wheel.Timer{}); id != 0 || !ok {
				t.Errorf("%d shards: no timer of shard %d has number %x", shards, s.number, id)
			}
			if id, ok := s.id(wheel.NewTimer(1<<(32-w.shardBits), 7)); w.shardBits > 0 && ok {
				t.Errorf("%d shards: a place past the last has number %x", shards, id)
			}
			s.mu.Lock()
			handle, err := s.arm(s.wheel.Now()+1000, 0, nothing, nil, false, false)
			s.mu.Unlock()
			must(t, err)
			if id, _ := s.id(handle); !w.Cancel(id) || s.wheel.Len() != 0 {
				t.Errorf("%d shards: %x does not cancel the timer of shard %d", shards, id, s.number)
			}
		}
		if _, err := w.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
