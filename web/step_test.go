package web

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/wheelscope/wheelscope/web/internal/webtest"
)

// steps are the commands of keys.
var steps = map[string]string{"tick": `"do":"step","by":"tick","n":%d`, "step": `"do":"step","by":"step","n":%d`, "event": `"do":"step","by":"event","n":%d`}

// A step forward and back is the identity at every event from the beginning to the end, and the
// folded deltas equal a state.
func TestForwardThenBackIsTheIdentity(t *testing.T) {
	for by, step := range steps {
		t.Run(by, func(t *testing.T) {
			inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
				c := h.client("/ws")
				defer c.close()
				for n := 0; ; n++ {
					seq, tick := c.seq, c.tick
					was := c.picture()
					c.must(fmt.Sprintf(step, 1))
					if c.seq == seq && c.tick == tick {
						if c.seq != 44 || n < 9 {
							t.Fatalf("after %d steps it ends at tick %d seq %d", n, tick, seq)
						}
						return
					}
					there, at := c.picture(), c.seq
					c.checkAgainstState()
					c.must(fmt.Sprintf(step, -1))
					if c.seq != seq || !reflect.DeepEqual(c.picture(), was) {
						t.Fatalf("from seq %d forward to %d and back is seq %d:\n%v\nwant\n%v", seq, at, c.seq, c.picture(), was)
					}
					c.must(fmt.Sprintf(step, 1))
					if c.seq != at || !reflect.DeepEqual(c.picture(), there) {
						t.Fatalf("forward again from seq %d is seq %d, want %d", seq, c.seq, at)
					}
				}
			})
		})
	}
}

// At the beginning and at the end a step does nothing and is no error.
func TestStepsStayAtTheEnds(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		defer c.close()
		for by, step := range steps {
			c.must(`"do":"seek"`)
			c.must(fmt.Sprintf(step, -1))
			if c.seq != 0 || c.tick != 0 {
				t.Errorf("%s back from before anything: tick %d seq %d", by, c.tick, c.seq)
			}
			c.must(`"do":"seek","tick":9`)
			c.must(fmt.Sprintf(step, 1))
			if c.seq != 44 || c.tick != 9 {
				t.Errorf("%s forward from the end: tick %d seq %d", by, c.tick, c.seq)
			}
		}
	})
}

// From within a tick, a step forward completes it, and a step back leaves it.
func TestTickStepsFromWithinATick(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		c := h.client("/ws?seq=15")
		defer c.close()
		if c.tick != 2 || c.seq != 15 {
			t.Fatalf("opened at tick %d seq %d", c.tick, c.seq)
		}
		c.must(`"do":"step","by":"tick","n":1`)
		if c.tick != 2 || c.seq != 22 {
			t.Errorf("a tick forward: tick %d seq %d, want 2, 22", c.tick, c.seq)
		}
		c.must(`"do":"seek","seq":15`)
		c.must(`"do":"step","by":"tick","n":-1`)
		if c.tick != 1 || c.seq != 12 {
			t.Errorf("a tick back: tick %d seq %d, want 1, 12", c.tick, c.seq)
		}
	})
}
