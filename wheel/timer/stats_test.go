package timer

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestStats(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		for range 30 {
			w.AfterFunc(10*time.Millisecond, func() {}) // one slot of 64
		}
		keys := NewKeyed[int](w)
		for k := range 10 {
			keys.AfterFunc(k, time.Duration(20+k)*time.Millisecond, func(int) {})
		}
		keys.Stop(3)
		keys.AfterFunc(4, time.Millisecond*24, func(int) {})
		if s := w.Stats(); s.Pending != 39 || s.Canceled != 1 || s.ShardSkew != 1 || s.SlotSkew < 49 || s.SlotSkew > 50 { // 30 × 64 ÷ 39
			t.Errorf("%+v", s)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if s := w.Stats(); s.Fired != 39 || s.Lateness.Counts[0] != 39 || s.Pending != 0 || s.Late != 0 || s.SlotSkew != 0 || s.ShardSkew != 0 {
			t.Errorf("%+v", s)
		}
		w.AfterFunc(time.Millisecond, func() { time.Sleep(time.Second) })
		w.AfterFunc(2*time.Millisecond, func() {})
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if s := w.Stats(); s.Late != 1 || s.Lateness.Counts[13] != 1 {
			t.Errorf("behind a slow callback: %+v", s)
		}
	}, oneByOne, WithShards(1))
}

// A duration is counted in the first bucket whose bound is not less.
func TestHistogram(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	var h Histogram
	for n := range 10_000 {
		d := time.Duration(rnd.Int64() >> rnd.IntN(63))
		if n%3 == 0 {
			d = h.Bound(rnd.IntN(len(h.Counts))) + time.Duration(rnd.IntN(3)-1)
		}
		if d < 0 {
			d = math.MaxInt64
		}
		var one Histogram
		one.count(d, 1)
		k := slices.Index(one.Counts[:], 1)
		if d > one.Bound(k) || k > 0 && d <= one.Bound(k-1) || one.Sum != d {
			t.Fatalf("%v is in bucket %d, up to %v; sum %v", d, k, one.Bound(k), one.Sum)
		}
	}
	h.count(math.MaxInt64, 3)
	h.count(-1, 2)
	h.add(&h)
	if h.Sum != math.MaxInt64 || h.Counts[0] != 4 || h.Counts[len(h.Counts)-1] != 6 {
		t.Errorf("%+v", h)
	}
}
