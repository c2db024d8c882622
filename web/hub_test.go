package web

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// Beyond the limit a further socket is refused before its upgrade, with Retry-After. Open sockets
// are not disturbed, and a closed one frees its place.
func TestSocketsAreBounded(t *testing.T) {
	const most = 6
	inBubble(t, Config{Sockets: most}, func(t *testing.T, h *harness) {
		driver := h.client("/ws")
		path := "/ws?session=" + driver.hello.Session
		var viewers []*websocket.Conn
		for range most - 1 {
			conn, a := h.dial(path, nil)
			if conn == nil {
				t.Fatalf("%d %s", a.code, a.body)
			}
			viewers = append(viewers, conn)
		}
		for _, path := range []string{path, "/ws"} {
			conn, a := h.dial(path, nil)
			if conn != nil || a.code != http.StatusServiceUnavailable || a.header.Get("Retry-After") != "5" || a.body != "the limit of 6 sockets is reached\n" {
				t.Errorf("one more: %d %q, %v", a.code, a.body, a.header)
			}
		}
		if n, _ := h.server.hub.Counts(); n != 1 {
			t.Errorf("%d sessions; the refused ones were opened", n)
		}
		driver.must(`"do":"state"`)
		viewers[0].Close()
		synctest.Wait()
		conn, a := h.dial(path, nil)
		if conn == nil {
			t.Fatalf("a place was left: %d %q", a.code, a.body)
		}
		for _, conn := range append(viewers, conn) {
			conn.Close()
		}
		driver.close()
		synctest.Wait()
		if n := h.server.places.total; n != 0 {
			t.Errorf("%d places are taken and no socket is left", n)
		}
	})
}

// With a limit per address one client can't prevent others from connecting.
func TestSocketsPerAddress(t *testing.T) {
	p, err := newPlaces(5, 2)
	if err != nil {
		t.Fatal(err)
	}
	var release []func()
	for _, c := range []struct {
		from, says string
	}{
		{"10.0.0.1:1000", ""}, {"10.0.0.1:1001", ""}, {"10.0.0.1:1002", "2 sockets from this address"},
		{"[::ffff:10.0.0.1]:1003", "2 sockets from this address"},                                            // the same address
		{"[2001:db8::1]:1", ""}, {"[2001:db8::2]:1", ""}, {"[2001:db8::3]:1", "2 sockets from this address"}, // one network of 64 bits
		{"[fe80::1%eth0]:1", ""}, {"10.0.0.3:1", "the limit of 5 sockets is reached"},
	} {
		free, err := p.take(c.from)
		if err == nil {
			release = append(release, free)
		}
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.from, err, c.says)
		}
	}
	for _, free := range release {
		free()
	}
	if p.total != 0 || len(p.from) != 0 {
		t.Errorf("%d sockets are counted, %v by address, after all have left", p.total, p.from)
	}
	for _, bad := range [][2]int{{-1, 0}, {1, -1}} {
		if _, err := newPlaces(bad[0], bad[1]); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}

// A server that shuts down admits no sockets.
func TestShutdownAdmitsNoSocket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startHarness(t, Config{})
		place, err := h.server.answers.Find(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		h.stop()
		if _, err := h.server.hub.Open(place.Run, place.At); !texts.Is(err, texts.Unavailable) || !strings.Contains(err.Error(), "shutting down") {
			t.Errorf("a session: %v", err)
		}
		if err := h.server.sockets.enter(&socket{}); !texts.Is(err, texts.Unavailable) {
			t.Errorf("a socket: %v", err)
		}
	})
}

// The server shuts down while a session waits for a run that never ends.
func TestShutdownWhileARunIsComputed(t *testing.T) {
	s, conn := serveEndless(t)
	sendText(t, conn, `{"v":1,"id":1,"do":"seek","tick":4611686018427387000}`)
	sendText(t, conn, `{"v":1,"id":2,"do":"state"}`)
	readTo[protocol.Ack](t, conn, "ack") // of the second command: it seeks
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

// startServer starts a server on a port of the loopback.
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

// The URL of a server on a real listener is the page's.
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

// Work of a session that does not end delays the shutdown no longer than its context allows; the
// session's context is cancelled.
func TestShutdownDoesNotWaitForWorkWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startHarness(t, Config{})
		c := h.client("/ws")
		s, _ := h.server.hub.Find(c.hello.Session)
		release := make(chan struct{})
		var heard atomic.Bool
		s.Do(func() {
			<-s.View(false, "en", nil).Ended()
			heard.Store(true)
			<-release
		})
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		start := time.Now()
		if err := h.server.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) || !heard.Load() {
			t.Errorf("shutdown: %v, the session was ended: %v", err, heard.Load())
		}
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("it took %v", took)
		}
		close(release)
		c.conn.Close()
		h.store.Close()
	})
}
