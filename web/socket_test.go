package web

import (
	"encoding/binary"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// closed reads up to the end of a socket and returns the close code and reason.
func closed(t *testing.T, conn *websocket.Conn) (int, string) {
	t.Helper()
	conn.SetReadDeadline(time.Now().Add(2 * time.Minute))
	for {
		_, _, err := conn.ReadMessage()
		if e, ok := err.(*websocket.CloseError); ok {
			conn.Close()
			return e.Code, e.Text
		}
		if err != nil {
			conn.Close()
			t.Fatalf("the socket ended without a reason: %v", err)
		}
	}
}

func TestRefusedBeforeTheUpgrade(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for path, want := range map[string]answer{
			"/ws?scenario=nope":    {code: 404, body: "is not the name of a scenario"},
			"/ws?t=99":             {code: 400, body: "past the end"},
			"/ws?t=x":              {code: 400, body: "not a whole number"},
			"/ws?seq=100000":       {code: 400, body: "is not an event"},
			"/ws?session=nope":     {code: 404, body: "is not the id of a session"},
			"/ws?session=%3Cb%3E1": {code: 404, body: "is not the id of a session"},
		} {
			conn, a := h.dial(path, nil)
			if conn != nil || a.code != want.code || !strings.Contains(a.body, want.body) {
				t.Errorf("%s: %d %q", path, a.code, a.body)
			}
		}
		if a := h.get("/ws"); a.code != http.StatusUpgradeRequired || a.header.Get("Upgrade") != "websocket" {
			t.Errorf("without an upgrade: %d %q, %v", a.code, a.body, a.header)
		}
	})
}

func TestBinaryFrameIsClosed(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		c.conn.WriteMessage(websocket.BinaryMessage, []byte(`{"v":1,"id":1,"do":"state"}`))
		if code, _ := closed(t, c.conn); code != websocket.CloseUnsupportedData {
			t.Errorf("closed with %d", code)
		}
	})
}

// A message one byte too long closes the socket with 1009.
func TestTooLargeMessageIsClosed(t *testing.T) {
	for _, large := range []int{protocol.MessageBytesMax + 1, 20 << 20} {
		inBubble(t, Config{}, func(t *testing.T, h *harness) {
			c := h.client("/ws")
			go c.conn.WriteMessage(websocket.TextMessage, make([]byte, large))
			code, reason := closed(t, c.conn)
			if code != websocket.CloseMessageTooBig || reason != "" {
				t.Errorf("%d bytes: closed with %d %q", large, code, reason)
			}
		})
	}
}

// A frame that announces too many bytes closes the socket before they arrive.
func TestTooLargeFrameIsClosedAtOnce(t *testing.T) {
	for what, begin := range map[string][]byte{
		"one byte more": frameStart(true, websocket.TextMessage, protocol.MessageBytesMax+1),
		"2^62 bytes":    frameStart(true, websocket.TextMessage, 1<<62),
		"after a ping":  append([]byte{0x80 | websocket.PingMessage, 0x80 | 1, 0, 0, 0, 0, 'x'}, frameStart(false, websocket.TextMessage, 1<<20)...),
	} {
		inBubble(t, Config{}, func(t *testing.T, h *harness) {
			c := h.client("/ws")
			began := time.Now()
			go func() {
				for i := range begin {
					c.conn.NetConn().Write(begin[i : i+1])
				}
			}()
			c.conn.SetReadDeadline(began.Add(time.Minute))
			code, reason := drainFrames(c.conn)
			if took := time.Since(began); code != websocket.CloseMessageTooBig || reason != "" || took > closeWait {
				t.Errorf("%s: closed with %d %q after %s", what, code, reason, took)
			}
			c.conn.Close()
		})
	}
}

// A message of MessageBytesMax bytes is read, and its error reported.
func TestLargestMessageIsRead(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		defer c.close()
		run := c.hello.Run
		begin, end := `{"v":1,"id":77,"do":"load","scenario":{"wheelscope":1,"nothing":"`, `"}}`
		c.send(begin + strings.Repeat("x", protocol.MessageBytesMax-len(begin)-len(end)) + end)
		data := c.readAck()
		if a := decode[protocol.Ack](t, data); a.Ack != 77 || a.Error == nil || !strings.HasPrefix(a.Error.Path, "scenario.") || len(a.Error.Message) > 300 {
			t.Errorf("%.300s", data)
		}
		c.must(`"do":"state"`)
		if c.hello.Run != run {
			t.Error("the session is on another run")
		}
	})
}

// readAck reads up to the next answer to a command.
func (c *client) readAck() []byte {
	c.t.Helper()
	for {
		if kind, data := c.read(); kind == "ack" {
			return data
		}
	}
}

