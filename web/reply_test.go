package web

import (
	"context"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/web/session"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// A command that opens another run is refused after cursor.RequestWaitMax if it gets no turn. The
// session continues from its position.
func TestRunIsOpenedInTimeOrRefused(t *testing.T) {
	for what, command := range map[string]string{
		"load":    `"do":"load","scenario":"heartbeats"`,
		"text":    `"do":"load","text":"{}"`,
		"op":      `"do":"op","op":"schedule","timer":"extra","delay":3`,
		"add":     `"do":"lane","add":{"algorithm":"heap"}`,
		"remove":  `"do":"lane","remove":"sorted"`,
		"replace": `"do":"lane","replace":"sorted","with":{"algorithm":"heap"}`,
		"move":    `"do":"lane","move":"sorted","to":0`,
	} {
		inBubble(t, Config{}, func(t *testing.T, h *harness) {
			c := h.client("/ws?scenario=three-slots&t=1")
			defer c.close()
			before, run := c.picture(), c.hello.Run
			free := takeAll(t, h.store.Queue())
			began := time.Now()
			err := c.ask(command)
			if took := time.Since(began); err == nil || !strings.Contains(err.Message, "not ready in time") || took.Truncate(time.Second) != cursor.RequestWaitMax {
				t.Errorf("%s: %v after %s, want a refusal after %s", what, err, took, cursor.RequestWaitMax)
			}
			free()
			c.checkAgainstState()
			if after := c.picture(); c.hello.Run != run || !reflect.DeepEqual(after, before) {
				t.Errorf("%s: %s %v, before it %s %v", what, c.hello.Run, after, run, before)
			}
		})
	}
}

// takeAll takes all turns of queues, and those lent in their place, until free is called.
func takeAll(t *testing.T, queues ...*fairqueue.Queue) (free func()) {
	t.Helper()
	var leave []func()
	for _, q := range queues {
		for range 2 * runtime.GOMAXPROCS(0) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			_, l, err := q.Enter(ctx)
			cancel()
			if err == nil {
				leave = append(leave, l)
			}
		}
	}
	return func() {
		for _, l := range leave {
			l()
		}
	}
}

// A session that gets no turn answers every command in time, executes those that need no turn, and
// continues from its position.
func TestCommandsAreAnsweredWithoutATurn(t *testing.T) {
	const refused, done = "not ready in time", ""
	for command, want := range map[string]string{
		`"do":"seek","tick":9`:                    done, // the state follows
		`"do":"step","by":"tick","n":1`:           done, // its events are there
		`"do":"find","what":"expire","n":1`:       done, // it continues
		`"do":"state"`:                            done, // the state follows
		`"do":"play"`:                             done,
		`"do":"pause"`:                            done,
		`"do":"speed","rate":3`:                   done,
		`"do":"load","scenario":"heartbeats"`:     refused,
		`"do":"op","op":"cancel","timer":"task3"`: refused,
		`"do":"lane","remove":"sorted"`:           refused,
		`"do":"step","by":"year"`:                 "year",
		`"do":"seek","tick":9,"what":"what"`:      "unknown field",
	} {
		inBubble(t, Config{}, func(t *testing.T, h *harness) {
			c := h.client("/ws?scenario=three-slots&t=1")
			defer c.close()
			time.Sleep(time.Second) // it is at rest
			free := takeAll(t, h.store.Queue(), h.server.hub.Frames, h.server.hub.Commands)
			began := time.Now()
			err := c.ask(command)
			if took := time.Since(began); took > 10*time.Second { // a seek is acknowledged after protocol.AnswerWait
				t.Errorf("%s: answered after %s", command, took)
			}
			switch {
			case err == nil && want != "":
				t.Errorf("%s: done, want %q", command, want)
			case err != nil && (want == "" || !strings.Contains(err.Message, want)):
				t.Errorf("%s: %v, want %q", command, err, want)
			}
			free()
			c.must(`"do":"pause"`)
			c.checkAgainstState()
		})
	}
}

