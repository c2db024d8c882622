package timer

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// coarse fires early by its own rule: what is due within ten ticks is due at once.
var coarse = Algorithm("kafka", catalog.Params{"width": int64(10)})

// What is due when it is armed runs once and is counted, whoever else arms meanwhile,
// and though the wheel is shut down right behind it.
func TestDueWhenArmedRunsOnce(t *testing.T) {
	const workers, each = 4, 2000
	for name, e := range executors() {
		t.Run(name, func(t *testing.T) {
			w := make1(t, coarse, Execute(e), Shards(1))
			var ran [workers * each]atomic.Int32
			var group sync.WaitGroup
			for g := range workers {
				group.Go(func() {
					for k := range each {
						n := g*each + k
						if _, err := w.AfterFunc(time.Duration(k%3)*time.Millisecond, func() { ran[n].Add(1) }); err != nil {
							t.Error(err)
						}
						if k%50 == 0 {
							time.Sleep(200 * time.Microsecond)
						}
					}
				})
			}
			group.Wait()
			left, err := w.Shutdown(t.Context())
			must(t, err)
			sum := len(left)
			for n := range ran {
				if sum += int(ran[n].Load()); ran[n].Load() > 1 {
					t.Errorf("one ran %d times", ran[n].Load())
				}
			}
			if s := w.Stats(); sum != workers*each || s.Fired != int64(sum-len(left)) {
				t.Errorf("%d of %d ran or are left, %d are counted", sum, workers*each, s.Fired)
			}
		})
	}
}

// Channels are armed by the driver itself, in the middle of a batch.
func TestDueWhenArmedByTheDriver(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		var tickers []*Ticker
		for range 20 {
			k, err := w.NewTicker(3 * time.Millisecond)
			must(t, err)
			tickers = append(tickers, k)
		}
		ran := 0
		must(t, w.Every("beat", 2*time.Millisecond, 50, func() { ran++ }))
		for range 20 {
			for _, k := range tickers {
				<-k.C
			}
		}
		for _, k := range tickers {
			k.Stop()
		}
		time.Sleep(time.Second)
		if synctest.Wait(); ran != 50 {
			t.Errorf("%d of 50 runs", ran)
		}
	}, coarse, oneByOne, Shards(1))
}

// An algorithm that spreads timers by when they were created is told when.
func TestSpreadByCreation(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		_, err := w.AfterFunc(150*time.Millisecond, func() {})
		must(t, err)
		time.Sleep(160 * time.Millisecond)
		synctest.Wait()
		begun, ran := time.Now(), false
		_, err = w.AfterFunc(100*time.Millisecond, func() {
			ran = true
			if d := time.Since(begun); d < 98*time.Millisecond { // it counts whole ticks, its own way
				t.Errorf("fired after %v of 100 ms", d)
			}
		})
		must(t, err)
		time.Sleep(time.Second)
		synctest.Wait()
		if !ran {
			t.Error("it did not fire")
		}
	}, Algorithm("lk668", catalog.Params{"faults": []string{}}), Shards(1))
}

// Where a wheel's reach ends near, a crowd is never early either.
func TestCrowdAtTheReach(t *testing.T) {
	const d = 255*time.Millisecond - 4*time.Microsecond
	for range 5 {
		mock := clock.NewMock()
		begun := mock.Now()
		w := make1(t, Clock(mock), Shards(1), Algorithm("hierarchical", catalog.Params{"slots": int64(2)}), oneByOne)
		var early atomic.Int64
		refused := 0
		for range 60 {
			due := mock.Now().Add(d)
			_, err := w.AfterFunc(d, func() { early.Store(max(early.Load(), int64(due.Sub(mock.Now())))) })
			if errors.Is(err, wheel.ErrRange) { // 256 ticks
				refused++
			}
			mock.Set(mock.Now().Add(100 * time.Nanosecond))
		}
		for k := 1; k <= 256; k++ {
			mock.Set(begun.Add(time.Duration(k) * time.Millisecond))
		}
		for w.Stats().Fired < int64(60-refused) || w.Running() > 0 {
			time.Sleep(time.Millisecond)
		}
		if early.Load() > 0 || refused > 30 {
			t.Errorf("%d refused, %v early", refused, time.Duration(early.Load()))
		}
		_, err := w.Shutdown(t.Context())
		must(t, err)
	}
}

// What docs/GUIDE.md offers in place of the default is never early, nor later than it says.
func TestTheGuidesWheelsAreNeverEarly(t *testing.T) {
	for _, offered := range []struct {
		id    string
		p     catalog.Params
		ticks int
		share float64 // of the delay, beside the ticks
	}{
		{"rounds", nil, 1, 0},
		{"linux", nil, 2, 8. / 63},
		{"hierarchical", catalog.Params{"migration": "none", "round": "ceil"}, 1, 1},
		{"heap", nil, 1, 0},
		{"simple", catalog.Params{"overflow": "list"}, 1, 0},
	} {
		inBubble(t, func(t *testing.T, w *Wheel) {
			for d := 500 * time.Microsecond; d < 90*time.Second; d += d/3 + time.Millisecond {
				begun := time.Now()
				_, err := w.AfterFunc(d, func() {
					most := time.Duration(offered.ticks)*time.Millisecond + time.Duration(offered.share*float64(d+time.Millisecond))
					if late := time.Since(begun) - d; late < 0 || late > most {
						t.Errorf("%s: %v late by %v, at most by %v", offered.id, d, late, most)
					}
				})
				must(t, err)
			}
			time.Sleep(4 * time.Minute)
			if synctest.Wait(); w.Pending() > 0 {
				t.Errorf("%s: %d are left", offered.id, w.Pending())
			}
		}, Algorithm(offered.id, offered.p), Shards(1))
	}
}
