package web

import (
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// crowd is a lane that grows beyond the limit for single timers, and empties again.
const crowd = `{"wheelscope":1,"name":"crowd","until":40,"lanes":[{"algorithm":"heap"},{"algorithm":"simple","slots":8}],
 "workload":{"ops":[],"generate":[{"prefix":"c","seed":3,"count":4200,"arrivals":{"dist":"uniform","min":2,"max":20},"delay":{"dist":"uniform","min":8,"max":16}}]}}`

// A lane beyond the limit is sent as counts, at rest with its first timers, and in full again when
// it has emptied. Each change of mode comes with a state.
func TestLaneGoesToCountsAndBack(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		defer c.close()
		c.must(`"do":"load","scenario":` + crowd)
		seen := map[string]int{}
		for range 41 {
			states, mode := c.states, c.lanes[0].mode
			c.must(`"do":"step","by":"tick","n":1`)
			live := c.lanes[0].counts[0]
			seen[c.lanes[0].mode]++
			if c.lanes[0].mode == protocol.ModeFull && live > protocol.LaneTimersMax {
				t.Fatalf("tick %d: %d timers are listed", c.tick, live)
			}
			if c.lanes[0].mode != mode && c.states == states {
				t.Fatalf("tick %d: from %s to %s without a state", c.tick, mode, c.lanes[0].mode)
			}
			c.checkAgainstState()
		}
		time.Sleep(2 * cursor.RestDelay)
		c.must(`"do":"state"`)
		if seen[protocol.ModeCounts] < 3 || seen[protocol.ModeFull] < 10 || c.lanes[0].mode != protocol.ModeFull {
			t.Errorf("modes %v, in the end %s", seen, c.lanes[0].mode)
		}
		c.must(`"do":"seek","tick":14`)
		c.until("rest", func() bool { return c.rest })
		if c.lanes[0].mode != protocol.ModeCounts || len(c.lanes[0].slots) == 0 {
			t.Errorf("at rest in the crowd: %s, %d places", c.lanes[0].mode, len(c.lanes[0].slots))
		}
	})
}

// A state that is sent while the clock runs and contains every timer is complete: nothing follows
// when the clock is stopped there.
func TestStateWhilePlayingIsWhole(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws?scenario=three-slots")
		defer c.close()
		c.must(`"do":"speed","rate":1`)
		c.must(`"do":"play"`)
		c.must(`"do":"seek","tick":3`)
		c.must(`"do":"pause"`)
		time.Sleep(2 * cursor.RestDelay)
		c.must(`"do":"speed","rate":2`) // its answer follows everything sent before
		if !c.rest || c.lanes[0].mode != protocol.ModeFull {
			t.Errorf("stopped after a seek: rest %v, %s", c.rest, c.lanes[0].mode)
		}
	})
}
