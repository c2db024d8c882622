package timer

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// due is ceil((at+d)/tick), by an arithmetic that does without the division.
func TestDueIsNeverEarly(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, tick := range []time.Duration{1, 2, 3, 7, 1000, time.Millisecond, 1<<20 - 1, time.Second, time.Hour, math.MaxInt64} {
		w := make1(t, Tick(tick), Shards(1))
		for n := range 4000 {
			at := time.Duration(rnd.Int64() >> rnd.IntN(60))
			if n%4 == 0 && tick < 1<<40 {
				at = time.Duration(rnd.Int64N(1<<20)) * tick // the very beginning of a tick
			}
			got, slack := w.due(at, 0)
			want := at / tick
			if at%tick != 0 {
				want++
			}
			if want > time.Duration(wheel.TickMax) {
				continue
			}
			if got != wheel.Tick(want) || slack < 0 || slack >= tick || tick < 1<<40 && want < 1<<22 && want*tick-at != slack {
				t.Fatalf("ticks of %d: %d is tick %d, slack %d, want %d", tick, at, got, slack, want)
			}
		}
		if _, err := w.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
