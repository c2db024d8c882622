package web

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim/library"
)

// Every built-in scenario is played from the beginning to its end as fast as possible: the folded
// deltas equal a state. The long ones are in play_serial_test.go. The short form plays one in five.
func TestRaceToTheEnd(t *testing.T) {
	for k, b := range library.Builtins() {
		if k%testkit.Pick(5, 1) == 0 && !slices.Contains(longRaces, b.Name) {
			t.Run(b.Name, func(t *testing.T) { raceToTheEnd(t, b.Name) })
		}
	}
}

// longRaces have so many events that playing them would take a minute under the race detector. They
// run no concurrent code that the others do not run.
var longRaces = []string{"heartbeats", "hundred-thousand", "twelve-rings"}

func raceToTheEnd(t *testing.T, scenario string) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws?scenario=" + scenario)
		defer c.close()
		c.must(`"do":"play","rate":0`)
		c.until("the end", func() bool { return c.player.End && c.tick == c.hello.Scenario.Until })
		t.Logf("%d states, %d deltas, %d events, modes %v", c.states, c.deltas, c.seq, c.modes())
		c.checkAgainstState()
		if c.player.Playing {
			t.Error("still playing at the end")
		}
	})
}

// Playing shows each tick in time, and the folded deltas equal a state in any mode of the lanes.
// The rates at which most of a run is shown are in play_serial_test.go.
func TestPlayAtARate(t *testing.T) {
	for _, rate := range testkit.Pick([]int{60}, []int{1, 10, 60}) {
		t.Run(fmt.Sprint(rate), func(t *testing.T) { playAtARate(t, rate) })
	}
}

func playAtARate(t *testing.T, rate int) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws?scenario=heartbeats&t=1000")
		defer c.close()
		start := time.Now()
		c.send(fmt.Sprintf(`{"v":1,"id":1000,"do":"play","rate":%d}`, rate))
		frames, from, tick := c.deltas+c.states, c.tick, c.tick
		for time.Since(start) < 2*time.Second && !c.player.End {
			c.read()
			due := from + int64(time.Since(start).Seconds()*float64(rate)+1e-6)
			if c.tick != min(due, c.hello.Scenario.Until) && c.tick != tick && !c.rest {
				t.Fatalf("at %v it shows tick %d, due is %d", time.Since(start), c.tick, due)
			}
			tick = c.tick
		}
		frames = c.deltas + c.states - frames
		played := time.Since(start).Seconds()
		if most, least := 60*played+2, min(float64(rate), 50)*played-2; float64(frames) > most || float64(frames) < least {
			t.Errorf("%d frames in %.3f s, expected %.0f to %.0f", frames, played, least, most)
		}
		c.must(`"do":"pause"`)
		c.checkAgainstState()
	})
}
