//go:build linux

package faults

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel/worker"
)

// behavior is a receiver's response to a callback.
type behavior struct {
	status  int           // 0: 200
	delay   time.Duration // wait before the answer
	hanging bool          // whether there is no answer at all
}

// receiver is a callback server that logs each call.
type receiver struct {
	t        *testing.T
	addr     string // HOST:PORT
	log      *callLog
	server   *http.Server
	behavior atomic.Pointer[behavior]
	changed  atomic.Pointer[chan struct{}] // closed when hanging calls are to be answered
	onCall   atomic.Pointer[func(key string)]
}

// startReceiver starts a receiver on a loopback address; it is stopped at the end of the test.
func startReceiver(t *testing.T, host string, log *callLog) *receiver {
	t.Helper()
	r := &receiver{t: t, addr: net.JoinHostPort(host, "0"), log: log}
	r.behave(behavior{})
	r.up()
	t.Cleanup(r.down)
	return r
}

// up starts listening, always at the same address.
func (r *receiver) up() {
	r.t.Helper()
	l, err := net.Listen("tcp", r.addr)
	if err != nil {
		r.t.Fatal(err)
	}
	r.addr = l.Addr().String()
	r.server = &http.Server{Handler: r, ConnContext: withConnection, ConnState: noteClosed}
	go func(s *http.Server) { _ = s.Serve(l) }(r.server)
}

// down closes the address and all connections. Calls that have begun are answered first, within a second: an answer that is
// lost would be repeated, which is allowed but counts as a fault.
func (r *receiver) down() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = r.server.Shutdown(ctx)
	_ = r.server.Close()
}

func (r *receiver) url() string { return "http://" + r.addr + "/" }

// behave changes the response to new calls. Hanging calls get the new response.
func (r *receiver) behave(b behavior) {
	r.behavior.Store(&b)
	next := make(chan struct{})
	if before := r.changed.Swap(&next); before != nil {
		close(*before)
	}
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	at := time.Now()
	key, _ := url.PathUnescape(q.Header.Get(worker.HeaderKey))
	changed, b := *r.changed.Load(), *r.behavior.Load()
	_, _ = io.Copy(io.Discard, q.Body) // after reading the body a handler is notified of the end of the connection
	c := r.log.begin(key, at, connectionOf(q))
	defer func() { r.log.end(c, b.status == 0 && !b.hanging && q.Context().Err() == nil) }()
	if f := r.onCall.Load(); f != nil {
		(*f)(key)
	}
	for b.hanging {
		select {
		case <-q.Context().Done():
			return
		case <-changed:
			changed, b = *r.changed.Load(), *r.behavior.Load()
		}
	}
	if b.delay > 0 {
		select {
		case <-q.Context().Done():
			return
		case <-time.After(b.delay):
		}
	}
	if b.status != 0 {
		w.WriteHeader(b.status)
	}
}

// call is one attempt as received.
type call struct {
	at   time.Time
	end  time.Time // time at which the call ended; zero: it is in flight
	ok   bool      // whether the call was answered with success, to a client that was still connected
	conn *connection
}

// connection is a client's connection and the time when it was closed, in ns since 1970.
type connection struct{ closed atomic.Int64 }

type connectionKey struct{}

var connections sync.Map // net.Conn -> *connection

func withConnection(ctx context.Context, c net.Conn) context.Context {
	conn := &connection{}
	connections.Store(c, conn)
	return context.WithValue(ctx, connectionKey{}, conn)
}

func noteClosed(c net.Conn, state http.ConnState) {
	if state != http.StateClosed {
		return
	}
	if conn, ok := connections.LoadAndDelete(c); ok {
		conn.(*connection).closed.Store(time.Now().UnixNano())
	}
}

func connectionOf(q *http.Request) *connection {
	return q.Context().Value(connectionKey{}).(*connection)
}

// callLog has the calls of all receivers of a scene, by key.
type callLog struct {
	mu    sync.Mutex
	calls map[string][]*call
}

func newCallLog() *callLog { return &callLog{calls: map[string][]*call{}} }

func (l *callLog) begin(key string, at time.Time, conn *connection) *call {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := &call{at: at, conn: conn}
	l.calls[key] = append(l.calls[key], c)
	return c
}

func (l *callLog) end(c *call, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c.end, c.ok = time.Now(), ok
}

// of returns copies of the calls of a key.
func (l *callLog) of(key string) []call {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := make([]call, len(l.calls[key]))
	for i, c := range l.calls[key] {
		list[i] = *c
	}
	return list
}

// underWay returns the number of calls in flight.
func (l *callLog) underWay() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, calls := range l.calls {
		for _, c := range calls {
			if c.end.IsZero() {
				n++
			}
		}
	}
	return n
}

// keys returns the keys of the tasks whose callbacks were received.
func (l *callLog) keys() map[string]bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	set := make(map[string]bool, len(l.calls))
	for key := range l.calls {
		set[key] = true
	}
	return set
}
