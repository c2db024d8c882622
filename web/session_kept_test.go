package web

import (
	"encoding/hex"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/web/session"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// reclaim returns the URL at which the driver of a session joins it again.
func (c *client) reclaim() string {
	return "/ws?session=" + c.hello.Session + "&secret=" + c.hello.Secret
}

// vanish closes a client's connection without a close frame.
func (c *client) vanish() {
	c.conn.NetConn().Close()
	synctest.Wait()
}

// A driver that loses its socket gets its session back as its driver, with the edited run, the
// cursor and the rate. The session is paused, even if it played when the socket was lost.
func TestDriverReclaimsItsSession(t *testing.T) {
	places := map[string][]string{
		"the beginning":        nil,
		"a tick":               {`"do":"seek","tick":4`},
		"an event":             {`"do":"seek","seq":9`},
		"a tick without one":   {`"do":"seek","tick":5`},
		"the end":              {`"do":"seek","tick":6`, `"do":"step","by":"tick","n":1`},
		"an edited run":        {`"do":"seek","tick":2`, `"do":"op","op":"schedule","timer":"mine","delay":2`, `"do":"speed","rate":7`},
		"another run, by lane": {`"do":"load","scenario":"reach","tick":3`, `"do":"lane","add":{"id":"more","algorithm":"simple"}`},
	}
	for what, commands := range places {
		t.Run(what, func(t *testing.T) {
			inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
				c := h.client("/ws")
				for _, command := range commands {
					c.must(command)
				}
				c.must(`"do":"state"`)
				c.vanish()
				time.Sleep(protocol.SessionKeep - time.Second)
				again := h.client(c.reclaim())
				defer again.close()
				if !again.hello.Driver || again.hello.Session != c.hello.Session || again.hello.Secret != c.hello.Secret || again.hello.Run != c.hello.Run {
					t.Fatalf("%+v, was %+v", again.hello, c.hello)
				}
				if again.seq != c.seq || again.tick != c.tick || again.player.Rate != c.player.Rate || again.player.Playing {
					t.Errorf("at tick %d seq %d, %+v; was at %d, %d, %+v", again.tick, again.seq, again.player, c.tick, c.seq, c.player)
				}
				if !reflect.DeepEqual(again.picture(), c.picture()) {
					t.Error("another picture")
				}
				again.must(`"do":"seek","tick":1`)
			})
		})
	}
}

// A kept session does not play, and does not count as open.
func TestKeptSessionIsPaused(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws?scenario=heartbeats")
		c.must(`"do":"play","rate":100`)
		c.until("tick 100", func() bool { return c.tick > 100 })
		c.vanish()
		if open, kept := h.server.hub.Counts(); open+len(h.server.sockets.open) != 0 || kept != 1 {
			t.Errorf("%d sessions are open, %d kept", open, kept)
		}
		time.Sleep(30 * time.Second)
		again := h.client(c.reclaim())
		defer again.close()
		if again.player.Playing || again.player.Rate != 100 || again.tick < c.tick || again.tick > c.tick+100 {
			t.Errorf("at tick %d, %+v; the socket was lost after %d", again.tick, again.player, c.tick)
		}
	})
}

// A kept session is dropped after protocol.SessionKeep, or after many others were kept.
func TestKeptSessionsAreBounded(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		late := h.client("/ws")
		late.vanish()
		time.Sleep(protocol.SessionKeep)
		if conn, a := h.dial(late.reclaim(), nil); conn != nil || a.code != http.StatusNotFound || !strings.Contains(a.body, "kept for at most 1m0s") {
			t.Errorf("after %s: %d %q", protocol.SessionKeep, a.code, a.body)
		}
		first := h.client("/ws")
		first.vanish()
		second := h.client("/ws")
		second.vanish()
		for range session.SessionsKeptMax - 1 {
			c := h.client("/ws")
			c.vanish()
		}
		if _, n := h.server.hub.Counts(); n != session.SessionsKeptMax {
			t.Errorf("%d sessions are kept", n)
		}
		if conn, a := h.dial(first.reclaim(), nil); conn != nil || a.code != http.StatusNotFound {
			t.Errorf("the one kept longest: %d %q", a.code, a.body)
		}
		h.client(second.reclaim()).close()
	})
}

