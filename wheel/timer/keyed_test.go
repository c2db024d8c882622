package timer

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wheelscope/wheelscope/wheel/catalog"
)

func TestKeys(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		var told []string
		say := func(s string) func() { return func() { told = append(told, s) } }
		must(t, w.Set("a", time.Second, say("old a")))
		must(t, w.Set("a", 2*time.Second, say("a")))
		must(t, w.Set(7, 3*time.Second, say("seven")))
		must(t, w.Set("b", time.Second, say("b")))
		if !w.Remove("b") || w.Remove("b") || w.Has("b") || !w.Has(7) {
			t.Error("Remove or Has")
		}
		if ok, err := w.Move(7, time.Second); !ok || err != nil {
			t.Errorf("Move: %v, %v", ok, err)
		}
		if ok, err := w.Move("b", time.Second); ok || err != nil {
			t.Errorf("Move of nothing: %v, %v", ok, err)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if want := []string{"seven", "a"}; !slices.Equal(told, want) || w.Has("a") || w.Has(7) {
			t.Errorf("got %q, want %q", told, want)
		}
		if s := w.Stats(); s.Fired != 2 || s.Cancelled != 2 {
			t.Errorf("%+v", s)
		}
	}, oneByOne, Shards(1))
}

func TestEvery(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		begun := time.Now()
		var at []time.Duration
		must(t, w.Every("x", time.Second, 3, func() { at = append(at, time.Since(begun).Round(10*time.Millisecond)) }))
		time.Sleep(1500 * time.Millisecond)
		if ok, _ := w.Move("x", 2*time.Second); !ok { // two runs are left: at 3.5 and 4.5
			t.Error("Move")
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if want := []time.Duration{time.Second, 3500 * time.Millisecond, 4500 * time.Millisecond}; !slices.Equal(at, want) || w.Has("x") {
			t.Errorf("ran at %v, want %v", at, want)
		}
		n := 0
		must(t, w.Every("y", time.Second, -1, func() { n++ }))
		time.Sleep(100500 * time.Millisecond)
		if !w.Has("y") || !w.Remove("y") {
			t.Error("an endless timer is gone")
		}
		time.Sleep(time.Minute)
		if synctest.Wait(); n != 100 {
			t.Errorf("ran %d times in 100 s", n)
		}
	}, oneByOne, Shards(1))
}

// Equal intervals stay spread by when they were made.
func TestEveryFrom(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		begun := time.Now()
		time.Sleep(10 * time.Second)
		var at []time.Duration
		for k := range 4 {
			created := begun.Add(time.Duration(k) * 250 * time.Millisecond)
			must(t, w.EveryFrom(k, created, time.Second, 1, func() { at = append(at, time.Since(begun).Round(10*time.Millisecond)) }))
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		want := []time.Duration{10250 * time.Millisecond, 10500 * time.Millisecond, 10750 * time.Millisecond, 11 * time.Second}
		if !slices.Equal(at, want) {
			t.Errorf("ran at %v, want %v", at, want)
		}
	}, oneByOne, Shards(1))
}

// However long ago or far ahead it was created, the first run comes in that rhythm.
func TestEveryFromFarAway(t *testing.T) {
	const d = 7 * time.Second
	for name, created := range map[string]time.Time{
		"zero": {}, "1970": time.Unix(0, 0), "centuries ago": time.Date(1500, 1, 1, 0, 0, 0, 0, time.UTC),
		"long before": time.Unix(-1<<40, 0), "ahead": time.Date(2000, 1, 1, 0, 0, 12, 0, time.UTC),
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *Wheel) {
				time.Sleep(3 * time.Second)
				want := d - time.Duration((time.Now().Unix()-created.Unix())%7)*time.Second // what is left of the interval that runs
				if created.After(time.Now()) {
					want = time.Until(created) + d
				}
				var at []time.Duration
				begun := time.Now()
				must(t, w.EveryFrom("k", created, d, 1, func() { at = append(at, time.Since(begun)) }))
				time.Sleep(time.Minute)
				synctest.Wait()
				if len(at) != 1 || at[0] < want || at[0] > want+2*time.Millisecond {
					t.Errorf("ran after %v, want %v", at, want)
				}
			}, oneByOne, Shards(1))
		})
	}
	inBubble(t, func(t *testing.T, w *Wheel) {
		must(t, w.EveryFrom("k", time.Unix(1<<40, 0), d, 1, func() { t.Error("it ran") }))
		time.Sleep(time.Hour)
		if synctest.Wait(); !w.Has("k") {
			t.Error("one that begins in 30,000 years is gone")
		}
	}, oneByOne, Shards(1))
}

func TestTheWheelsOwnFunction(t *testing.T) {
	var got []any
	inBubble(t, func(t *testing.T, w *Wheel) {
		must(t, w.Set("k", time.Second, nil))
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if !slices.Equal(got, []any{"k"}) {
			t.Errorf("called for %v", got)
		}
	}, oneByOne, Func(func(key any) { got = append(got, key) }))
}

// An algorithm that by its published rule runs a timer once more than it was asked to is
// not followed in that.
func TestRunsPastTheLast(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		runs := 0
		must(t, w.Every("a", 20*time.Millisecond, 2, func() { runs++ }))
		time.Sleep(time.Second)
		synctest.Wait()
		if runs != 2 || w.Has("a") {
			t.Errorf("%d runs of two, pending: %v", runs, w.Has("a"))
		}
	}, Algorithm("lk668", catalog.Params{"faults": []string{"times"}}), OnPanic(func(v any, _ []byte) { t.Errorf("panic: %v", v) }))
}