// A command that waits behind long work is refused in time, and not executed later.
func TestCommandsBehindLongWorkAreRefused(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws?scenario=three-slots&t=1")
		defer c.close()
		s, _ := h.server.hub.Find(c.hello.Session)
		hold := make(chan struct{})
		s.Do(func() { <-hold })
		for _, command := range []string{`"do":"seek","tick":9`, `"do":"step","by":"tick","n":1`, `"do":"play"`, `"do":"state"`, `"do":"nothing"`} {
			began := time.Now()
			err := c.ask(command)
			if took := time.Since(began); err == nil || !strings.Contains(err.Message, "not ready in time") || took.Truncate(time.Second) != session.BeginWait {
				t.Errorf("%s: %v after %s, want a refusal after %s", command, err, took, session.BeginWait)
			}
		}
		close(hold)
		if c.checkAgainstState(); c.tick != 1 || c.player.Playing {
			t.Errorf("at tick %d, playing: %t", c.tick, c.player.Playing)
		}
	})
}

// fillMemory reserves all memory of a server but n bytes, to within 1 KiB.
func fillMemory(h *harness, n int64) (release func()) {
	var all []*budget.Reservation
	for _, bytes := range []int64{n, 64 << 20, 64 << 10, 1 << 10} {
		for mem, err := h.store.Memory().Reserve(bytes); err == nil; mem, err = h.store.Memory().Reserve(bytes) {
			if all = append(all, mem); len(all) == 1 {
				break
			}
		}
	}
	all[0].Release()
	return func() {
		for _, mem := range all {
			mem.Release()
		}
	}
}

// A session that gets no turn begins before the first event, in time.
func TestSessionBeginsWithoutATurn(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		free := takeAll(t, h.store.Queue(), h.server.hub.Frames, h.server.hub.Commands)
		defer free()
		began := time.Now()
		c := h.client("/ws?scenario=heartbeats")
		if took := time.Since(began); took > protocol.AnswerWait || c.tick != 0 {
			t.Errorf("opened at tick %d after %s", c.tick, took)
		}
		c.close()
	})
}

// A WebSocket whose session can't begin in time is closed with the reason, and the session ends.
func TestSessionBeginsInTimeOrIsRefused(t *testing.T) {
	for what, c := range map[string]struct {
		prepare func(t *testing.T, h *harness, first *client) (path string, free func())
		want    string
	}{
		"no memory": {func(t *testing.T, h *harness, first *client) (string, func()) {
			return "/ws?scenario=three-slots", fillMemory(h, 128<<10)
		}, "this needs about"},
		"viewer": {func(t *testing.T, h *harness, first *client) (string, func()) {
			s, _ := h.server.hub.Find(first.hello.Session)
			hold := make(chan struct{})
			s.Do(func() { <-hold })
			return "/ws?session=" + first.hello.Session, func() { close(hold) }
		}, "not ready in time"},
	} {
		inBubble(t, Config{}, func(t *testing.T, h *harness) {
			first := h.client("/ws?scenario=three-slots")
			time.Sleep(time.Second) // it is at rest, and the size of its reservation does not change
			path, free := c.prepare(t, h, first)
			began := time.Now()
			conn, refused := h.dial(path, nil)
			if conn == nil {
				t.Fatalf("%s: %d %s", what, refused.code, refused.body)
			}
			defer conn.Close()
			_, _, err := conn.ReadMessage()
			if took := time.Since(began); !websocket.IsCloseError(err, websocket.CloseTryAgainLater) || !strings.Contains(err.Error(), c.want) || took > protocol.AnswerWait {
				t.Errorf("%s: %v after %s", what, err, took)
			}
			free()
			first.close()
			time.Sleep(time.Second)
			if n, _ := h.server.hub.Counts(); n != 0 {
				t.Errorf("%s: %d sessions are left", what, n)
			}
		})
	}
}
