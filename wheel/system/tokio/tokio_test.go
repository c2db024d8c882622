package tokio

import (
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/coretest"
)

// In the top level of tokio's wheel a timer that is a whole range ahead, in the clock's own slot,
// hides the slot that follows: the timers of that slot fire a range late. Timers of later slots do
// not.
func TestTokioHidesTheNextSlot(t *testing.T) {
	const slot = wheel.Tick(1) << 30
	for _, c := range []struct {
		ahead bool
		due   wheel.Tick
		fires wheel.Tick
	}{{false, slot, slot}, {true, slot, slot + tokioSpan}, {true, 2 * slot, 2 * slot}} {
		w := coretest.Build(t, Algorithm, nil, 0)
		if c.ahead {
			w.Schedule(wheel.Spec{Due: tokioSpan + 5, Key: 1})
		}
		w.Schedule(wheel.Spec{Due: c.due, Key: 2})
		for fired, found := []wheel.Expiry(nil), false; !found; {
			at, ok := w.Next()
			if !ok {
				t.Fatalf("%+v: never fires", c)
			}
			fired = coretest.Jump(w, at)
			for _, x := range fired {
				if found = found || x.Key == 2; x.Key == 2 && at != c.fires {
					t.Errorf("%+v: fires at %d", c, at)
				}
			}
		}
	}
}