// A session whose run was dropped to free memory can't be joined again. The run of a kept session
// can be dropped like any other run without viewers.
func TestKeptSessionHoldsNoRun(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		open := h.store.Memory().Used()
		c.vanish()
		if kept := h.store.Memory().Used(); kept > open-session.SessionBytes(webtest.LoadSmall(t))-socketBytes {
			t.Errorf("%d bytes are reserved for a run and a session with a socket, %d while it is kept", open, kept)
		}
		mem, err := h.store.Memory().Reserve(h.store.Memory().Limit() * 7 / 8) // all but the spare part
		if err != nil {
			t.Fatalf("the memory of a kept session is not given up: %v", err)
		}
		mem.Release()
		if _, ok := h.store.Lookup(c.hello.Run); ok {
			t.Fatal("its run is still there")
		}
		if conn, a := h.dial(c.reclaim(), nil); conn != nil || a.code != http.StatusNotFound {
			t.Errorf("%d %q", a.code, a.body)
		}
		if _, n := h.server.hub.Counts(); n != 0 {
			t.Errorf("%d sessions are kept without their run", n)
		}
	})
}

// Only the driver gets the secret, and only the secret makes a driver.
func TestSecretOfASession(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		driver := h.client("/ws?t=2")
		if raw, err := hex.DecodeString(driver.hello.Secret); err != nil || len(raw) != 16 || strings.Contains(driver.hello.Session, driver.hello.Secret) {
			t.Errorf("secret %q of session %q", driver.hello.Secret, driver.hello.Session)
		}
		viewer := h.client("/ws?session=" + driver.hello.Session)
		defer viewer.close()
		driver.must(`"do":"seek","tick":3`)
		driver.must(`"do":"lane","add":{"id":"more","algorithm":"simple"}`) // sends another hello
		viewer.until("hello", func() bool { return viewer.hello.Run == driver.hello.Run })
		if viewer.hello.Secret != "" || driver.hello.Secret == "" {
			t.Error("a viewer has a secret, or the driver none")
		}
		other := h.client("/ws")
		defer other.close()
		if other.hello.Secret == driver.hello.Secret {
			t.Error("two sessions have one secret")
		}
		id := driver.hello.Session
		check := func(when string) {
			t.Helper()
			for _, wrong := range []string{"", "0", other.hello.Secret, driver.hello.Secret + "0", strings.ToUpper(driver.hello.Secret) + "%00", id} {
				path := "/ws?session=" + id + "&secret=" + wrong
				const line = "secret: not the secret of this session, which can be viewed without one\n"
				if conn, a := h.dial(path, nil); conn != nil || a.code != http.StatusForbidden || a.body != line {
					t.Errorf("%s, %q: %d %q", when, wrong, a.code, a.body)
				}
				if a := h.get(path + "&why=1"); a.code != http.StatusForbidden || a.body != line {
					t.Errorf("%s, why %q: %d %q", when, wrong, a.code, a.body)
				}
			}
		}
		check("open")
		driver.must(`"do":"seek","tick":4`) // it still drives
		viewer.close()
		driver.vanish()
		check("kept")
		if a := h.get(driver.reclaim() + "&why=1"); a.code != http.StatusNoContent {
			t.Errorf("the right one: %d %q", a.code, a.body)
		}
		h.client(driver.reclaim()).close()
	})
}

