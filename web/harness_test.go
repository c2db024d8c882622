package web

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/wheelscope/wheelscope/sim"
)

// pipeListener accepts connections that exist in memory only, so that a whole server with its
// sockets can run in a synctest bubble, with the bubble's time.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error { l.once.Do(func() { close(l.done) }); return nil }

func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080} }

func (l *pipeListener) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// harness is a server in a bubble.
type harness struct {
	t      *testing.T
	server *Server
	ln     *pipeListener
	store  *sim.Store
}

// inBubble runs a test with its own server, in the bubble's time.
func inBubble(t *testing.T, c Config, test func(t *testing.T, h *harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := startHarness(t, c)
		defer h.stop()
		test(t, h)
	})
}

func startHarness(t *testing.T, c Config) *harness {
	t.Helper()
	h := &harness{t: t, ln: newPipeListener(), store: sim.NewStore(sim.StoreOptions{})}
	c.Addr, c.Store = "127.0.0.1:8080", h.store
	var err error
	if h.server, err = New(c); err != nil {
		t.Fatal(err)
	}
	go func() {
		if err := h.server.ServeOn(h.ln); err != nil {
			t.Error(err)
		}
	}()
	return h
}

func (h *harness) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := h.server.Shutdown(ctx); err != nil {
		h.t.Errorf("shutdown: %v", err)
	}
	h.store.Close()
}

// answer is the answer to a request.
type answer struct {
	code   int
	header http.Header
	body   string
}

// do sends a request on its own connection.
func (h *harness) do(r *http.Request) (answer, error) {
	tr := &http.Transport{DialContext: h.ln.dial, DisableKeepAlives: true, ExpectContinueTimeout: time.Minute}
	defer tr.CloseIdleConnections()
	res, err := (&http.Client{Transport: tr, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(r)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header, string(body)}, err
}

// get requests a path; headers are name, value, …, and may include Host.
func (h *harness) get(path string, headers ...string) answer {
	h.t.Helper()
	r, err := http.NewRequest("GET", "http://127.0.0.1:8080"+path, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
			continue
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	a, err := h.do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	return a
}

// dial opens a WebSocket. If it is refused, dial returns the answer's code and line.
func (h *harness) dial(path string, header http.Header) (*websocket.Conn, answer) {
	h.t.Helper()
	d := websocket.Dialer{NetDialContext: h.ln.dial, HandshakeTimeout: 10 * time.Second}
	conn, res, err := d.Dial("ws://127.0.0.1:8080"+path, header)
	if errors.Is(err, websocket.ErrBadHandshake) {
		body, _ := io.ReadAll(res.Body)
		return nil, answer{res.StatusCode, res.Header, string(body)}
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return conn, answer{code: res.StatusCode}
}
