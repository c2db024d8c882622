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

// Stop is exact when it runs concurrently with expiry, in real time: if it returns true the
// function does not run, if false it runs once.
func TestStopRacesExpiry(t *testing.T) {
	for name, e := range map[string]Executor{"goroutines": Goroutines, "inline": Inline, "in the driver": byDriver{}} {
		t.Run(name, func(t *testing.T) { stopRacesExpiry(t, e) })
	}
}

func stopRacesExpiry(t *testing.T, e Executor) {
	w := make1(t, WithExecutor(e), WithTick(50*time.Microsecond))
	const workers, each = 4, 800
	var ran [workers * each]atomic.Int32
	var stopped [workers * each]bool
	var group sync.WaitGroup
	for g := range workers {
		group.Go(func() {
			rnd := rand.New(rand.NewPCG(1, uint64(g)))
			for k := range each {
				n := g*each + k
				timer := w.AfterFunc(time.Duration(rnd.IntN(200))*time.Microsecond, func() { ran[n].Add(1) })
				for until := time.Now().Add(time.Duration(rnd.IntN(200)) * time.Microsecond); time.Now().Before(until); {
				}
				stopped[n] = timer.Stop()
			}
		})
	}
	group.Wait()
	time.Sleep(20 * time.Millisecond)
	if err := w.Shutdown(t.Context()); err != nil {
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
	if s := w.Stats(); s.Canceled != int64(count) || s.Fired != int64(len(ran)-count) {
		t.Errorf("%d of %d stopped, stats %+v", count, len(ran), s)
	}
}

// All operations at once, for the race detector and for sums that must be right.
func TestEverythingAtOnce(t *testing.T) {
	w := make1(t, WithTick(100*time.Microsecond))
	k := NewKeyed[int](w)
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			rnd := rand.New(rand.NewPCG(3, uint64(g)))
			timer := w.AfterFunc(time.Millisecond, nothing)
			repeat := w.TickFunc(time.Millisecond, nothing)
			for range 2000 {
				d := time.Duration(rnd.IntN(3000)) * time.Microsecond
				switch key := rnd.IntN(20); rnd.IntN(7) {
				case 0:
					k.AfterFunc(key, d, func(int) { k.Stop(key + 1) })
				case 1:
					repeat.Reset(d + 1)
				case 2:
					k.Reset(key, d)
				case 3:
					k.Stop(key)
				case 4:
					timer.Reset(d)
				case 5:
					timer.Stop()
				default:
					w.Stats()
				}
			}
			timer.Stop()
			repeat.Stop()
		})
	}
	group.Wait()
	w.Compact()
	if err := w.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, s := range w.shards {
		if err := s.observable().Check(); err != nil {
			t.Error(err)
		}
	}
}
