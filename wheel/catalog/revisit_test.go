package catalog

import (
	"math"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
)

func TestRevisitEvents(t *testing.T) {
	r := Revisit{Every: 10, PerSlot: 1, PerTimer: 2}
	for _, c := range []struct{ ticks, slots, timers, want int64 }{
		{0, 1, 1, 0}, {9, 1, 1, 3}, {10, 1, 1, 6}, {100, 3, 5, 143}, {wheel.TickMax, 1 << 20, 1 << 20, math.MaxInt64},
	} {
		if got := r.Events(c.ticks, c.slots, c.timers); got != c.want {
			t.Errorf("Events(%d, %d, %d) = %d, want %d", c.ticks, c.slots, c.timers, got, c.want)
		}
	}
	if got := (Revisit{}).Events(wheel.TickMax, 1, 1); got != 0 {
		t.Errorf("without visits Events gives %d", got)
	}
}