// A next run past the reach of the algorithm ends the timer: nothing is pending under its
// key, its place under MaxPending is free, and who stands where it stood inherits nothing.
func TestNextRunPastTheReach(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		long, short := 0, 0
		arm := func() error {
			return w.EveryFrom("a", time.Now().Add(-18*time.Millisecond), 20*time.Millisecond, -1, func() { long++ })
		}
		must(t, arm()) // in 2 ms, and then in 20
		time.Sleep(5 * time.Millisecond)
		synctest.Wait()
		if long != 1 || w.Has("a") || w.Remove("a") {
			t.Fatalf("%d runs, pending: %v", long, w.Has("a"))
		}
		if _, err := w.AfterFunc(2*time.Millisecond, func() { short++ }); err != nil {
			t.Fatalf("its place: %v", err)
		}
		if ok, err := w.Move("a", time.Millisecond); ok || err != nil {
			t.Errorf("Move: %v, %v", ok, err)
		}
		time.Sleep(5 * time.Millisecond)
		synctest.Wait()
		must(t, arm())
		time.Sleep(5 * time.Millisecond)
		synctest.Wait()
		if s := w.Stats(); long != 2 || short != 1 || s.Fired != 3 || s.Pending != 0 || len(w.shards[0].calls.more) != 0 {
			t.Errorf("%d and %d runs, %+v, %d left", long, short, s, len(w.shards[0].calls.more))
		}
	}, oneByOne, Shards(1), MaxPending(1), Algorithm("simple", catalog.Params{"slots": int64(8)}))
}

// Remove from inside holds for the runs that a stall left to be made up, too.
func TestRemoveAmongRunsMadeUp(t *testing.T) {
	for name, end := range map[string]func(w *Wheel) bool{
		"remove": func(w *Wheel) bool { return w.Remove("k") },
		"set":    func(w *Wheel) bool { return w.Set("k", time.Hour, func() {}) == nil },
		"drain":  func(w *Wheel) bool { return len(w.Drain()) == 1 },
	} {
		for who, e := range map[string]Executor{"inline": Inline, "pool": Pool(1)} {
			t.Run(name+"/"+who, func(t *testing.T) {
				inBubble(t, func(t *testing.T, w *Wheel) {
					_, err := w.AfterFunc(time.Millisecond, func() { time.Sleep(10 * time.Millisecond) })
					must(t, err)
					ended, after := false, 0
					must(t, w.Every("k", time.Millisecond, -1, func() {
						if ended {
							after++
							return
						}
						ended = end(w)
					}))
					time.Sleep(100 * time.Millisecond)
					synctest.Wait()
					if !ended || after != 0 {
						t.Errorf("ended: %v; it ran %d times after that", ended, after)
					}
				}, Execute(e), Shards(1))
			})
		}
	}
}

// From a creation longer ago than a Duration tells, too, the first call comes within an
// interval.
func TestEveryFromCenturiesAgo(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		for _, minute := range []int{0, 1, 59} {
			must(t, w.EveryFrom("k", time.Date(1500, 1, 1, 0, minute, 0, 0, time.UTC), time.Hour, -1, func() {}))
			left := w.Drain()
			if wait := time.Until(left[0].Due); wait <= 0 || wait > time.Hour {
				t.Errorf("%d minutes past the hour: the first call is in %v", minute, wait)
			}
		}
	})
}

// What a published fault would run again is gone when it has had its runs.
func TestNothingIsPendingPastTheLastRun(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		must(t, w.Every("k", 10*time.Second, 1, func() {}))
		time.Sleep(15 * time.Second)
		synctest.Wait()
		if n, left := w.Pending(), w.Drain(); n != 0 || len(left) != 0 {
			t.Errorf("%d pending, %v drained", n, left)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if s := w.Stats(); s.Fired != 1 {
			t.Errorf("%+v", s)
		}
	}, Algorithm("lk668", catalog.Params{"faults": []string{"times"}}), Shards(1), oneByOne, Tick(time.Second))
}

// Moving or replacing what is pending takes no further place under MaxPending, whoever
// waits for one.
func TestRearmingKeepsThePlace(t *testing.T) {
	w := make1(t, MaxPending(1), Shards(2))
	a, b := 0, 1
	for w.of(b) == w.of(a) {
		b++
	}
	must(t, w.Set(a, time.Hour, func() {}))
	var stop atomic.Bool
	var group sync.WaitGroup
	group.Go(func() {
		for !stop.Load() {
			if w.Set(b, time.Hour, func() {}) == nil {
				t.Error("it took the place")
				return
			}
		}
	})
	for k := range 100_000 {
		if k%2 == 0 {
			_, err := w.Move(a, time.Hour)
			must(t, err)
			continue
		}
		must(t, w.Set(a, time.Hour, func() {}))
	}
	stop.Store(true)
	group.Wait()
	if !w.Remove(a) || w.Set(b, time.Hour, func() {}) != nil {
		t.Error("the place that was given back")
	}
	_, err := w.Shutdown(t.Context())
	must(t, err)
}

// Who is refused takes no place, not for a moment: another's arming meanwhile has it.
func TestRefusedTakesNoPlace(t *testing.T) {
	w := make1(t, MaxPending(1))
	w.admit()
	var stop atomic.Bool
	var group sync.WaitGroup
	group.Go(func() {
		for !stop.Load() {
			if w.admit() {
				t.Error("two hold one place")
				return
			}
		}
	})
	for range 1_000_000 {
		if n := w.pending.Load(); n != 1 {
			t.Errorf("%d places are taken of 1", n)
			break
		}
	}
	stop.Store(true)
	group.Wait()
	w.release()
	_, err := w.Shutdown(t.Context())
	must(t, err)
}
