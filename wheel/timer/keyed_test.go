package timer

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
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
	}, Algorithm("lk668", wheel.Params{"faults": []string{"times"}}), OnPanic(func(v any, _ []byte) { t.Errorf("panic: %v", v) }))
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
	}, oneByOne, Shards(1), MaxPending(1), Algorithm("simple", wheel.Params{"slots": int64(8)}))
}
