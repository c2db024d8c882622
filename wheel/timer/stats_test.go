package timer

import (
	"encoding/json"
	"expvar"
	"testing"
	"testing/synctest"
	"time"
)

func TestStats(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		for range 30 {
			_, err := w.AfterFunc(10*time.Millisecond, func() {}) // one slot of 64
			must(t, err)
		}
		for k := range 10 {
			must(t, w.Set(k, time.Duration(20+k)*time.Millisecond, func() {}))
		}
		w.Remove(3)
		must(t, w.Set(4, time.Millisecond*24, func() {}))
		if s := w.Stats(); s.Pending != 39 || s.Cancelled != 2 || s.ShardSkew != 1 || s.SlotSkew < 49 || s.SlotSkew > 50 { // 30 × 64 ÷ 39
			t.Errorf("%+v", s)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if s := w.Stats(); s.Fired != 39 || s.WorstTick != 30 || s.Pending != 0 || s.Late != 0 || s.SlotSkew != 0 || s.ShardSkew != 0 {
			t.Errorf("%+v", s)
		}
		_, err := w.AfterFunc(time.Millisecond, func() { time.Sleep(time.Second) })
		must(t, err)
		_, err = w.AfterFunc(2*time.Millisecond, func() {})
		must(t, err)
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if s := w.Stats(); s.Late != 1 || s.WorstLate < 990*time.Millisecond {
			t.Errorf("behind a slow callback: %+v", s)
		}
		v := expvar.Func(func() any { return w.Stats() })
		var told Stats
		if err := json.Unmarshal([]byte(v.String()), &told); err != nil || told.Fired != 41 {
			t.Errorf("%s: %v", v, err)
		}
	}, oneByOne, Shards(1))
}

// The bound holds over all shards, and a place that was given back can be taken.
func TestBoundOverShards(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		for range 3 {
			for k := range 10 {
				must(t, w.Set(k, time.Second, func() {}))
			}
			if err := w.Set(10, time.Second, func() {}); err != ErrFull {
				t.Errorf("the eleventh: %v", err)
			}
			must(t, w.Set(3, time.Minute, func() {})) // in place of another
			w.Remove(4)
			must(t, w.Set(10, time.Second, func() {}))
			if n := len(w.Drain()); n != 10 {
				t.Errorf("drained %d", n)
			}
		}
	}, Shards(8), MaxPending(10))
}
