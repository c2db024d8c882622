package tokio

import (
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
)

// A timer of the top level can be late, as its guarantee states: its slot follows the clock's own
// slot, and a timer due past the end of the current 2^36 block is in the clock's slot. The first
// timer is passed over and fires a block later, although neither is 2^36 ticks ahead. In level.rs,
// next_expiration computes the deadline of a slot that begins before the clock as a range later.
func TestLateBehindATimerOfTheNextBlock(t *testing.T) {
	const slot, block = 1 << 30, 1 << 36
	for _, util := range []bool{false, true} {
		for name, c := range map[string]struct {
			first, due, fires wheel.Tick
		}{
			"behind a timer of the next block": {block + 62*slot, 63*slot + 5, block + 63*slot},
			"two slots behind one":             {block + 61*slot, 63*slot + 5, 63*slot + 5},
			"behind a timer of the same block": {62*slot + 9, 63*slot + 5, 63*slot + 5},
		} {
			w, err := New(Config{Start: 62*slot + 1, Util: util})
			if err != nil {
				t.Fatal(err)
			}
			for k, due := range []wheel.Tick{c.first, c.due} {
				if _, _, err := w.Schedule(wheel.Spec{Due: due, Key: uint32(k + 1)}); err != nil {
					t.Fatalf("util %v, %s: %v", util, name, err)
				}
			}
			at := wheel.Tick(0)
			for next, ok := w.Next(); ok && at == 0; next, ok = w.Next() {
				fired, _ := w.Advance(next, nil, 0)
				for _, e := range fired {
					if e.Key == 2 {
						at = w.Now()
					}
				}
			}
			if at != c.fires {
				t.Errorf("util %v, %s: due %d, fired at %d, want %d", util, name, c.due, at, c.fires)
			}
		}
	}
}
