package timer

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Stop racing expiry is exact, in real time: true means that it does not run, false
// that it does, once. So is Cancel.
func TestStopRacesExpiry(t *testing.T) {
	for name, e := range map[string]Executor{"goroutines": Goroutines, "inline": Inline, "pool": Pool(2)} {
		t.Run(name, func(t *testing.T) { stopRacesExpiry(t, e, byHandle) })
	}
	t.Run("by number", func(t *testing.T) { stopRacesExpiry(t, Inline, byNumber) })
}

// byHandle and byNumber arm a timer and give what stops it.
func byHandle(w *Wheel, d time.Duration, f func()) (stop func() bool, err error) {
	t, err := w.AfterFunc(d, f)
	return t.Stop, err
}

func byNumber(w *Wheel, d time.Duration, f func()) (stop func() bool, err error) {
	id, err := w.Schedule(d, f)
	return func() bool { return w.Cancel(id) }, err
}

func stopRacesExpiry(t *testing.T, e Executor, arm func(*Wheel, time.Duration, func()) (func() bool, error)) {
	w := make1(t, Execute(e), Tick(50*time.Microsecond))
	const workers, each = 4, 800
	var ran [workers * each]atomic.Int32
	var stopped [workers * each]bool
	var group sync.WaitGroup
	for g := range workers {
		group.Go(func() {
			rnd := rand.New(rand.NewPCG(1, uint64(g)))
			for k := range each {
				n := g*each + k
				stop, err := arm(w, time.Duration(rnd.IntN(200))*time.Microsecond, func() { ran[n].Add(1) })
				if err != nil {
					t.Error(err)
					return
				}
				for until := time.Now().Add(time.Duration(rnd.IntN(200)) * time.Microsecond); time.Now().Before(until); {
				}
				stopped[n] = stop()
			}
		})
	}
	group.Wait()
	time.Sleep(20 * time.Millisecond)
	if _, err := w.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	count := 0
	for n := range ran {
		if stopped[n] {
			count++
		}
		if got := ran[n].Load(); stopped[n] == (got == 1) || got > 1 {
			t.Fatalf("timer %d: stopped %v, ran %d times", n, stopped[n], got)
		}
	}
	if s := w.Stats(); s.Cancelled != int64(count) || s.Fired != int64(len(ran)-count) {
		t.Errorf("%d of %d stopped, stats %+v", count, len(ran), s)
	}
}

// A pool never runs more than it may, and loses nothing.
func TestPoolIsBounded(t *testing.T) {
	w := make1(t, Execute(Pool(3)), Tick(time.Millisecond))
	var now, most, all atomic.Int32
	for range 200 {
		if _, err := w.AfterFunc(time.Millisecond, func() {
			n := now.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			time.Sleep(100 * time.Microsecond)
			now.Add(-1)
			all.Add(1)
		}); err != nil {
			t.Fatal(err)
		}
	}
	for all.Load() < 200 {
		time.Sleep(time.Millisecond)
	}
	if _, err := w.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if most.Load() > 3 {
		t.Errorf("%d ran at once", most.Load())
	}
}

// Everything at once, for the race detector and for what must add up.
func TestEverythingAtOnce(t *testing.T) {
	w := make1(t, Tick(100*time.Microsecond))
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			rnd := rand.New(rand.NewPCG(3, uint64(g)))
			timer, err := w.NewTimer(time.Millisecond)
			if err != nil {
				t.Error(err)
				return
			}
			for range 2000 {
				d := time.Duration(rnd.IntN(3000)) * time.Microsecond
				switch key := rnd.IntN(20); rnd.IntN(7) {
				case 0:
					w.Set(key, d, func() { w.Remove(key + 1) })
				case 1:
					w.Every(key, d+1, 3, func() {})
				case 2:
					w.Move(key, d)
				case 3:
					w.Remove(key)
				case 4:
					timer.Reset(d)
				case 5:
					timer.Stop()
				default:
					w.Stats()
				}
			}
			timer.Stop()
		})
	}
	group.Wait()
	if _, err := w.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, s := range w.shards {
		if err := s.wheel.(stopped).Wheel.Check(); err != nil {
			t.Error(err)
		}
	}
}