// frameStart returns the header of a masked frame of size bytes, with mask 0.
func frameStart(final bool, opcode byte, size uint64) []byte {
	first := opcode
	if final {
		first |= 0x80
	}
	b := binary.BigEndian.AppendUint64([]byte{first, 0x80 | 127}, size)
	return append(b, 0, 0, 0, 0)
}

// A message that is not complete in time closes the socket, whether its sender waits between two
// frames and sends pongs, or omits the last byte of a frame.
func TestIncompleteMessageIsClosed(t *testing.T) {
	const size = protocol.MessageBytesMax / 2
	for what, begin := range map[string][]byte{
		"first fragment":      append(frameStart(false, websocket.TextMessage, size), make([]byte, size)...),
		"one byte is missing": append(frameStart(true, websocket.TextMessage, size), make([]byte, size-1)...),
		"empty fragments":     frameStart(false, websocket.TextMessage, 0),
	} {
		inBubble(t, Config{}, func(t *testing.T, h *harness) {
			c := h.client("/ws")
			began := time.Now()
			var sender sync.WaitGroup
			sender.Go(func() {
				c.conn.NetConn().Write(begin)
				if what == "one byte is missing" {
					return // the rest would be part of the frame
				}
				for time.Since(began) < time.Minute {
					time.Sleep(time.Second)
					frame := append(frameStart(true, websocket.PongMessage, 0)[:1], 0x80, 0, 0, 0, 0)
					if what == "empty fragments" {
						frame = frameStart(false, 0, 0)
					}
					if _, err := c.conn.NetConn().Write(frame); err != nil {
						return
					}
				}
			})
			c.conn.SetReadDeadline(began.Add(2 * time.Minute))
			code, reason := drainFrames(c.conn)
			if took := time.Since(began); code != websocket.ClosePolicyViolation || !strings.Contains(reason, "10s") || took > messageWait+closeWait {
				t.Errorf("%s: closed with %d %q after %s", what, code, reason, took)
			}
			c.conn.Close()
			sender.Wait()
		})
	}
}

// A message may come in fragments with pongs between them.
func TestFragmentedMessageIsRead(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		defer c.close()
		w, err := c.conn.NextWriter(websocket.TextMessage)
		if err != nil {
			t.Fatal(err)
		}
		text := `{"v":1,"id":1,"do":"state","op":"` + strings.Repeat("x", 30000) + `"}`
		for len(text) > 0 { // more than the library's write buffer: one fragment each
			n := min(len(text), 5000)
			w.Write([]byte(text[:n]))
			text = text[n:]
			c.conn.WriteControl(websocket.PongMessage, nil, time.Now().Add(time.Second))
			time.Sleep(time.Second)
		}
		w.Close()
		data := c.readAck()
		if a := decode[protocol.Ack](t, data); a.Ack != 1 || a.Error == nil || a.Error.Path != "op" {
			t.Errorf("%s", data)
		}
	})
}

// Commands over the rate are refused and not carried out.
func TestTooFast(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		const more = 30
		var hand sync.WaitGroup
		hand.Go(func() { c.hurry(CommandsBurst + more) })
		answered, refused := 0, 0
		for answered+refused < CommandsBurst+more {
			_, data := c.read()
			if a := decode[protocol.Ack](t, data); a.Error == nil {
				answered++
			} else if refused++; !strings.Contains(a.Error.Message, "at most 120 a second") || a.Ack == 0 {
				t.Fatalf("%s", data)
			}
		}
		if answered != CommandsBurst || refused != more {
			t.Errorf("%d answered, %d refused", answered, refused)
		}
		hand.Wait()
		time.Sleep(time.Second)
		c.must(`"do":"state"`) // accepted again after a second
		c.close()
	})
}

// A client that keeps exceeding the rate is disconnected.
func TestMuchTooFast(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		go c.hurry(CommandsBurst + RefusalsMax + 5)
		if code, reason := closed(t, c.conn); code != websocket.ClosePolicyViolation || !strings.HasPrefix(reason, "too many") {
			t.Errorf("closed with %d %q", code, reason)
		}
	})
}

// hurry sends commands without waiting for answers.
func (c *client) hurry(n int) {
	for i := range n {
		if c.conn.WriteMessage(websocket.TextMessage, []byte(fmt.Sprintf(`{"v":1,"id":%d,"do":"pause"}`, i+1))) != nil {
			return
		}
	}
}

func TestShutdownSaysGoingAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startHarness(t, Config{})
		idle, playing := h.client("/ws"), h.client("/ws?scenario=heartbeats")
		viewer := h.client("/ws?session=" + playing.hello.Session)
		playing.send(`{"v":1,"id":1,"do":"play","rate":100}`)
		codes := make(chan string, 3)
		for _, c := range []*client{idle, playing, viewer} {
			go func() {
				code, reason := closed(t, c.conn)
				codes <- fmt.Sprint(code, reason)
			}()
		}
		time.Sleep(time.Second)
		start := time.Now()
		h.stop()
		for range 3 {
			if got := <-codes; got != "1001 the server is shutting down" && got != "1001the server is shutting down" {
				t.Errorf("closed with %q", got)
			}
		}
		if took := time.Since(start); took > closeWait {
			t.Errorf("it took %v", took)
		}
	})
}

// A client that never reads does not delay the shutdown.
func TestShutdownCutsADeadClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startHarness(t, Config{})
		conn, _ := h.dial("/ws?scenario=heartbeats&t=500", nil)
		defer conn.Close()
		time.Sleep(time.Second)
		start := time.Now()
		h.stop()
		if took := time.Since(start); took > 2*closeWait {
			t.Errorf("it took %v", took)
		}
	})
}

func TestSilentClientIsCut(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		c.conn.SetPingHandler(func(string) error { return nil }) // no pong
		start := time.Now()
		for {
			if _, _, err := c.conn.ReadMessage(); err != nil {
				break
			}
		}
		c.conn.Close()
		if took := time.Since(start); took < pongWait || took > pongWait+closeWait {
			t.Errorf("cut after %v", took)
		}
	})
}

// A socket that another driver has replaced is closed soon, even if its client reads a queued message from time to
// time, or sends pongs.
func TestReplacedSocketLeaves(t *testing.T) {
	for what, step := range map[string]func(c *client) error{
		"slow reader": func(c *client) error { _, _, err := c.conn.ReadMessage(); return err },
		"pongs": func(c *client) error {
			return c.conn.WriteControl(websocket.PongMessage, nil, time.Now().Add(time.Second))
		},
	} {
		inBubble(t, Config{}, func(t *testing.T, h *harness) {
			first := h.client("/ws")
			first.hurry(100) // the answers are queued
			second := h.client("/ws?session=" + first.hello.Session + "&secret=" + first.hello.Secret)
			defer second.close()
			began := time.Now()
			for step(first) == nil && time.Since(began) < time.Minute {
				time.Sleep(closeWait / 2)
			}
			if took := time.Since(began); took > writeWait+2*closeWait {
				t.Errorf("%s: it left after %s", what, took)
			}
			synctest.Wait()
			if n := len(h.server.sockets.open); n != 1 {
				t.Errorf("%s: %d sockets are open", what, n)
			}
			first.conn.Close()
		})
	}
}

// A session is open as long as it has sockets, and dropped some time after the last one left.
func TestSessionEndsWithItsLastSocket(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		driver := h.client("/ws")
		path := "/ws?session=" + driver.hello.Session
		viewer := h.client(path)
		driver.close()
		synctest.Wait()
		if _, ok := h.server.hub.Find(viewer.hello.Session); !ok {
			t.Fatal("the session ended while somebody looked")
		}
		viewer.must(`"do":"state"`)
		viewer.close()
		synctest.Wait()
		if n, _ := h.server.hub.Counts(); n+len(h.server.sockets.open) != 0 {
			t.Errorf("%d sessions and sockets are left", n)
		}
		time.Sleep(protocol.SessionKeep)
		if conn, a := h.dial(path, nil); conn != nil || a.code != 404 {
			t.Errorf("a session that is gone is joined: %d", a.code)
		}
	})
}

func TestSessionsAreBounded(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for range protocol.SessionsMax {
			conn, a := h.dial("/ws", nil)
			if conn == nil {
				t.Fatalf("%d %s", a.code, a.body)
			}
			defer conn.Close()
		}
		conn, a := h.dial("/ws", nil)
		if conn != nil || a.code != http.StatusServiceUnavailable || !strings.Contains(a.body, fmt.Sprint(protocol.SessionsMax)) {
			t.Errorf("one more: %d %q", a.code, a.body)
		}
		if a := h.get("/"); a.code != http.StatusOK {
			t.Errorf("the page: %d", a.code)
		}
	})
}

// A socket whose peer vanishes leaves nothing behind.
func TestVanishedPeer(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws?scenario=heartbeats&t=1000")
		c.send(`{"v":1,"id":1,"do":"play","rate":0}`)
		c.conn.NetConn().Close()
		time.Sleep(time.Minute)
		synctest.Wait()
		if n, _ := h.server.hub.Counts(); n+len(h.server.sockets.open) != 0 {
			t.Errorf("%d sessions and sockets are left", n)
		}
	})
}
