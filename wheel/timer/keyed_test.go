package timer

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
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
