package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/wheelscope/wheelscope/sim"
)

// Past the bound of sockets of one session the next is told to try again later;
// those who look are not disturbed, and another session is open to it.
func TestSocketsOfASessionAreBounded(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		driver := h.client("/ws")
		path := "/ws?session=" + driver.hello.Session
		var looking []*websocket.Conn
		for range SocketsMax - 1 {
			conn, a := h.dial(path, nil)
			if conn == nil {
				t.Fatalf("%d %s", a.code, a.body)
			}
			looking = append(looking, conn)
		}
		synctest.Wait() // all of them have entered
		conn, _ := h.dial(path, nil)
		if code, reason := closed(t, conn); code != websocket.CloseTryAgainLater || !strings.Contains(reason, fmt.Sprint(SocketsMax)) {
			t.Errorf("one more: %d %q", code, reason)
		}
		driver.must(`"do":"state"`)
		other := h.client("/ws")
		other.close()
		for _, conn := range looking {
			conn.Close()
		}
		driver.close()
	})
}

// A session that nobody could join does not stay.
func TestSessionOfARejectedSocketEnds(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		hub := h.server.hub
		run, at, _, err := h.server.find(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := hub.open(run, at)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := hub.find(s.id); !ok || len(s.id) != 24 {
			t.Errorf("session %q is not found", s.id)
		}
		s.end()
		synctest.Wait()
		if _, ok := hub.find(s.id); ok {
			t.Error("it stays after its end")
		}
		if err := s.do(func() {}); !errors.Is(err, sim.ErrRunnerEnded) {
			t.Errorf("an ended session takes a command: %v", err)
		}
	})
}

// While the server shuts down nobody is admitted.
func TestNobodyIsAdmittedAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startHarness(t, Config{})
		run, at, _, err := h.server.find(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		h.stop()
		var busy errBusy
		if _, err := h.server.hub.open(run, at); !errors.As(err, &busy) || !strings.Contains(err.Error(), "shutting down") {
			t.Errorf("a session: %v", err)
		}
		if err := h.server.hub.enter(&socket{}); !errors.As(err, &busy) {
			t.Errorf("a socket: %v", err)
		}
	})
}

// The server ends while a session waits for a run that takes for ever.
func TestShutdownWhileARunIsComputed(t *testing.T) {
	s, conn := serveEndless(t)
	sendText(t, conn, `{"v":1,"id":1,"do":"seek","tick":4611686018427387000}`)
	sendText(t, conn, `{"v":1,"id":2,"do":"state"}`)
	readTo[ackMessage](t, conn, "ack") // of the second: it seeks
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	gone := make(chan int)
	go func() { code, _ := closed(t, conn); gone <- code }()
	if err := s.Shutdown(ctx); err != nil {
		t.Errorf("shutdown: %v", err)
	}
	if code := <-gone; code != websocket.CloseGoingAway {
		t.Errorf("closed with %d", code)
	}
}

// startServer is a server on a port of the loopback.
func startServer(t *testing.T, c Config) (*Server, string) {
	t.Helper()
	c.Addr, c.Store = "127.0.0.1:0", sim.NewStore(sim.StoreOptions{})
	t.Cleanup(c.Store.Close)
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Listen(); err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve() }()
	t.Cleanup(func() {
		s.Shutdown(context.Background())
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return s, s.ln.Addr().String()
}

// The real listener: the address it tells is where the page is.
func TestServerOnAPort(t *testing.T) {
	s, addr := startServer(t, Config{BasePath: "/lab"})
	if s.URL() != "http://"+addr+"/lab" {
		t.Errorf("%s, listening on %s", s.URL(), addr)
	}
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	res, err := (&http.Client{Transport: tr}).Get(s.URL() + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("%d", res.StatusCode)
	}
}