// The socket of a returning driver replaces one that still seems to be open. The viewers stay and
// see the driver's commands.
func TestDriverTakesItsOwnPlace(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		old := h.client("/ws?scenario=three-slots&t=2")
		viewer := h.client("/ws?session=" + old.hello.Session)
		defer viewer.close()
		old.must(`"do":"play","rate":0.5`)
		again := h.client(old.reclaim())
		defer again.close()
		if again.player.Playing {
			t.Error("it plays on")
		}
		var closed *websocket.CloseError
		for closed == nil {
			if _, _, err := old.conn.ReadMessage(); err != nil {
				closed, _ = err.(*websocket.CloseError)
				if closed == nil {
					t.Fatal(err)
				}
			}
		}
		if closed.Code != 4001 || closed.Text != "another connection drives this session now" {
			t.Errorf("the old one is closed with %v", closed)
		}
		old.conn.Close()
		synctest.Wait()
		if n := len(h.server.sockets.open); n != 2 {
			t.Errorf("%d sockets", n)
		}
		again.must(`"do":"seek","tick":5`)
		viewer.until("tick 5", func() bool { return viewer.tick == 5 })
	})
}

// A viewer that returns before the driver opens the session again and does not drive it.
func TestViewerOpensAKeptSession(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		driver := h.client("/ws?scenario=three-slots&t=2")
		driver.vanish()
		viewer := h.client("/ws?session=" + driver.hello.Session)
		defer viewer.close()
		if viewer.hello.Driver || viewer.hello.Secret != "" || viewer.tick != 2 {
			t.Errorf("at tick %d, %+v", viewer.tick, viewer.hello)
		}
		again := h.client(driver.reclaim())
		defer again.close()
		again.must(`"do":"seek","tick":3`)
		viewer.until("tick 3", func() bool { return viewer.tick == 3 })
	})
}

// /ws?run= opens a run of the server by its digest.
func TestSocketOfARun(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws?scenario=three-slots")
		defer c.close()
		c.must(`"do":"op","op":"schedule","timer":"mine","delay":2`)
		run, found := h.store.Lookup(c.hello.Run)
		if !found {
			t.Fatal("no run")
		}
		for _, digits := range []string{c.hello.Run, run.Digest(), strings.ToUpper(run.Digest())} {
			o := h.client("/ws?lang=zh&t=3&run=" + digits)
			if o.hello.Run != c.hello.Run || o.tick != 3 || !o.hello.Driver || o.hello.Session == c.hello.Session || !o.hello.Scenario.Custom {
				t.Errorf("%s: %+v at tick %d", digits, o.hello, o.tick)
			}
			o.close()
		}
		o := h.client("/ws?seq=2&run=" + c.hello.Run)
		if o.seq != 2 {
			t.Errorf("at seq %d", o.seq)
		}
		o.close()
		const none = "is not a run of this server; expected 16 or more digits of a run that was opened recently\n"
		for path, want := range map[string]answer{
			"run=0123456789abcdef":                                  {code: 404, body: `run: "0123456789abcdef" ` + none},
			"run=":                                                  {code: 404, body: `run: "" ` + none},
			"run=" + c.hello.Run[:15]:                               {code: 404, body: none},
			"t=100000&run=" + c.hello.Run:                           {code: 400, body: "t: 100000 is past the end"},
			"seq=-1&run=" + c.hello.Run:                             {code: 400, body: `seq: "-1" is not a whole number`},
			"scenario=reach&run=" + c.hello.Run:                     {code: 400, body: "run: given beside scenario; expected one of them\n"},
			"session=" + c.hello.Session + "&run=" + c.hello.Run:    {code: 400, body: "run: given beside session; expected one of them\n"},
			"secret=" + c.hello.Secret:                              {code: 400, body: "secret: given without session\n"},
			"secret=" + c.hello.Secret + "&session=":                {code: 400, body: "secret: given without session\n"},
			"secret=" + c.hello.Secret + "&session=" + "0123456789": {code: 404, body: "is not the id of a session"},
		} {
			if conn, a := h.dial("/ws?"+path, nil); conn != nil || a.code != want.code || !strings.Contains(a.body, want.body) || strings.Count(a.body, "\n") != 1 {
				t.Errorf("%s: %d %q", path, a.code, a.body)
			}
		}
	})
}
