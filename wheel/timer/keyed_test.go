package timer

import (
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wheelscope/wheelscope/internal/testkit"
)

func TestKeys(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		k := NewKeyed[any](w)
		var got []string
		say := func(s string) func(any) { return func(key any) { got = append(got, fmt.Sprint(s, key)) } }
		k.AfterFunc("a", time.Second, say("old "))
		k.AfterFunc("a", 2*time.Second, say("new "))
		k.AfterFunc(7, 3*time.Second, say(""))
		k.AfterFunc("b", time.Second, say(""))
		if !k.Stop("b") || k.Stop("b") {
			t.Error("Stop")
		}
		if !k.Reset(7, time.Second) || k.Len() != 2 {
			t.Errorf("Reset: %d keys", k.Len())
		}
		if k.Reset("b", time.Second) {
			t.Error("Reset of nothing")
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

// A key that is not equal to itself or that can't be compared causes a panic, and leaves nothing behind.
func TestKeysOfAnyKind(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		type pair struct{ a, b any }
		k, f, nan := NewKeyed[any](w), func(any) {}, math.NaN()
		for _, key := range []any{nil, "", 7, int8(7), 7.5, new(int), pair{1, "x"}, struct{}{}, ErrClosed, time.Second} {
			k.AfterFunc(key, time.Hour, f)
			if !k.Reset(key, time.Minute) || !k.Stop(key) || k.Stop(key) {
				t.Errorf("%#v is not found again", key)
			}
		}
		for _, key := range []any{nan, float32(nan), complex(nan, 0), pair{1, nan}, [1]float64{nan}} {
			if !panics(func() { k.AfterFunc(key, time.Hour, f) }) || !panics(func() { k.Reset(key, 1) }) || !panics(func() { k.Stop(key) }) {
				t.Errorf("%#v is a key", key)
			}
		}
		if !panics(func() { k.AfterFunc([]int{1}, time.Hour, f) }) {
			t.Error("a slice is a key")
		}
		if w.Pending() != 0 {
			t.Errorf("%d are left", w.Pending())
		}
		k.AfterFunc(1, 0, f) // no lock is held
		time.Sleep(time.Second)
	})
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// A key that is scheduled again while its call waits in the executor has two calls. Stop stops the
// second.
func TestKeyScheduledBehindItsCall(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		k, ran := NewKeyed[string](w), []string(nil)
		w.AfterFunc(time.Millisecond, func() { time.Sleep(time.Second) })
		k.AfterFunc("a", time.Millisecond, func(string) { ran = append(ran, "first") })
		time.Sleep(500 * time.Millisecond)
		if k.Stop("a") {
			t.Error("what has fired is stopped")
		}
		k.AfterFunc("a", time.Hour, func(string) { t.Error("the second ran") })
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
	n := testkit.Pick(50_000, 200_000)
	for key := range n {
		k.AfterFunc(key, time.Hour, func(int) {})
	}
	full := heap()
	for key := range n - 10 {
		k.Stop(key)
	}
	stopped := heap()
	w.Compact()
	if after := heap(); stopped-after < int64(n)*10 {
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
