package timer

import (
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// coarse fires early by its own rule: a timer due within ten ticks is due at once.
var coarse = algorithm("kafka", catalog.Params{"width": int64(10)})

// A timer that is due when it is scheduled runs once and is counted, while other goroutines
// schedule timers and even if the wheel is shut down right after it.
func TestDueWhenScheduledRunsOnce(t *testing.T) {
	const workers, each = 4, 2000
	for name, e := range executors() {
		t.Run(name, func(t *testing.T) {
			w := make1(t, coarse, WithExecutor(e), WithShards(1))
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
			must(t, w.Shutdown(t.Context()))
			sum := int64(0)
			for n := range ran {
				if sum += int64(ran[n].Load()); ran[n].Load() > 1 {
					t.Errorf("one ran %d times", ran[n].Load())
				}
			}
			if s := w.Stats(); sum == 0 || s.Fired != sum {
				t.Errorf("%d of %d ran, %d are counted", sum, workers*each, s.Fired)
			}
		})
	}
}

// An algorithm that spreads timers by creation time receives the creation time.
func TestSpreadByCreation(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		_, err := w.AfterFunc(150*time.Millisecond, func() {})
		must(t, err)
		time.Sleep(160 * time.Millisecond)
		synctest.Wait()
		begun, ran := time.Now(), false
		_, err = w.AfterFunc(100*time.Millisecond, func() {
			ran = true
			if d := time.Since(begun); d < 98*time.Millisecond { // it counts whole ticks, by its own rule
				t.Errorf("fired after %v of 100 ms", d)
			}
		})
		must(t, err)
		time.Sleep(time.Second)
		synctest.Wait()
		if !ran {
			t.Error("it did not fire")
		}
	}, algorithm("lk668", catalog.Params{"faults": []string{}}), WithShards(1))
}

// Near the end of a wheel's range no staged timer is early either.
func TestStagingAtTheReach(t *testing.T) {
	const d = 255*time.Millisecond - 4*time.Microsecond
	for range 5 {
		mock := clock.NewMock()
		begun := mock.Now()
		w := make1(t, WithClock(mockClock(mock)), WithShards(1), algorithm("hierarchical", catalog.Params{"slots": int64(2)}), oneByOne)
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
		must(t, w.Shutdown(t.Context()))
	}
}

// The alternatives to the default in docs/GUIDE.md are never early, nor later than it says.
func TestTheGuidesWheelsAreNeverEarly(t *testing.T) {
	for _, offered := range []struct {
		id    string
		p     catalog.Params
		ticks int
		share float64 // of the delay, in addition to the ticks
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
		}, algorithm(offered.id, offered.p), WithShards(1))
	}
}

// A wheel that can fire early needs WithAllowEarly. All others are never early.
func TestEarlyNeedsPermission(t *testing.T) {
	allowed := 0
	for _, a := range algorithms.Catalogue() {
		made, err := algorithms.New(a.ID, nil, 0)
		must(t, err)
		e, ok := made.(wheel.NeverEarly)
		never := ok && e.NeverEarly()
		w, err := New(WithWheel(func() wheel.Wheel { return made }), WithShards(1))
		if (err == nil) != never {
			t.Errorf("%s: never early %v, and the error is %v", a.ID, never, err)
		}
		if err == nil {
			allowed++
			must(t, w.Shutdown(t.Context()))
			continue
		}
		w, err = New(WithAllowEarly(), WithWheel(func() wheel.Wheel { return made }), WithShards(1))
		must(t, err)
		must(t, w.Shutdown(t.Context()))
	}
	if allowed < 8 {
		t.Errorf("%d wheels are allowed", allowed)
	}
	for _, p := range []catalog.Params{{"migration": "none"}, {"migration": "one", "round": "nearest"}} {
		made, err := algorithms.New("hierarchical", p, 0)
		must(t, err)
		if made.(wheel.NeverEarly).NeverEarly() {
			t.Errorf("hierarchical with %v", p)
		}
	}
}

// A wheel that implements NeverEarly and returns true is never early, at any width.
func TestNeverEarlyIsNeverEarly(t *testing.T) {
	for _, a := range algorithms.Catalogue() {
		for _, p := range []catalog.Params{nil, {"width": int64(7)}} {
			made, err := algorithms.New(a.ID, p, 0)
			if err != nil {
				continue // it has no width
			}
			if e, ok := made.(wheel.NeverEarly); !ok || !e.NeverEarly() {
				continue
			}
			rnd := rand.New(rand.NewPCG(5, 5))
			var fired []wheel.Expiry
			for now := wheel.Tick(0); now < 50_000; now += rnd.Int64N(40) {
				if fired, _ = made.Advance(now, fired[:0], 0); len(fired) > 0 {
					for _, e := range fired {
						if e.Due > made.Now() {
							t.Fatalf("%s %v: due %d, fired at %d", a.ID, p, e.Due, made.Now())
						}
					}
				}
				due := now + 1 + rnd.Int64N(1<<(1+rnd.IntN(16)))
				if _, runs, err := made.Schedule(wheel.Spec{Due: due, Key: 1}); err == nil && runs > 0 {
					t.Fatalf("%s %v: due %d, fired when scheduled at %d", a.ID, p, due, now)
				}
			}
		}
	}
}
