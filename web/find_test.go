package web

import (
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/web/session/protocol"

	"fmt"
	"testing"
)

// find sends a find and reads up to its outcome.
func (c *client) find(fields string, n int) protocol.Search {
	c.t.Helper()
	c.search = protocol.Search{}
	c.must(fmt.Sprintf(`"do":"find",%s,"n":%d`, fields, n))
	c.until("the search", func() bool { return c.search.Outcome != "" && c.search.Outcome != "on" })
	return c.search
}

// where is a position in the small scenario.
type where struct{ tick, seq int64 }

// A forward search from the beginning finds a condition at each place up to the end. A backward
// search finds the same places in reverse order.
func TestFindForwardAndBack(t *testing.T) {
	for fields, want := range map[string][]where{
		`"what":"expire"`:                           {{2, 17}, {2, 22}, {4, 32}, {4, 36}, {5, 40}, {6, 42}, {6, 44}},
		`"what":"expire","lane":"tower"`:            {{2, 22}, {4, 36}, {5, 40}, {6, 44}},
		`"what":"cascade"`:                          {{3, 24}},
		`"what":"reject"`:                           {{0, 8}},
		`"what":"timer","timer":"far"`:              {{0, 8}, {3, 24}, {5, 40}},
		`"what":"timer","timer":"far","lane":"one"`: {{0, 8}},
		`"what":"slot","over":1`:                    {{1, 12}, {3, 28}},
		`"what":"slot","over":1,"lane":"tower"`:     {{1, 12}, {3, 28}},
		`"what":"cost","over":5,"lane":"one"`:       {},
		`"what":"cost","over":3`:                    {{2, 22}, {3, 28}, {4, 38}},
		`"what":"differ"`:                           {{0, 8}, {5, 40}},
		`"what":"finding"`:                          {},
	} {
		t.Run(fields, func(t *testing.T) {
			inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
				c := h.client("/ws")
				defer c.close()
				var way []where
				for c.find(fields, 1).Outcome == "found" {
					way = append(way, where{c.tick, c.seq})
					c.checkAgainstState()
				}
				if c.search.Outcome != "none" || fmt.Sprint(way) != fmt.Sprint(want) {
					t.Errorf("forward: %v, then %q; want %v", way, c.search.Outcome, want)
				}
				c.must(`"do":"seek","tick":9`)
				for k := len(way) - 1; k >= 0; k-- {
					if got := c.find(fields, -1); got.Outcome != "found" || (where{c.tick, c.seq}) != way[k] || got.Tick != c.tick {
						t.Fatalf("back to %v: %q at %d/%d", way[k], got.Outcome, c.tick, c.seq)
					}
				}
				if got := c.find(fields, -1); got.Outcome != "none" {
					t.Errorf("before the first: %+v", got)
				}
			})
		})
	}
}

// A search that is refused names its field and leaves the session unchanged.
func TestFindRefuses(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		c := h.client("/ws?t=3")
		defer c.close()
		for fields, want := range map[string]string{
			`"n":1`:                                 "what: missing; expected a string",
			`"what":"luck","n":1`:                   `what: "luck" is not one of expire, cascade, reject, finding, timer, slot, cost, differ`,
			`"what":"expire"`:                       "n: missing; expected a whole number between -1 and 1",
			`"what":"expire","n":0`:                 "n: 0 is not 1 or -1",
			`"what":"timer","n":1`:                  "timer: missing; expected a string",
			`"what":"timer","timer":"nobody","n":1`: `timer: no timer of this scenario is called "nobody"`,
			`"what":"slot","n":1`:                   "over: missing; expected a whole number between 0 and 4611686018427387903",
			`"what":"cost","over":-1,"n":1`:         "over: -1 is not a whole number between 0 and 4611686018427387903",
			`"what":"expire","over":2,"n":1`:        "over: expire takes no over",
			`"what":"expire","lane":"none","n":1`:   `lane: "none" is not the id of a lane`,
			`"what":"differ","lane":"one","n":1`:    "lane: differ takes no lane",
			`"what":"expire","n":1,"who":"me"`:      "who: unknown field; find takes what, n, lane, timer, over",
		} {
			if err := c.ask(`"do":"find",` + fields); err == nil || err.Error() != want {
				t.Errorf("%s:\n got %v\nwant %s", fields, err, want)
			}
			if c.tick != 3 || c.search.V != 0 {
				t.Fatalf("%s: at tick %d, result %+v", fields, c.tick, c.search)
			}
		}
	})
}

// A scenario of one lane has nothing to compare.
func TestFindDifferNeedsTwoLanes(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		defer c.close()
		c.must(`"do":"lane","remove":"tower"`)
		if err := c.ask(`"do":"find","what":"differ","n":1`); err == nil || err.Path != "what" {
			t.Errorf("%v", err)
		}
	})
}

// States and deltas have step numbers, the timeline has the number of steps.
func TestStepNumbersAreSent(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		defer c.close()
		c.until("the end of the first pass", func() bool { return c.timeline.Done })
		c.must(`"do":"seek"`)
		if c.step != 0 {
			t.Errorf("before anything it is step %d", c.step)
		}
		for want := int64(1); ; want++ {
			seq := c.seq
			c.must(`"do":"step","by":"step","n":1`)
			if c.seq == seq {
				if c.timeline.Steps != want-1 || want < 10 {
					t.Errorf("%d steps were taken, %d are reported", want-1, c.timeline.Steps)
				}
				return
			}
			if c.step != want {
				t.Fatalf("after event %d: step %d, want %d", c.seq, c.step, want)
			}
			c.must(`"do":"state"`)
			if c.step != want {
				t.Fatalf("a state after event %d: step %d, want %d", c.seq, c.step, want)
			}
		}
	})
}
