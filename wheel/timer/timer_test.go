package timer

import (
	"fmt"
	"math"
	"slices"
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

// inBubble runs a test in a bubble of testing/synctest on a wheel that is shut down afterwards.
func inBubble(t *testing.T, test func(t *testing.T, w *Wheel), options ...Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := make1(t, options...)
		test(t, w)
		if err := w.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func make1(t *testing.T, options ...Option) *Wheel {
	t.Helper()
	w, err := New(options...)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// algorithm returns an option with which package algorithms creates the wheel.
func algorithm(id string, p catalog.Params) Option {
	return func(c *config) {
		c.allowEarly = true
		c.make = func() wheel.Wheel {
			made, err := algorithms.New(id, p, 0)
			if err != nil {
				panic(err)
			}
			return made
		}
	}
}

// mockClock adapts a clock of benbjohnson/clock, as timerclock.From does.
func mockClock(c clock.Clock) Clock { return adapted{c} }

type adapted struct{ clock.Clock }

func (a adapted) NewTimer(d time.Duration) ClockTimer { return adaptedTimer{a.Timer(d)} }

type adaptedTimer struct{ *clock.Timer }

func (t adaptedTimer) C() <-chan time.Time { return t.Timer.C }

var oneByOne = WithExecutor(Inline)

// No exact algorithm fires a timer early, or later than a tick. The same is true of tokio within
// 2^30 ticks.
func TestNeverEarlyAndATickLateAtMost(t *testing.T) {
	for _, a := range algorithms.Catalogue() {
		p, err := a.Fill(nil)
		must(t, err)
		if !a.Exact(p) && a.ID != "tokio" || a.ID == "simple" {
			continue
		}
		t.Run(a.ID, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *Wheel) {
				begun := time.Now()
				var mu sync.Mutex
				var late []time.Duration
				for k := range 400 {
					time.Sleep(time.Duration(k*k%701) * 100 * time.Microsecond)
					d := time.Duration(k*7919%90_000) * 137 * time.Microsecond
					due := time.Now().Add(d)
					w.AfterFunc(d, func() {
						mu.Lock()
						defer mu.Unlock()
						late = append(late, time.Since(due))
					})
				}
				time.Sleep(15 * time.Second)
				synctest.Wait()
				if len(late) != 400 {
					t.Fatalf("%d of 400 fired", len(late))
				}
				if first, last := slices.Min(late), slices.Max(late); first < 0 || last > 2*time.Millisecond {
					t.Errorf("fired %v to %v after they were due, %v after the beginning", first, last, time.Since(begun))
				}
			}, algorithm(a.ID, nil))
		})
	}
}

// Timers missed in a stall fire afterwards, in order and once.
func TestStallIsMadeUpInOrder(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		var got []int
		block := make(chan struct{})
		w.AfterFunc(time.Millisecond, func() { <-block }) // inline: it blocks the driver
		for k := range 50 {
			w.AfterFunc(time.Duration(50-k)*10*time.Millisecond, func() { got = append(got, 50-k) })
		}
		time.Sleep(10 * time.Second)
		close(block)
		synctest.Wait()
		if len(got) != 50 || !slices.IsSorted(got) {
			t.Errorf("fired %v", got)
		}
		if s := w.Stats(); s.Late != 50 || s.Lateness.Sum < 50*9*time.Second || s.Fired != 51 {
			t.Errorf("stats %+v", s)
		}
	}, oneByOne, WithShards(1))
}

func TestStopAndReset(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		var n atomic.Int64
		timer := w.AfterFunc(time.Second, func() { n.Add(1) })
		if !timer.Stop() || timer.Stop() {
			t.Error("the first Stop is true, the second false")
		}
		time.Sleep(2 * time.Second)
		if n.Load() != 0 {
			t.Fatal("a stopped timer ran")
		}
		if was := timer.Reset(time.Second); was {
			t.Errorf("Reset of a stopped one: %v", was)
		}
		time.Sleep(500 * time.Millisecond)
		if was := timer.Reset(time.Second); !was {
			t.Errorf("Reset of a pending one: %v", was)
		}
		time.Sleep(900 * time.Millisecond)
		if n.Load() != 0 {
			t.Error("it ran when it was due before")
		}
		time.Sleep(200 * time.Millisecond)
		synctest.Wait()
		if n.Load() != 1 || timer.Stop() {
			t.Errorf("it ran %d times", n.Load())
		}
	}, oneByOne)
}

