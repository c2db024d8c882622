package timer

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// shardOnTestClock returns a hierarchical wheel of one shard with the given parameters, whose time the test
// sets and whose driver is not started.
func shardOnTestClock(t *testing.T, p catalog.Params) (*shard, *time.Duration) {
	t.Helper()
	passive, err := algorithms.New("hierarchical", p, 0)
	must(t, err)
	now := new(time.Duration)
	w := &Wheel{tick: time.Millisecond, now: func() time.Duration { return *now }}
	w.inverse = inverse(w.tick)
	s := newShard(w, 0, passive, true)
	w.shards = []*shard{s}
	return s, now
}

// expireAt does the same as the driver's turn, and compares the fired timers with the due times.
func expireAt(t *testing.T, s *shard, now time.Duration, dues map[uint32]time.Duration, longest time.Duration) {
	t.Helper()
	s.endGroup(now)
	next, ok := s.wheel.Next()
	if !ok {
		return
	}
	fired, _ := s.wheel.Advance(wheel.Tick(now/s.owner.tick), nil, 0)
	for _, e := range fired {
		at := time.Duration(e.Due) * s.owner.tick
		due, known := dues[e.Key]
		if early := due - at; !known || early > 0 || early <= -s.owner.tick-longest {
			t.Fatalf("timer %d, due at %v, is worked at %v (next was %d)", e.Key, due, at, next)
		}
		delete(dues, e.Key)
		s.calls.remove(e.Key)
	}
	if len(fired) == 0 {
		return
	}
	if err := s.observable().Check(); err != nil {
		t.Fatal(err)
	}
}

// Timers of one tick fire in order of scheduling, whether or not they shared a clock read.
func TestSharingKeepsTheOrder(t *testing.T) {
	s, now := shardOnTestClock(t, nil)
	var order []uint32
	shared := 0
	for k := range 300 {
		*now += 100
		due, _ := s.owner.due(*now + 50*time.Millisecond)
		switch {
		case k%70 != 69:
			h := s.scheduleIn(50*time.Millisecond, nothing)
			order = append(order, h.Index())
		default: // as TickFunc does
			h := s.schedule(due, nothing)
			order = append(order, h.Index())
		}
		if len(s.sharing.timers) > 0 {
			shared++
		}
	}
	s.endGroup(*now)
	fired, _ := s.wheel.Advance(51, nil, 0)
	for k, e := range fired {
		if e.Key != order[k] {
			t.Fatalf("number %d to fire is timer %d, want %d", k, e.Key, order[k])
		}
	}
	if len(fired) != len(order) || shared < 200 {
		t.Errorf("%d of %d fired, %d shared a clock read", len(fired), len(order), shared)
	}
}

// While the driver is late, a sample includes the timers that were scheduled with a shared clock read
// and have no slot yet.
func TestSampleIncludesSharedTimers(t *testing.T) {
	s, now := shardOnTestClock(t, nil)
	for range sharingProbe + sharingMost/2 {
		*now += 100
		s.scheduleIn(time.Millisecond, nothing)
	}
	if len(s.sharing.timers) == 0 {
		t.Fatal("no clock read is shared")
	}
	*now += time.Second
	l, listed := s.sample(s.owner.tickNow(), new(watch.Totals), true), 0
	for _, p := range l.State.Places {
		listed += len(p.Entries)
	}
	if !l.Full || listed != s.wheel.Len() {
		t.Errorf("%d of %d timers are listed", listed, s.wheel.Len())
	}
}

// If the clock does not move between two reads, no read is shared.
func TestNothingIsSharedIfTheClockStops(t *testing.T) {
	s, _ := shardOnTestClock(t, nil)
	for range 1000 {
		if s.scheduleIn(time.Second, nothing); len(s.sharing.timers) > 0 {
			t.Fatal("a group on a clock that is stopped")
		}
	}
}

// In real time, scheduling as fast as possible: no timer is early, and all fire.
func TestSharingInRealTime(t *testing.T) {
	w := make1(t, WithExecutor(Inline), WithShards(1))
	var mu sync.Mutex
	left, early := 20000, time.Duration(0)
	done := make(chan bool)
	for range left {
		begun := time.Now()
		d := time.Duration(rand.Int64N(int64(20 * time.Millisecond)))
		w.AfterFunc(d, func() {
			over := time.Since(begun) - d
			mu.Lock()
			defer mu.Unlock()
			early = min(early, over)
			if left--; left == 0 {
				close(done)
			}
		})
	}
	<-done
	if early < 0 {
		t.Errorf("one fired %v early", -early)
	}
	if err := w.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
}
