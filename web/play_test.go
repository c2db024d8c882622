package web

import (
	"testing"

	"github.com/wheelscope/wheelscope/sim"
)

// Every built-in scenario, raced from before anything to its end: what the
// deltas came to is what a state tells.
func TestRaceToTheEnd(t *testing.T) {
	for _, b := range sim.Builtins() {
		if b.Name == "twelve-rings" {
			continue // hundred-thousand, with more lanes: minutes under the race detector
		}
		t.Run(b.Name, func(t *testing.T) {
			inBubble(t, Config{}, func(t *testing.T, h *harness) {
				c := h.client("/ws?scenario=" + b.Name)
				defer c.close()
				c.must(`"do":"play","rate":0`)
				c.until("the end", func() bool { return c.player.End && c.tick == c.hello.Scenario.Until })
				t.Logf("%d states, %d deltas, %d events, modes %v", c.states, c.deltas, c.seq, c.modes())
				c.checkAgainstState()
				if c.player.Playing {
					t.Error("still playing at the end")
				}
			})
		})
	}
}
