package web

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel"
)

// rowsOf returns the rows of the parts, and checks that each continues the one before.
func rowsOf(t *testing.T, from int64, parts []protocol.Events) (rows [][]int64, end bool) {
	t.Helper()
	for _, p := range parts {
		if end || p.From != from || len(p.Rows)%protocol.RowWidth != 0 || len(p.Rows)/protocol.RowWidth > protocol.EventsRowsMax {
			t.Fatalf("a part from %d with %d integers, at %d, end %v", p.From, len(p.Rows), from, end)
		}
		for i := 0; i < len(p.Rows); i += protocol.RowWidth {
			from++
			if row := p.Rows[i : i+protocol.RowWidth]; row[0] != from {
				t.Fatalf("row %v, want that of event %d", row, from)
			}
			rows = append(rows, p.Rows[i:i+protocol.RowWidth])
		}
		end = p.End
	}
	return rows, end
}

// A viewer gets the events of the run, wherever the cursor is. They are those that a driver gets in deltas.
func TestEventsOfTheRun(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		driver := h.client("/ws")
		defer driver.close()
		viewer := h.client("/ws?session=" + driver.hello.Session)
		defer viewer.close()
		viewer.must(`"do":"events","from":0,"n":20000`)
		all, end := rowsOf(t, 0, viewer.parts)
		if len(all) != 44 || !end || len(viewer.parts) != 1 || viewer.seq != 0 {
			t.Fatalf("%d events in %d parts, end %v; the cursor is at %d", len(all), len(viewer.parts), end, viewer.seq)
		}
		viewer.parts = nil
		viewer.must(`"do":"events","from":20,"n":7`)
		some, end := rowsOf(t, 20, viewer.parts)
		for i := range some {
			if !reflect.DeepEqual(some[i][:14], all[20+i][:14]) {
				t.Errorf("%v, and in all events %v", some[i], all[20+i])
			}
		}
		if len(some) != 7 || end {
			t.Errorf("%d events, end %v", len(some), end)
		}
		viewer.parts = nil
		viewer.must(`"do":"events","from":44,"n":1`)
		if rows, end := rowsOf(t, 44, viewer.parts); len(rows) != 0 || !end {
			t.Errorf("%d events after the last, end %v", len(rows), end)
		}
	})
}

// A long answer comes in parts, the next when the one before is on its way, and only one answer at a time.
func TestEventsComeInParts(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws?scenario=heartbeats&t=5")
		defer c.close()
		c.until("computed", func() bool { return c.timeline.Done })
		c.send(`{"v":1,"id":900,"do":"events","from":3,"n":10000}`)
		c.send(`{"v":1,"id":901,"do":"events","from":0,"n":1}`)
		refused, done := false, false
		for !done {
			kind, raw := c.read()
			if kind == "events" && len(raw) > protocol.EventsBytesMax {
				t.Errorf("a part of %d bytes", len(raw))
			}
			if kind != "ack" {
				continue
			}
			switch a := decode[protocol.Ack](t, raw); a.Ack {
			case 900:
				done = true
				if a.Error != nil {
					t.Error(a.Error)
				}
			case 901:
				refused = a.Error != nil && strings.Contains(a.Error.Message, "earlier events command is not complete")
			}
		}
		rows, _ := rowsOf(t, 3, c.parts)
		if len(rows) != 10000 || len(c.parts) < 3 || !refused {
			t.Errorf("%d events in %d parts; another request refused: %v", len(rows), len(c.parts), refused)
		}
		c.must(`"do":"events","from":0,"n":1`)
	})
}

// If another run is opened before all parts are sent, the rest is refused.
func TestEventsOfAnEarlierRun(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws?scenario=heartbeats&t=5")
		defer c.close()
		c.until("computed", func() bool { return c.timeline.Done })
		c.send(`{"v":1,"id":900,"do":"events","from":0,"n":20000}`)
		c.send(`{"v":1,"id":901,"do":"load","scenario":"reach"}`)
		time.Sleep(time.Second) // the connection takes nothing meanwhile
		for {
			kind, raw := c.read()
			if kind != "ack" {
				continue
			}
			if a := decode[protocol.Ack](t, raw); a.Ack == 900 {
				if a.Error == nil || a.Error.Path != "run" {
					t.Errorf("answered %v", a.Error)
				}
				return
			}
		}
	})
}