// A callback may call every function of the package.
func TestCallsFromCallbacks(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		var mu sync.Mutex // the callback runs on a different goroutine from the one that sets these two
		var self, sibling Timer
		var got []string
		mu.Lock()
		self = w.AfterFunc(time.Second, func() {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, fmt.Sprint("self ", self.Stop()))
			got = append(got, fmt.Sprint("sibling ", sibling.Stop()))
			w.AfterFunc(0, func() { got = append(got, "again") })
		})
		sibling = w.AfterFunc(time.Hour, func() { t.Error("a stopped sibling ran") })
		mu.Unlock()
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if want := []string{"self false", "sibling true", "again"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}, oneByOne, WithShards(1))
}

func TestBadInput(t *testing.T) {
	for name, o := range map[string]Option{
		"tick": WithTick(0), "negative tick": WithTick(-1), "shards": WithShards(0), "many shards": WithShards(shardsMax + 1),
		"executor": WithExecutor(nil), "no wheel": WithWheel(func() wheel.Wheel { return nil }),
		"no levels": WithSlots(), "no slots": WithSlots(64, 0), "many levels": WithSlots(make([]int, 100)...),
	} {
		if w, err := New(o); err == nil || w != nil {
			t.Errorf("%s is taken", name)
		}
	}
	inBubble(t, func(t *testing.T, w *Wheel) {
		n := 0
		for _, d := range []time.Duration{0, -1, math.MinInt64} {
			w.AfterFunc(d, func() { n++ })
		}
		longest := w.AfterFunc(math.MaxInt64, func() { t.Error("the longest duration is over") })
		time.Sleep(24 * time.Hour)
		if synctest.Wait(); n != 3 || !longest.Stop() {
			t.Errorf("%d of 3 at once ran", n)
		}
	}, oneByOne, WithShards(1))
}

// A timer beyond the range of a fixed wheel waits and fires in time. One that a wheel of WithWheel rejects never fires, and
// is counted.
func TestPastTheReach(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		begun, fired := time.Now(), time.Duration(0)
		timer := w.AfterFunc(time.Second, func() { fired = time.Since(begun) })
		if at, ok := timer.Deadline(); !ok || at.Sub(begun) != time.Second || w.Pending() != 1 {
			t.Errorf("deadline %v, %v", at.Sub(begun), ok)
		}
		time.Sleep(2 * time.Second)
		if synctest.Wait(); fired != time.Second {
			t.Errorf("it fired after %v", fired)
		}
	}, oneByOne, WithSlots(16))
	inBubble(t, func(t *testing.T, w *Wheel) {
		timer := w.AfterFunc(time.Second, func() { t.Error("it ran") })
		if w.Pending() != 0 || w.Stats().Rejected != 1 || timer.Stop() || timer.Reset(time.Hour) {
			t.Errorf("%+v", w.Stats())
		}
		if timer.Reset(time.Millisecond); w.Pending() != 1 || !timer.Stop() || w.Stats().Rejected != 2 {
			t.Errorf("after Reset: %+v", w.Stats())
		}
	}, oneByOne, algorithm("simple", catalog.Params{"slots": int64(16)}))
}

func TestLateHook(t *testing.T) {
	var late []time.Duration
	inBubble(t, func(t *testing.T, w *Wheel) {
		w.AfterFunc(time.Second, func() { time.Sleep(time.Second) })
		w.AfterFunc(1500*time.Millisecond, func() {})
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if len(late) != 1 || late[0] < 500*time.Millisecond || late[0] > 502*time.Millisecond {
			t.Errorf("got %v", late)
		}
	}, oneByOne, WithShards(1), WithOnLate(100*time.Millisecond, func(d time.Duration) { late = append(late, d) }))
}

func nothing() {}
