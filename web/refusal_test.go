package web

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// refused sends a message verbatim and returns the next answer.
func (c *client) refused(raw string) protocol.Ack {
	c.t.Helper()
	time.Sleep(time.Second / 50)
	c.send(raw)
	for {
		if kind, data := c.read(); kind == "ack" {
			return decode[protocol.Ack](c.t, data)
		}
	}
}

// wholeState returns the state of a session as a viewer sees it.
func (c *client) wholeState() []any {
	c.t.Helper()
	c.must(`"do":"state"`)
	return []any{c.hello.Run, c.hello.Session, c.seq, c.tick, c.player.Playing, c.player.Rate, c.player.End, c.picture()}
}

// The error of a wrong message has the field's path and the message's id, or 0 if it has none; the
// session is unchanged.
func TestRefusedMessages(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		c := h.client("/ws?seq=15")
		defer c.close()
		was := c.wholeState()
		for raw, want := range map[string]protocol.Ack{
			`{"v":1,"id":7,"do":"seek","tick":4`: {Ack: 0, Error: &protocol.Description{Path: "", Message: "the message can't be read: unexpected EOF"}},
			`seek 4`:                             {Ack: 0, Error: &protocol.Description{Path: "", Message: "the message can't be read: invalid character 's'"}},
			``:                                   {Ack: 0, Error: &protocol.Description{Path: "", Message: "the message can't be read: "}},
			`[{"v":1,"id":7,"do":"pause"}]`:      {Ack: 0, Error: &protocol.Description{Path: "", Message: "expected an object"}},
			`{"v":1,"do":"seek","tick":4}`:       {Ack: 0, Error: &protocol.Description{Path: "id", Message: "missing"}},
			`{"v":1,"id":1e300,"do":"seek","tick":4}`:                                                        {Ack: 0, Error: &protocol.Description{Path: "id", Message: "1e300 is not a whole number"}},
			`{"v":1,"id":9223372036854775807,"do":"seek","tick":4}`:                                          {Ack: 0, Error: &protocol.Description{Path: "id", Message: "9223372036854775807 is not"}},
			`{"v":7,"id":7,"do":"seek","tick":4}`:                                                            {Ack: 7, Error: &protocol.Description{Path: "v", Message: "7 is not 1"}},
			`{"v":1,"id":7,"do":"seek","tick":4,"fast":true}`:                                                {Ack: 7, Error: &protocol.Description{Path: "fast", Message: "unknown field; seek takes tick, seq"}},
			`{"v":1,"id":7,"do":"seek","tick":"4"}`:                                                          {Ack: 7, Error: &protocol.Description{Path: "tick", Message: `"4" is not a whole number`}},
			`{"v":1,"id":7,"do":"seek","tick":4,"seq":4}`:                                                    {Ack: 7, Error: &protocol.Description{Path: "seq", Message: "given beside tick"}},
			`{"v":1,"id":7,"do":"seek","tick":10}`:                                                           {Ack: 7, Error: &protocol.Description{Path: "tick", Message: "10 is past the end of the scenario at tick 9"}},
			`{"v":1,"id":7,"do":"seek","seq":45}`:                                                            {Ack: 7, Error: &protocol.Description{Path: "seq", Message: "45 is not an event of this run, which has 44"}},
			`{"v":1,"id":7,"do":"fly"}`:                                                                      {Ack: 7, Error: &protocol.Description{Path: "do", Message: `"fly" is not one of`}},
			`{"v":1,"id":7,"do":"play","rate":0.05}`:                                                         {Ack: 7, Error: &protocol.Description{Path: "rate", Message: "0.05 is not 0 or between 0.1 and 1000000000"}},
			`{"v":1,"id":7,"do":"speed","rate":true}`:                                                        {Ack: 7, Error: &protocol.Description{Path: "rate", Message: "true is not a number"}},
			`{"v":1,"id":7,"do":"step","by":"leap","n":1}`:                                                   {Ack: 7, Error: &protocol.Description{Path: "by", Message: `"leap" is not one of tick, step, event`}},
			`{"v":1,"id":7,"do":"step","by":"tick","n":2}`:                                                   {Ack: 7, Error: &protocol.Description{Path: "n", Message: "2 is not a whole number between -1 and 1"}},
			`{"v":1,"id":7,"do":"step","by":"tick","n":0}`:                                                   {Ack: 7, Error: &protocol.Description{Path: "n", Message: "0 is not 1 or -1"}},
			`{"v":1,"id":7,"do":"op","op":"cancel","timer":"absent"}`:                                        {Ack: 7, Error: &protocol.Description{Path: "timer", Message: "absent"}},
			`{"v":1,"id":7,"do":"op","op":"schedule","timer":"far","delay":1}`:                               {Ack: 7, Error: &protocol.Description{Path: "timer", Message: "far"}},
			`{"v":1,"id":7,"do":"op","op":"schedule","timer":"new"}`:                                         {Ack: 7, Error: &protocol.Description{Path: "delay", Message: "missing"}},
			`{"v":1,"id":7,"do":"op","op":"stall","for":3}`:                                                  {Ack: 7, Error: &protocol.Description{Path: "for", Message: "unknown field"}},
			`{"v":1,"id":7,"do":"load"}`:                                                                     {Ack: 7, Error: &protocol.Description{Path: "scenario", Message: "missing; expected a built-in scenario's name or a scenario object"}},
			`{"v":1,"id":7,"do":"load","scenario":7}`:                                                        {Ack: 7, Error: &protocol.Description{Path: "scenario", Message: "7 is not a built-in scenario's name or a scenario object"}},
			`{"v":1,"id":7,"do":"load","scenario":"nope"}`:                                                   {Ack: 7, Error: &protocol.Description{Path: "scenario", Message: `"nope" is not the name of a scenario here`}},
			`{"v":1,"id":7,"do":"load","scenario":"reach","tick":1e9}`:                                       {Ack: 7, Error: &protocol.Description{Path: "tick", Message: "1e9 is not a whole number"}},
			`{"v":1,"id":7,"do":"load","scenario":` + badSlots + `}`:                                         {Ack: 7, Error: &protocol.Description{Path: "scenario.lanes[1].slots", Message: "0 is not"}},
			`{"v":1,"id":7,"do":"load","scenario":"reach","run":"0123456789abcdef"}`:                         {Ack: 7, Error: &protocol.Description{Path: "run", Message: `"0123456789abcdef" is not the run that this session shows`}},
			`{"v":1,"id":7,"do":"op","op":"cancel","timer":"far","run":"0123456789abcdef"}`:                  {Ack: 7, Error: &protocol.Description{Path: "run", Message: `"0123456789abcdef" is not the run`}},
			`{"v":1,"id":7,"do":"op","op":"cancel","timer":"far","run":"0"}`:                                 {Ack: 7, Error: &protocol.Description{Path: "run", Message: `"0" is not the run`}},
			`{"v":1,"id":7,"do":"op","op":"cancel","timer":"far","tick":10}`:                                 {Ack: 7, Error: &protocol.Description{Path: "tick", Message: "10 is not a whole number between 0 and 9"}},
			`{"v":1,"id":7,"do":"lane","remove":"one","run":"0123456789abcdef"}`:                             {Ack: 7, Error: &protocol.Description{Path: "run", Message: "is not the run"}},
			`{"v":1,"id":7,"do":"events","from":0,"n":20001}`:                                                {Ack: 7, Error: &protocol.Description{Path: "n", Message: "20001 is not a whole number between 1 and 20000"}},
			`{"v":1,"id":7,"do":"events","from":-1,"n":1}`:                                                   {Ack: 7, Error: &protocol.Description{Path: "from", Message: "-1 is not a whole number"}},
			`{"v":1,"id":7,"do":"preview","tick":1,"delays":[1]}`:                                            {Ack: 7, Error: &protocol.Description{Path: "run", Message: "missing"}},
			`{"v":1,"id":7,"do":"preview","run":"0123456789abcdef","tick":1,"delays":[1]}`:                   {Ack: 7, Error: &protocol.Description{Path: "run", Message: "is not the run"}},
			`{"v":1,"id":7,"do":"preview","run":"0","tick":1,"delays":[` + strings.Repeat("1,", 256) + `1]}`: {Ack: 7, Error: &protocol.Description{Path: "delays", Message: "is not 1 to 256 whole numbers"}},
			`{"v":1,"id":7,"do":"preview","run":"0","tick":1,"delays":[]}`:                                   {Ack: 7, Error: &protocol.Description{Path: "delays", Message: "[] is not 1 to 256 whole numbers"}},
			`{"v":1,"id":7,"do":"lane"}`:                                                                     {Ack: 7, Error: &protocol.Description{Path: "", Message: "lane needs one of add, remove, replace"}},
			`{"v":1,"id":7,"do":"lane","remove":"one","add":{}}`:                                             {Ack: 7, Error: &protocol.Description{Path: "", Message: "lane needs one of add, remove, replace"}},
			`{"v":1,"id":7,"do":"lane","remove":"two"}`:                                                      {Ack: 7, Error: &protocol.Description{Path: "remove", Message: `"two" is not the id of a lane`}},
			`{"v":1,"id":7,"do":"lane","replace":"one"}`:                                                     {Ack: 7, Error: &protocol.Description{Path: "with", Message: "missing; expected a lane object"}},
			`{"v":1,"id":7,"do":"lane","remove":"one","with":{}}`:                                            {Ack: 7, Error: &protocol.Description{Path: "with", Message: "belongs to replace"}},
			`{"v":1,"id":7,"do":"lane","add":{"algorithm":"simple","slots":0}}`:                              {Ack: 7, Error: &protocol.Description{Path: "add.slots", Message: "0 is not"}},
			`{"v":1,"id":7,"do":"lane","replace":"one","with":{"algorithm":"no"}}`:                           {Ack: 7, Error: &protocol.Description{Path: "with.algorithm", Message: `"no"`}},
			`{"v":1,"id":7,"do":"lane","add":{"id":"one","algorithm":"heap"}}`:                               {Ack: 7, Error: &protocol.Description{Path: "add.id", Message: "one"}},
			`{"v":1,"id":7,"do":"pause","` + strings.Repeat("x", 5000) + `":"\u0000\n\r"}`:                   {Ack: 7, Error: &protocol.Description{Path: "xxx", Message: "unknown field"}},
		} {
			got := c.refused(raw)
			if got.Ack != want.Ack || got.Error == nil {
				t.Errorf("%.80s: answered %d, %v", raw, got.Ack, got.Error)
				continue
			}
			e := got.Error
			if pathFits := e.Path == want.Error.Path || want.Error.Path == "xxx" && strings.HasPrefix(e.Path, "xxx"); !pathFits || !strings.Contains(e.Message, want.Error.Message) || strings.ContainsAny(e.Error(), "\n\r\x00") || len(e.Error()) > 400 {
				t.Errorf("%.80s:\n got %q: %q\nwant %q: …%s…", raw, e.Path, e.Message, want.Error.Path, want.Error.Message)
			}
		}
		time.Sleep(time.Second)
		if now := c.wholeState(); !reflect.DeepEqual(now, was) {
			t.Errorf("its state is\n%v\nand was\n%v", now, was)
		}
	})
}

