//go:build !race

// Long tests of one goroutine, or whose concurrency other tests cover; see the Makefile.

package web

import (
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/web/session"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// A lane called exact fires nothing early or late, in every built-in scenario.
func TestExactLanesAreExact(t *testing.T) {
	testkit.SoakOnly(t) // the digests of package sim change if a lane does
	books := session.NewLibrary(nil, nil)
	for _, b := range library.Builtins() {
		if b.Name == "hundred-thousand" {
			continue // heartbeats in another size
		}
		p, err := books.Program(b.Name)
		if err != nil {
			t.Fatal(err)
		}
		run := webtest.Open(t, string(p.Scenario.AppendJSON(nil)))
		last, err := run.Seek(t.Context(), sim.EndOf(p.Until), 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, info := range p.Scenario.Facts() {
			if c := last.Lanes[i].Counts; info.Exact && c.Early+c.Late > 0 && !stalls(p) {
				t.Errorf("%s: lane %s is called exact; %d early, %d late", b.Name, p.Scenario.Lanes[i].ID, c.Early, c.Late)
			}
		}
	}
}

// stalls reports whether a workload itself makes timers late: its driver pauses, or it schedules
// timers that are already due.
func stalls(p *program.Program) bool {
	for i := range p.Ops {
		if op := &p.Ops[i]; !op.Kind.Named() || op.Kind.Arms() && op.Delay < 0 {
			return true
		}
	}
	return false
}

// A lane beyond the limit is sent as counts, at rest with its first timers, and in full again when
// it has emptied. Each change of mode comes with a state.
func TestLaneGoesToCountsAndBack(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		defer c.close()
		c.must(`"do":"load","scenario":` + manyTimers)
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
			t.Errorf("at rest with many timers: %s, %d places", c.lanes[0].mode, len(c.lanes[0].slots))
		}
	})
}
