package timer

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestKeys(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		k := NewKeyed[any](w)
		var got []string
		say := func(s string) func(any) { return func(key any) { got = append(got, fmt.Sprint(s, key)) } }
		must(t, k.AfterFunc("a", time.Second, say("old ")))
		must(t, k.AfterFunc("a", 2*time.Second, say("new ")))
		must(t, k.AfterFunc(7, 3*time.Second, say("")))
		must(t, k.AfterFunc("b", time.Second, say("")))
		if !k.Stop("b") || k.Stop("b") {
			t.Error("Stop")
		}
		if ok, err := k.Reset(7, time.Second); !ok || err != nil {
			t.Errorf("Reset: %v, %v", ok, err)
		}
		if ok, err := k.Reset("b", time.Second); ok || err != nil {
			t.Errorf("Reset of nothing: %v, %v", ok, err)
		}
		begun := time.Now()
		for key, at := range maps.Collect(k.All()) {
			if want := map[any]time.Duration{"a": 2 * time.Second, 7: time.Second}[key]; at.Sub(begun) != want {
				t.Errorf("%v fires after %v", key, at.Sub(begun))
			}
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if want := []string{"7", "new a"}; !slices.Equal(got, want) || len(maps.Collect(k.All())) != 0 {
			t.Errorf("got %q, want %q", got, want)
		}
		if s := w.Stats(); s.Fired != 2 || s.Canceled != 1 {
			t.Errorf("%+v", s)
		}
	}, oneByOne, WithShards(1))
}

// A key that is not equal to itself is rejected with ErrKey, and leaves nothing behind. A key that
// can't be compared panics, as in a map.
func TestKeysOfAnyKind(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		type pair struct{ a, b any }
		k, f, nan := NewKeyed[any](w), func(any) {}, math.NaN()
		for _, key := range []any{nil, "", 7, int8(7), 7.5, new(int), pair{1, "x"}, struct{}{}, ErrKey, time.Second} {
			must(t, k.AfterFunc(key, time.Hour, f))
			if ok, err := k.Reset(key, time.Minute); !ok || err != nil || !k.Stop(key) || k.Stop(key) {
				t.Errorf("%#v is not found again", key)
			}
		}
		for _, key := range []any{nan, float32(nan), complex(nan, 0), pair{1, nan}, [1]float64{nan}} {
			if err := k.AfterFunc(key, time.Hour, f); !errors.Is(err, ErrKey) || !errors.Is(second(k.Reset(key, 1)), ErrKey) || k.Stop(key) {
				t.Errorf("%#v: %v", key, err)
			}
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("a slice is a key")
				}
			}()
			k.AfterFunc([]int{1}, time.Hour, f)
		}()
		if w.Pending() != 0 {
			t.Errorf("%d are left", w.Pending())
		}
		must(t, k.AfterFunc(1, 0, f)) // no lock is held
		time.Sleep(time.Second)
	})
}

// A key that is scheduled again while its call waits in the executor has two calls. Stop stops the
// second.
func TestKeyScheduledBehindItsCall(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		k, ran := NewKeyed[string](w), []string(nil)
		w.AfterFunc(time.Millisecond, func() { time.Sleep(time.Second) })
		must(t, k.AfterFunc("a", time.Millisecond, func(string) { ran = append(ran, "first") }))
		time.Sleep(500 * time.Millisecond)
		if k.Stop("a") {
			t.Error("what has fired is stopped")
		}
		must(t, k.AfterFunc("a", time.Hour, func(string) { t.Error("the second ran") }))
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if !slices.Equal(ran, []string{"first"}) || !k.Stop("a") {
			t.Errorf("ran %q", ran)
		}
	}, oneByOne, WithShards(1))
}

// Compact releases the memory of keys that have ended.
func TestCompactShrinksKeys(t *testing.T) {
	w := make1(t)
	defer w.Close()
	k := NewKeyed[int](w)
	const n = 200_000
	for key := range n {
		must(t, k.AfterFunc(key, time.Hour, func(int) {}))
	}
	full := heap()
	for key := range n - 10 {
		k.Stop(key)
	}
	stopped := heap()
	w.Compact()
	if after := heap(); stopped-after < n*10 {
		t.Errorf("%d bytes with %d keys, %d when they are stopped, %d after Compact", full, n, stopped, after)
	}
	for key := n - 10; key < n; key++ {
		if !k.Stop(key) {
			t.Errorf("key %d is lost", key)
		}
	}
}

// A wheel does not keep a Keyed alive that is not referenced.
func TestKeyedIsCollected(t *testing.T) {
	w := make1(t)
	defer w.Close()
	for range 100 {
		NewKeyed[int](w)
	}
	for begun := time.Now(); ; runtime.GC() {
		n := 0
		w.keyed.each(func(keyedMap) { n++ })
		if n == 0 {
			break
		}
		if time.Since(begun) > 30*time.Second {
			t.Fatalf("%d are kept", n)
		}
	}
	k := NewKeyed[string](w)
	if n := len(w.keyed.all); n != 1 {
		t.Errorf("%d are listed", n)
	}
	runtime.KeepAlive(k)
}

// Resetting or replacing a pending timer does not count twice for WithMaxPending, even while other
// goroutines schedule timers at the limit.
func TestResettingKeepsThePlace(t *testing.T) {
	w := make1(t, WithMaxPending(1), WithShards(2))
	keys, f := NewKeyed[int](w), func(int) {}
	a, b := 0, 1
	for keys.part(b) == keys.part(a) {
		b++
	}
	must(t, keys.AfterFunc(a, time.Hour, f))
	var stop atomic.Bool
	var group sync.WaitGroup
	group.Go(func() {
		for !stop.Load() {
			if keys.AfterFunc(b, time.Hour, f) == nil {
				t.Error("it took the place")
				return
			}
		}
	})
	for k := range 100_000 {
		if k%2 == 0 {
			_, err := keys.Reset(a, time.Hour)
			must(t, err)
			continue
		}
		must(t, keys.AfterFunc(a, time.Hour, f))
	}
	stop.Store(true)
	group.Wait()
	if !keys.Stop(a) || keys.AfterFunc(b, time.Hour, f) != nil {
		t.Error("the place that was given back")
	}
	must(t, w.Shutdown(t.Context()))
}

// A rejected timer never counts for WithMaxPending, not even briefly.
func TestRefusedTakesNoPlace(t *testing.T) {
	w := make1(t, WithMaxPending(1))
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
	must(t, w.Shutdown(t.Context()))
}
