package web

import (
	"context"
	"errors"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// endless is a run whose first pass takes far longer than any request waits.
const endless = `{"wheelscope":1,"name":"endless","until":4611686018427387000,"lanes":[{"algorithm":"rounds","slots":1}],
 "workload":{"ops":[{"at":0,"op":"schedule","timer":"far","delay":4611686018427386000}]}}`

// A tick that is not computed in time causes an error after a limited wait, for the page and for
// the socket.
func TestPositionThatIsNotComputed(t *testing.T) {
	p, err := program.Load([]byte(endless))
	if err != nil {
		t.Fatal(err)
	}
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	run, err := store.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
		defer cancel()
		<-ctx.Done()
		if _, err := api.Resolve(ctx, run, sim.EndOf(p.Until)); err != context.DeadlineExceeded {
			t.Errorf("%v", err)
		}
	})
	s, err := New(Config{Addr: "127.0.0.1:0", Store: store, Default: p})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	found, err := s.answers.Find(ctx, url.Values{"t": {"4611686018427387000"}})
	if late, ok := errors.AsType[*texts.Error](err); !ok || late.Kind != texts.Unavailable || found.At != sim.Start || found.Problem != nil {
		t.Errorf("%+v %v, want 503", found, err)
	}
}

// A seek beyond the computed part is answered when the cursor arrives or another position is
// requested; until then no state is marked as at rest.
func TestSeekIsAnsweredWhenItIsDone(t *testing.T) {
	_, conn := serveEndless(t)
	if m := readTo[protocol.State](t, conn, "state"); !m.Rest {
		t.Error("opened before anything: not at rest")
	}
	sendText(t, conn, `{"v":1,"id":1,"do":"seek","tick":4611686018427387000}`)
	sendText(t, conn, `{"v":1,"id":2,"do":"state"}`)
	if m := readTo[protocol.State](t, conn, "state"); m.Rest {
		t.Error("at rest, though it seeks")
	}
	if m := readTo[protocol.Ack](t, conn, "ack"); m.Ack != 2 {
		t.Errorf("%d is answered, want 2 alone", m.Ack)
	}
	sendText(t, conn, `{"v":1,"id":3,"do":"seek","tick":2}`)
	if m := readTo[protocol.Ack](t, conn, "ack"); m.Ack != 1 || m.Error != nil {
		t.Errorf("%+v, want that the seek before is over", m)
	}
	if m := readTo[protocol.State](t, conn, "state"); m.Tick != 2 || !m.Rest {
		t.Errorf("at %d, rest %v", m.Tick, m.Rest)
	}
	if m := readTo[protocol.Ack](t, conn, "ack"); m.Ack != 3 {
		t.Errorf("%d is answered", m.Ack)
	}
	sendText(t, conn, `{"v":1,"id":4,"do":"seek","tick":4611686018427387000}`)
	sendText(t, conn, `{"v":1,"id":5,"do":"state"}`)
	readTo[protocol.State](t, conn, "state")
	sendText(t, conn, `{"v":1,"id":6,"do":"find","what":"expire","n":-1}`)
	if m := readTo[protocol.State](t, conn, "state"); m.Tick != 2 || !m.Rest {
		t.Errorf("the seek is given up: at %d, rest %v", m.Tick, m.Rest)
	}
}

// serveEndless returns a server with an endless run on a port of the loopback, and a socket to it.
func serveEndless(t *testing.T) (*Server, *websocket.Conn) {
	t.Helper()
	p, err := program.Load([]byte(endless))
	if err != nil {
		t.Fatal(err)
	}
	s, addr := startServer(t, Config{Default: p})
	conn, _, err := websocket.DefaultDialer.Dial("ws://"+addr+"/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return s, conn
}

func sendText(t *testing.T, conn *websocket.Conn, text string) {
	t.Helper()
	if err := conn.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

// readTo reads up to the next message of a kind.
func readTo[T any](t *testing.T, conn *websocket.Conn, kind string) T {
	t.Helper()
	for {
		conn.SetReadDeadline(time.Now().Add(time.Minute))
		_, data, err := conn.ReadMessage()
		if err != nil {
			t.Fatalf("waiting for %s: %v", kind, err)
		}
		if headerOf(t, data).Kind == kind {
			return decode[T](t, data)
		}
	}
}