// A preview tells where the operation would put the timer, and changes nothing.
func TestPreviewIsWhatTheOperationDoes(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		for _, delay := range []int64{0, 1, 2, 3, 4, 8, 9, 30} {
			c := h.client("/ws?t=3")
			was := c.wholeState()
			c.must(fmt.Sprintf(`"do":"preview","run":%q,"tick":3,"delays":[%d,1]`, c.hello.Run, delay))
			p := c.preview
			if now := c.wholeState(); !reflect.DeepEqual(now, was) {
				t.Fatalf("delay %d: the state has changed", delay)
			}
			if p.Tick != 3 || len(p.Lanes) != 2 || len(p.Lanes[0]) != 2*len(protocol.FutureColumns) {
				t.Fatalf("%+v", p)
			}
			c.must(fmt.Sprintf(`"do":"op","run":%q,"tick":3,"op":"schedule","timer":"probe","delay":%d`, c.hello.Run, delay))
			c.must(`"do":"events","from":0,"n":20000`)
			rows, _ := rowsOf(t, 0, c.parts)
			for lane := range p.Lanes {
				got := p.Lanes[lane][:len(protocol.FutureColumns)]
				if want := ofProbe(c, rows, lane); !slices.Equal(got, want) {
					t.Errorf("delay %d in lane %d: preview %v, operation %v", delay, lane, got, want)
				}
			}
			c.close()
		}
	})
}

// ofProbe returns what happened to the timer "probe" in a lane at tick 3, in the form of a preview.
func ofProbe(c *client, rows [][]int64, lane int) []int64 {
	names := c.parts[0].Names
	id := int64(0)
	for i := 0; i < len(names); i += 3 {
		if names[i+1] == "probe" {
			id = int64(names[i].(float64))
		}
	}
	for _, r := range rows {
		if r[1] != 3 || r[2] != int64(lane) || r[4] != id {
			continue
		}
		switch wheel.Kind(r[3]) {
		case wheel.KindPlace:
			return []int64{r[3], r[7], r[8], r[10], 0}
		case wheel.KindReject:
			return []int64{r[3], int64(wheel.NoLevel), 0, -1, r[13]}
		case wheel.KindExpire:
			return []int64{r[3], int64(wheel.NoLevel), 0, -1, 0}
		}
	}
	return nil
}

// An operation is made at the tick that it names, and the hello of its run names the command to its sender only.
func TestOperationNamesRunAndTick(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		c := h.client("/ws?t=6")
		defer c.close()
		viewer := h.client("/ws?session=" + c.hello.Session)
		defer viewer.close()
		first := c.hello.Run
		if c.hello.Ack != 0 {
			t.Errorf("the first hello answers command %d", c.hello.Ack)
		}
		c.must(fmt.Sprintf(`"do":"op","run":%q,"tick":2,"op":"schedule","timer":"mine","delay":3`, strings.ToUpper(first)))
		if c.tick != 2 || c.hello.Run == first || c.hello.Ack != c.last {
			t.Errorf("at tick %d of run %s, whose hello answers %d; the command was %d on %s", c.tick, c.hello.Run, c.hello.Ack, c.last, first)
		}
		viewer.until("the new run", func() bool { return viewer.hello.Run == c.hello.Run })
		if viewer.hello.Ack != 0 {
			t.Errorf("the hello of a viewer answers command %d", viewer.hello.Ack)
		}
		if err := c.ask(fmt.Sprintf(`"do":"op","run":%q,"tick":2,"op":"schedule","timer":"yours","delay":3`, first)); err == nil || err.Path != "run" {
			t.Errorf("an operation for the earlier run: %v", err)
		}
		c.must(fmt.Sprintf(`"do":"lane","run":%q,"remove":"one"`, c.hello.Run))
		c.must(fmt.Sprintf(`"do":"load","run":%q,"scenario":"reach"`, c.hello.Run))
		if c.hello.Scenario.Name != "reach" || c.hello.Ack != c.last {
			t.Errorf("%s, whose hello answers %d", c.hello.Scenario.Name, c.hello.Ack)
		}
		c.must(fmt.Sprintf(`"do":"load","run":%q`, first)) // by its digest
		if c.hello.Run != first {
			t.Errorf("run %s, want %s", c.hello.Run, first)
		}
	})
}

// The page of the entry view contains the events that a socket would send.
func TestEntryViewHasTheEvents(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		a := h.get("/?view=entry&t=4")
		_, text, _ := strings.Cut(a.body, `<script id="events" type="application/json"`)
		_, text, _ = strings.Cut(text, ">")
		text, _, _ = strings.Cut(text, "</script>")
		var inPage protocol.Events
		if err := json.Unmarshal([]byte(text), &inPage); err != nil {
			t.Fatalf("%v in %.200s", err, text)
		}
		c := h.client("/ws?t=4")
		defer c.close()
		c.must(`"do":"events","from":0,"n":20000`)
		if !reflect.DeepEqual(inPage, c.parts[0]) || !inPage.End {
			t.Errorf("in the page %+v\non the socket %+v", inPage, c.parts[0])
		}
	})
}
