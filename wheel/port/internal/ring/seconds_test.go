package ring

import (
	"math"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// Whole seconds agree with time.Duration for every length that it can hold.
func TestSecondsAreThoseOfDuration(t *testing.T) {
	for _, nanos := range []int64{1, 999, 1e6, 4e8, 1e9, 3e9} {
		for _, ticks := range []int64{0, 1, 2, 3, 999, 1000, 1_000_000_007, -1, -2, -1500} {
			want := int64(time.Duration(ticks * nanos).Seconds())
			if got, fits := seconds(ticks, nanos); got != want || !fits {
				t.Errorf("%d ticks of %d ns are %d s (%v), want %d", ticks, nanos, got, fits, want)
			}
		}
	}
	for _, ticks := range []int64{math.MaxInt64/1000 + 1, wheel.TickMax, -wheel.TickMax} {
		if _, fits := seconds(ticks, 1000); fits {
			t.Errorf("%d µs are longer than a time.Duration", ticks)
		}
	}
	if got := (Unit{1e9, true}).Of(-wheel.TickMax); got != -(math.MaxInt64 / 1_000_000_000) {
		t.Errorf("a time long ago was %d s ago", got)
	}
}

// A difference that exceeds an int64 is limited to the largest or smallest one.
func TestSince(t *testing.T) {
	for _, c := range []struct{ now, then, want wheel.Tick }{
		{7, 3, 4}, {3, 7, -4}, {-5, -5, 0}, {math.MaxInt64, -1, math.MaxInt64}, {-2, math.MaxInt64, math.MinInt64 + 1},
		{wheel.TickMax, -wheel.TickMax, 2 * wheel.TickMax}, {math.MaxInt64, math.MaxInt64, 0},
	} {
		if got := Since(c.now, c.then); got != c.want {
			t.Errorf("%d since %d is %d, want %d", c.now, c.then, got, c.want)
		}
	}
}
