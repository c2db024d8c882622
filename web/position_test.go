package web

import (
	"context"
	"errors"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/sim"
)

func TestReadPosition(t *testing.T) {
	for query, want := range map[string]position{
		"": {-1, -1}, "t=": {-1, -1}, "t=0": {0, -1}, "t=7": {7, -1}, "seq=0": {-1, 0}, "seq=9": {-1, 9}, "t=7&seq=9": {7, 9},
		"t=1&t=2": {1, -1}, "t=9223372036854775807": {1<<63 - 1, -1}, "lang=zh&T=5": {-1, -1},
	} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := readPosition(q); got != want || err != nil {
			t.Errorf("%q: %+v %v, want %+v", query, got, err, want)
		}
	}
	for query, field := range map[string]string{
		"t=-1": "t", "t=x": "t", "t=1.0": "t", "t=1e3": "t", "t=0x10": "t", "t=1_000": "t", "t= 1": "t", "t=٣": "t", "t=9223372036854775808": "t",
		"seq=-1": "seq", "seq=one": "seq", "t=4&seq=-0x": "seq", "t=bad&seq=bad": "t",
	} {
		q, _ := url.ParseQuery(query)
		at, err := readPosition(q)
		r, ok := err.(*refusal)
		if !ok || r.path != field || at != beforeAnything {
			t.Errorf("%q: %+v %v, want an error at %s", query, at, err, field)
		}
	}
}

// A position is a tick, an event, or both if they agree.
func TestLocate(t *testing.T) {
	run := openProgram(t, smallScenario)
	for _, c := range []struct{ at, want position }{
		{position{-1, -1}, position{-1, -1}},
		{position{0, -1}, position{0, -1}},
		{position{9, -1}, position{9, -1}},
		{position{-1, 0}, position{-1, 0}},
		{position{-1, 44}, position{-1, 44}},
		{position{0, 8}, position{0, -1}},   // event 8 is tick 0's last
		{position{0, 7}, position{-1, 7}},   // and 7 is not
		{position{8, 44}, position{8, -1}},  // in the pause after the last event
		{position{3, 44}, position{-1, 44}}, // they disagree: the event counts
		{position{0, 0}, position{-1, 0}},
	} {
		if got, err := c.at.locate(t.Context(), run); got != c.want || err != nil {
			t.Errorf("%+v: %+v %v, want %+v", c.at, got, err, c.want)
		}
	}
	for at, want := range map[position]string{
		{10, -1}: "t: 10 is past the end of the scenario at tick 9",
		{10, 1}:  "t: 10 is past the end of the scenario at tick 9",
		{-1, 45}: "seq: 45 is not an event of this run, which has 44",
		{3, 45}:  "seq: 45 is not an event of this run, which has 44",
	} {
		if _, err := at.locate(t.Context(), run); err == nil || userError(err, "en").Error() != want {
			t.Errorf("%+v: %v, want %s", at, err, want)
		}
	}
}

// A run may begin with a pause, whose ticks precede any event.
func TestLocateInTheFirstPause(t *testing.T) {
	run := openProgram(t, `{"wheelscope":1,"until":9,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[{"at":5,"op":"schedule","timer":"a","delay":2}]}}`)
	for at, want := range map[position]position{
		{4, 0}: {4, -1}, {4, -1}: {4, -1}, {-1, 0}: {-1, 0},
		{0, 0}: {-1, 0}, // before anything
		{5, 0}: {-1, 0}, // they disagree: the event counts
	} {
		if got, err := at.locate(t.Context(), run); got != want || err != nil {
			t.Errorf("%+v: %+v %v, want %+v", at, got, err, want)
		}
	}
}

// The snapshot of a position has that position.
func TestSnapshotOfAPosition(t *testing.T) {
	run := openProgram(t, smallScenario)
	for at, want := range map[position][2]int64{{-1, -1}: {0, 0}, {-1, 0}: {0, 0}, {0, -1}: {0, 8}, {8, -1}: {8, 44}, {-1, 15}: {2, 15}} {
		s, err := at.snapshot(t.Context(), run, 0)
		if err != nil || s.Tick != want[0] || s.Seq != want[1] {
			t.Errorf("%+v: %+v %v", at, s, err)
		}
	}
}

// endless is a run whose first pass takes far longer than any request waits.
const endless = `{"wheelscope":1,"name":"endless","until":4611686018427387000,"lanes":[{"algorithm":"rounds","slots":1}],
 "workload":{"ops":[{"at":0,"op":"schedule","timer":"far","delay":4611686018427386000}]}}`

// A tick that is not computed in time is an error after a limited wait, for the page and for the
// socket.
func TestPositionThatIsNotComputed(t *testing.T) {
	p, err := sim.Load([]byte(endless))
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
		if _, err := (position{p.Until, -1}).locate(ctx, run); err != context.DeadlineExceeded {
			t.Errorf("%v", err)
		}
	})
	s, err := New(Config{Addr: "127.0.0.1:0", Store: store, Default: p})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	_, at, problem, err := s.find(ctx, url.Values{"t": {"4611686018427387000"}})
	if known, ok := errors.AsType[*echo.HTTPError](err); !ok || known.Code != 503 || at != beforeAnything || problem != nil {
		t.Errorf("%+v %+v %v, want 503", at, problem, err)
	}
}

// A seek beyond the computed part is answered when the cursor arrives or another position is
// requested; until then no state is marked as at rest.
func TestSeekIsAnsweredWhenItIsDone(t *testing.T) {
	_, conn := serveEndless(t)
	if m := readTo[stateMessage](t, conn, "state"); !m.Rest {
		t.Error("opened before anything: not at rest")
	}
	sendText(t, conn, `{"v":1,"id":1,"do":"seek","tick":4611686018427387000}`)
	sendText(t, conn, `{"v":1,"id":2,"do":"state"}`)
	if m := readTo[stateMessage](t, conn, "state"); m.Rest {
		t.Error("at rest, though it seeks")
	}
	if m := readTo[ackMessage](t, conn, "ack"); m.Ack != 2 {
		t.Errorf("%d is answered, want 2 alone", m.Ack)
	}
	sendText(t, conn, `{"v":1,"id":3,"do":"seek","tick":2}`)
	if m := readTo[ackMessage](t, conn, "ack"); m.Ack != 1 || m.Error != nil {
		t.Errorf("%+v, want that the seek before is over", m)
	}
	if m := readTo[stateMessage](t, conn, "state"); m.Tick != 2 || !m.Rest {
		t.Errorf("at %d, rest %v", m.Tick, m.Rest)
	}
	if m := readTo[ackMessage](t, conn, "ack"); m.Ack != 3 {
		t.Errorf("%d is answered", m.Ack)
	}
	sendText(t, conn, `{"v":1,"id":4,"do":"seek","tick":4611686018427387000}`)
	sendText(t, conn, `{"v":1,"id":5,"do":"state"}`)
	readTo[stateMessage](t, conn, "state")
	sendText(t, conn, `{"v":1,"id":6,"do":"find","what":"expire","n":-1}`)
	if m := readTo[stateMessage](t, conn, "state"); m.Tick != 2 || !m.Rest {
		t.Errorf("the seek is given up: at %d, rest %v", m.Tick, m.Rest)
	}
}

// serveEndless returns a server with an endless run on a port of the loopback, and a socket to it.
func serveEndless(t *testing.T) (*Server, *websocket.Conn) {
	t.Helper()
	p, err := sim.Load([]byte(endless))
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
