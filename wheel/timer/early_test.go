package timer

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// coarse fires early by its own rule: what is due within ten ticks is due at once.
var coarse = Algorithm("kafka", wheel.Params{"width": int64(10)})

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
