package web

import (
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// manyTimers is a lane that grows beyond the limit for single timers, and empties again.
const manyTimers = `{"wheelscope":1,"name":"crowd","until":40,"lanes":[{"algorithm":"heap"},{"algorithm":"simple","slots":8}],
 "workload":{"ops":[],"generate":[{"prefix":"c","seed":3,"count":4200,"arrivals":{"dist":"uniform","min":2,"max":20},"delay":{"dist":"uniform","min":8,"max":16}}]}}`

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
