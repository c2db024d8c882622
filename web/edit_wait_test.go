package web

import (
	"context"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A command that opens another run is refused after editWait if it gets no turn, and the session
// goes on from where it was.
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
			var leave []func()
			for range 2 * max(1, runtime.GOMAXPROCS(0)-1) { // all turns, and those lent in their place
				_, l, err := h.store.Queue().Enter(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				leave = append(leave, l)
			}
			began := time.Now()
			err := c.ask(command)
			if took := time.Since(began); err == nil || !strings.Contains(err.Message, "not ready in time") || took.Truncate(time.Second) != editWait {
				t.Errorf("%s: %v after %s, want a refusal after %s", what, err, took, editWait)
			}
			for _, l := range leave {
				l()
			}
			c.checkAgainstState()
			if after := c.picture(); c.hello.Run != run || !reflect.DeepEqual(after, before) {
				t.Errorf("%s: %s %v, before it %s %v", what, c.hello.Run, after, run, before)
			}
		})
	}
}
