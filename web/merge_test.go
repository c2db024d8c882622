package web

import (
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/web/session"
	"github.com/wheelscope/wheelscope/web/session/protocol"

	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// busy blocks the session while commands are sent. It returns the errors of the commands by id, in
// the order of the answers.
func (c *client) busy(h *harness, commands ...string) (answers []string) {
	c.t.Helper()
	s, _ := h.server.hub.Find(c.hello.Session)
	release := make(chan struct{})
	s.Do(func() { <-release })
	for _, fields := range commands {
		c.last++
		c.send(fmt.Sprintf(`{"v":1,"id":%d,%s}`, c.last, fields))
	}
	synctest.Wait()
	close(release)
	for len(answers) < len(commands) {
		kind, raw := c.read()
		if kind != "ack" {
			continue
		}
		a := decode[protocol.Ack](c.t, raw)
		answers = append(answers, answerWord(int(a.Ack-c.last)+len(commands)-1, a.Error))
	}
	return answers
}

// answerWord returns the text of the answer to the command at index i.
func answerWord(i int, err *protocol.Description) string {
	if err != nil {
		return fmt.Sprint(i, " refused")
	}
	return fmt.Sprint(i, " done")
}

// Waiting commands are merged if a later one makes an earlier one pointless: one movement is sent,
// and each command is answered.
func TestWaitingCommandsAreMerged(t *testing.T) {
	const tick, back, event = `"do":"step","by":"tick","n":1`, `"do":"step","by":"tick","n":-1`, `"do":"step","by":"event","n":1`
	const find, state, rate = `"do":"find","what":"expire","n":1`, `"do":"state"`, `"do":"speed","rate":3`
	seek := func(to int) string { return fmt.Sprintf(`"do":"seek","tick":%d`, to) }
	for _, test := range []struct {
		what     string
		commands []string
		frames   int      // maximum number of states and deltas
		alone    []string // commands with the same effect one by one; nil: all of them
	}{
		{"seeks", []string{seek(1), seek(2), seek(7), seek(5)}, 1, nil},
		{"seeks around another command", []string{seek(1), seek(7), rate, seek(2), seek(5)}, 2, nil},
		{"the last seek is refused", []string{seek(7), seek(5), seek(100)}, 1, nil},
		{"all are refused", []string{seek(100), seek(101)}, 0, nil},
		{"steps", []string{tick, tick, tick}, 1, nil},
		{"steps past the end", slices.Repeat([]string{tick}, 20), 1, nil},
		{"steps back", []string{back, back}, 1, nil},
		{"steps there and back", []string{tick, tick, back, back, back}, 2, nil},
		{"steps of two kinds", []string{tick, tick, event, event}, 2, nil},
		{"a step between seeks", []string{seek(1), seek(5), tick, seek(1), seek(2)}, 3, nil},
		{"finds", []string{find, find, find}, 1, []string{find}},
		{"states", []string{state, state, state}, 1, nil},
		{"a state before a seek", []string{state, seek(5)}, 1, nil},
		{"a state behind a seek", []string{seek(7), seek(5), state}, 1, nil},
		{"a state between steps", []string{tick, state, tick}, 3, nil},
		{"a state behind a refused seek", []string{seek(100), state}, 1, nil},
	} {
		t.Run(strings.ReplaceAll(test.what, " ", "-"), func(t *testing.T) {
			inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
				one, all := h.client("/ws?t=3"), h.client("/ws?t=3")
				defer one.close()
				defer all.close()
				if test.alone == nil {
					test.alone = test.commands
				}
				var want []string
				for i, command := range test.alone {
					want = append(want, answerWord(i, one.ask(command)))
				}
				for i := len(want); i < len(test.commands); i++ {
					want = append(want, answerWord(i, nil))
				}
				all.until("rest", func() bool { return all.rest })
				was := all.states + all.deltas
				if got := all.busy(h, test.commands...); !slices.Equal(got, want) {
					t.Errorf("answers %v, want %v", got, want)
				}
				if frames := all.states + all.deltas - was; all.tick != one.tick || all.seq != one.seq || frames > test.frames {
					t.Errorf("at tick %d event %d after %d frames, want tick %d event %d after %d", all.tick, all.seq, frames, one.tick, one.seq, test.frames)
				}
				all.checkAgainstState()
			})
		})
	}
}

// One state answers all sockets that asked for one.
func TestWaitingStatesAreOne(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		c := h.client("/ws?t=3")
		defer c.close()
		viewer := h.client("/ws?session=" + c.hello.Session)
		defer viewer.close()
		s, _ := h.server.hub.Find(c.hello.Session)
		release := make(chan struct{})
		s.Do(func() { <-release })
		c.send(`{"v":1,"id":1,"do":"state"}`)
		viewer.send(`{"v":1,"id":1,"do":"state"}`)
		synctest.Wait()
		close(release)
		var states []string
		for _, k := range []*client{c, viewer} {
			for kind := ""; kind != "ack"; {
				var raw []byte
				if kind, raw = k.read(); kind == "state" {
					states = append(states, string(raw))
				}
			}
		}
		if len(states) != 2 || states[0] != states[1] {
			t.Errorf("%d states %q", len(states), states)
		}
	})
}

// Viewers that fell behind get states together, stateInterval apart.
func TestLateViewersShareStates(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws?scenario=request-timeouts&t=200")
		defer c.close()
		var viewers []*client
		for range 5 {
			v := h.client("/ws?session=" + c.hello.Session)
			defer v.conn.Close()
			viewers = append(viewers, v)
		}
		c.must(`"do":"play","rate":60`)
		var mu sync.Mutex
		states, total, had := map[string]bool{}, 0, c.states
		for range 2 {
			c.until("some frames", c.passed(3*session.FramesWaitingMax))
			var reading sync.WaitGroup
			for _, v := range viewers {
				reading.Go(func() {
					for {
						if kind, raw := v.read(); kind == "state" {
							mu.Lock()
							defer mu.Unlock()
							states[string(raw)] = true
							total++
							return
						}
					}
				})
			}
			reading.Wait()
		}
		if c.states != had {
			t.Errorf("the driver was not late and was sent %d states", c.states-had)
		}
		if total != 10 || len(states) > 4 {
			t.Errorf("%d states, %d of them different", total, len(states))
		}
	})
}

// passed returns a condition that holds after n more deltas.
func (c *client) passed(n int) func() bool {
	until := c.deltas + n
	return func() bool { return c.deltas >= until }
}
