package timer

import (
	"errors"
	"math"
	"testing"
	"time"
)

// Any value is a key, or is refused by name; nothing panics, nothing is left behind.
func TestKeysOfAnyKind(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		type pair struct{ a, b any }
		p := new(int)
		for _, key := range []any{nil, "", "a", 7, int8(7), 7.5, true, p, pair{1, "x"}, [2]int{1, 2}, struct{}{}, make(chan int), error(ErrKey), time.Second} {
			must(t, w.Set(key, time.Hour, func() {}))
			if ok, err := w.Move(key, time.Minute); !w.Has(key) || !ok || err != nil || !w.Remove(key) || w.Has(key) {
				t.Errorf("%#v is not found again", key)
			}
		}
		nan := math.NaN()
		for _, key := range []any{nan, float32(nan), complex(nan, 0), []int{1}, map[int]int{}, func() {}, pair{[]int{1}, 0}, pair{1, nan}, [1]float64{nan}, [1]any{[]int{}}} {
			_, moved := w.Move(key, time.Minute)
			for what, err := range map[string]error{"Set": w.Set(key, time.Hour, func() {}), "Every": w.Every(key, time.Hour, 1, func() {}), "Move": moved} {
				if !errors.Is(err, ErrKey) {
					t.Errorf("%s with %#v: %v", what, key, err)
				}
			}
			if w.Has(key) || w.Remove(key) {
				t.Errorf("%#v is there", key)
			}
		}
		if w.Pending() != 0 {
			t.Errorf("%d are left", w.Pending())
		}
	})
}