// badSlots is a scenario whose second lane can't be built.
const badSlots = `{"wheelscope":1,"lanes":[{"algorithm":"heap"},{"algorithm":"simple","slots":0}],"workload":{"ops":[]}}`

// Commands above the rate are refused, and only the accepted ones affect the session.
func TestCommandsAboveTheRateChangeNothing(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		c := h.client("/ws?t=4")
		defer c.close()
		was := c.wholeState()
		time.Sleep(2 * time.Second)
		var hand sync.WaitGroup
		hand.Go(func() {
			for i := range CommandsBurst + 40 {
				command := `"do":"pause"`
				if i >= CommandsBurst {
					command = `"do":"seek","tick":9`
				}
				c.conn.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"v":1,"id":%d,%s}`, 1000+i, command))
			}
		})
		for n := 0; n < CommandsBurst+40; {
			kind, data := c.read()
			if kind != "ack" {
				t.Fatalf("a command too many did something: %s", data)
			}
			a := decode[protocol.Ack](t, data)
			if fast := a.Ack >= 1000+CommandsBurst; fast != (a.Error != nil) {
				t.Fatalf("command %d: %v", a.Ack, a.Error)
			}
			n++
		}
		hand.Wait()
		time.Sleep(2 * time.Second)
		if now := c.wholeState(); !reflect.DeepEqual(now, was) {
			t.Errorf("its state is\n%v\nand was\n%v", now, was)
		}
	})
}

// Closing a socket because of its messages disturbs no other socket. A viewer's errors do not
// change the session of its driver.
func TestFaultsOfAViewerDisturbNoOther(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		driver := h.client("/ws?t=4")
		defer driver.close()
		was := driver.wholeState()
		path := "/ws?session=" + driver.hello.Session
		for what, c := range map[string]struct {
			kind int
			data []byte
			code int
		}{
			"binary": {websocket.BinaryMessage, []byte(`{"v":1,"id":1,"do":"state"}`), websocket.CloseUnsupportedData},
			"large":  {websocket.TextMessage, make([]byte, protocol.MessageBytesMax+1), websocket.CloseMessageTooBig},
			"text":   {websocket.TextMessage, []byte{'"', 0xff, '"'}, 0},
		} {
			viewer := h.client(path)
			go viewer.conn.WriteMessage(c.kind, c.data)
			if c.code == 0 { // invalid UTF-8: an answer, and the socket stays open
				if kind, data := viewer.read(); kind != "ack" || decode[protocol.Ack](t, data).Error == nil {
					t.Errorf("%s: %s", what, data)
				}
				viewer.close()
				continue
			}
			if code, _ := closed(t, viewer.conn); code != c.code {
				t.Errorf("%s: closed with %d, want %d", what, code, c.code)
			}
		}
		if now := driver.wholeState(); !reflect.DeepEqual(now, was) {
			t.Errorf("its state is\n%v\nand was\n%v", now, was)
		}
	})
}

// A page of another site, or a request for another host, opens no session.
func TestForeignSocketsOpenNothing(t *testing.T) {
	inBubble(t, Config{HostAllow: []string{"lecture.example.org"}}, func(t *testing.T, h *harness) {
		for _, header := range []http.Header{
			{"Origin": {"http://evil.example"}}, {"Origin": {"null"}}, {"Origin": {"http://127.0.0.1:9090"}}, {"Origin": {"http://localhost:8080"}},
			{"Host": {"evil.example"}}, {"Host": {"evil.example"}, "Origin": {"http://evil.example"}},
		} {
			conn, a := h.dial("/ws", header)
			if conn != nil || a.code != http.StatusForbidden || strings.Count(a.body, "\n") != 1 {
				t.Errorf("%v: %d %q", header, a.code, a.body)
			}
		}
		if n, _ := h.server.hub.Counts(); n != 0 {
			t.Errorf("%d sessions were opened", n)
		}
		for _, header := range []http.Header{nil, {"Origin": {"http://127.0.0.1:8080"}}, {"Host": {"lecture.example.org"}, "Origin": {"https://lecture.example.org"}}} {
			conn, a := h.dial("/ws", header)
			if conn == nil {
				t.Errorf("%v: %d %q", header, a.code, a.body)
				continue
			}
			conn.Close()
		}
	})
}

// Pongs do not keep a socket open that is being closed.
func TestPongsDoNotKeepAClosedSocket(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		c.conn.WriteMessage(websocket.BinaryMessage, []byte("x"))
		start := time.Now()
		gone := make(chan time.Duration)
		go func() {
			for {
				time.Sleep(100 * time.Millisecond)
				if c.conn.WriteControl(websocket.PongMessage, nil, time.Now().Add(time.Second)) != nil || time.Since(start) > time.Minute {
					gone <- time.Since(start)
					return
				}
			}
		}()
		if code, _ := drainFrames(c.conn); code != websocket.CloseUnsupportedData {
			t.Errorf("closed with %d", code)
		}
		if took := <-gone; took > closeWait+time.Second {
			t.Errorf("it was served for %v after it was closed", took)
		}
		c.conn.Close()
	})
}

// drainFrames reads up to the close frame, leaves the connection open and does not answer the
// close.
func drainFrames(conn *websocket.Conn) (int, string) {
	conn.SetCloseHandler(func(int, string) error { return nil })
	for {
		_, _, err := conn.ReadMessage()
		if e, ok := err.(*websocket.CloseError); ok {
			return e.Code, e.Text
		}
		if err != nil {
			return 0, err.Error()
		}
	}
}
