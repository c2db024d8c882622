// Package plainhttp sends small requests to receivers over HTTP/1.1 without TLS. The caller sends
// all other requests, such as those over HTTPS, with net/http.
//
// Package plainhttp writes a request and reads its response on the goroutine of the caller. The
// transport of net/http has two more goroutines per connection, so that it can read a response while
// it sends a long body. Switching between the three goroutines takes a third of the time of a short
// callback. A request has the same form as one sent by net/http, and net/http parses the responses.
// See docs/decisions/0028 for the reasons not to use valyala/fasthttp.
package plainhttp

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"
)

var errHeader = errors.New("the header of the response is too long")

// Transport sends requests and keeps connections to receivers open. It is safe for concurrent use.
type Transport struct {
	dial      func(ctx context.Context, network, addr string) (net.Conn, error)
	idleTime  time.Duration // time after which an idle connection is closed
	idleMax   int           // maximum number of idle connections
	headerMax int64         // maximum number of bytes in the header of a response, including any 1xx responses before it

	ctx    context.Context // cancelled by Interrupt
	cancel context.CancelFunc

	mu    sync.Mutex
	open  map[*conn]bool     // all connections, in use or idle
	idle  map[string][]*conn // idle connections by address, the most recently used one last
	count int                // total number of connections in the map idle
	sweep *time.Timer        // timer that closes idle connections; nil if no connection is idle
}

// New returns a Transport with the following settings taken from other: DialContext, IdleConnTimeout,
// MaxIdleConns and MaxResponseHeaderBytes.
func New(other *http.Transport) *Transport {
	t := &Transport{dial: other.DialContext, idleTime: other.IdleConnTimeout, idleMax: other.MaxIdleConns, headerMax: other.MaxResponseHeaderBytes,
		open: map[*conn]bool{}, idle: map[string][]*conn{}}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	return t
}

// Interrupt makes all current and later requests fail with [context.Canceled].
func (t *Transport) Interrupt() {
	t.cancel()
	t.mu.Lock()
	defer t.mu.Unlock()
	for c := range t.open {
		_ = c.SetDeadline(time.Unix(1, 0))
	}
}

// Send sends r, for which IsPlain must return true, and returns the response. The caller must close the body of
// the response. Send does not follow redirects.
func (t *Transport) Send(r *Request) (*http.Response, error) {
	c, err := t.connect(r)
	if err != nil {
		return nil, t.failure(err)
	}
	resp, err := c.exchange(r, t.headerMax)
	if err != nil {
		t.release(c, false)
		return nil, t.failure(err)
	}
	reuse := !resp.Close && resp.StatusCode != http.StatusSwitchingProtocols
	if resp.Body == http.NoBody {
		t.release(c, reuse)
		return resp, nil
	}
	resp.Body = &body{ReadCloser: resp.Body, c: c, reuse: reuse}
	return resp, nil
}

// failure returns the error to report for a request that failed with err: [context.Canceled] if Interrupt was
// called, [context.DeadlineExceeded] if a deadline was exceeded, and err otherwise.
func (t *Transport) failure(err error) error {
	if t.ctx.Err() != nil {
		return t.ctx.Err()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return context.DeadlineExceeded
	}
	return err
}

// connect returns a connection to the address of r: an idle one that can be reused, if there is one, or a new one.
func (t *Transport) connect(r *Request) (*conn, error) {
	addr := r.address()
	for c := t.take(addr); c != nil; c = t.take(addr) {
		if t.begin(c, r.Deadline) && c.isSilent() {
			return c, nil
		}
		t.release(c, false)
	}
	ctx, cancel := t.ctx, context.CancelFunc(func() {})
	if !r.Deadline.IsZero() {
		ctx, cancel = context.WithDeadline(ctx, r.Deadline)
	}
	defer cancel()
	n, err := t.dial(ctx, "tcp", addr)
	if err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	c := newConn(t, addr, n)
	t.mu.Lock()
	t.open[c] = true
	t.mu.Unlock()
	t.begin(c, r.Deadline)
	return c, nil
}

// begin sets the deadline of connection c for the next request. It returns false if no request can be sent on c,
// because c is closed or Interrupt was called.
func (t *Transport) begin(c *conn, deadline time.Time) bool {
	if err := c.SetDeadline(deadline); err != nil {
		return false
	}
	if t.ctx.Err() != nil { // otherwise Interrupt sets another deadline after this one
		_ = c.SetDeadline(time.Unix(1, 0))
		return false
	}
	return true
}

// release ends a request on connection c. reuse is whether the response was read to its end and permits another
// request on the connection. If so, the connection becomes idle, unless the receiver has sent further bytes, Interrupt
// was called, or t.idleMax is not positive. In all other cases release closes the connection.
func (t *Transport) release(c *conn, reuse bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !reuse || c.r.Buffered() > 0 || t.ctx.Err() != nil || t.idleMax <= 0 {
		t.close(c)
		return
	}
	t.put(c)
}

// close closes connection c. t.mu must be held.
func (t *Transport) close(c *conn) {
	_ = c.Close()
	delete(t.open, c)
}

// take removes and returns the most recently used idle connection to addr, or nil if there is none.
func (t *Transport) take(addr string) *conn {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.idle[addr]
	if len(list) == 0 {
		return nil
	}
	c := list[len(list)-1]
	list[len(list)-1] = nil
	t.set(addr, list[:len(list)-1])
	t.count--
	return c
}

// set replaces the idle connections to addr with list. t.mu must be held.
func (t *Transport) set(addr string, list []*conn) {
	if len(list) == 0 {
		delete(t.idle, addr)
		return
	}
	t.idle[addr] = list
}

// put adds c to the idle connections. If there are already t.idleMax of them, it first closes the least
// recently used one. t.idleMax must be positive, and t.mu must be held.
func (t *Transport) put(c *conn) {
	if t.count >= t.idleMax {
		t.dropOldest()
	}
	c.since = time.Now()
	t.idle[c.addr] = append(t.idle[c.addr], c)
	t.count++
	if t.sweep == nil {
		t.sweep = time.AfterFunc(t.idleTime, func() { t.closeIdle(t.idleTime) })
	}
}

// dropOldest closes the least recently used idle connection. There must be at least one, and t.mu must be
// held.
func (t *Transport) dropOldest() {
	var oldest *conn
	for _, list := range t.idle {
		if c := list[0]; oldest == nil || c.since.Before(oldest.since) {
			oldest = c
		}
	}
	t.close(oldest)
	list := t.idle[oldest.addr]
	t.set(oldest.addr, slices.Delete(list, 0, 1))
	t.count--
}

// CloseIdleConnections closes the idle connections.
func (t *Transport) CloseIdleConnections() { t.closeIdle(0) }

// closeIdle closes the connections that have been idle for age or longer.
func (t *Transport) closeIdle(age time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	for addr, list := range t.idle {
		old := 0 // a connection is before those that were used after it
		for ; old < len(list) && now.Sub(list[old].since) >= age; old++ {
			t.close(list[old])
		}
		t.count -= old
		t.set(addr, append([]*conn(nil), list[old:]...))
	}
	if t.sweep == nil {
		return
	}
	if t.count > 0 {
		t.sweep.Reset(t.idleTime)
		return
	}
	t.sweep.Stop()
	t.sweep = nil
}

// body is the body of a response. When it has been read to its end and reuse is set, release makes the connection
// idle if possible. In all other cases in which reading ends, the connection is closed.
type body struct {
	io.ReadCloser
	c     *conn
	reuse bool
	err   error // error that every further Read returns; nil until Read returns an error, such as io.EOF, or Close is called
}

func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.finish(err)
	}
	return n, b.err
}

// Close closes the connection if the body was not read to its end.
func (b *body) Close() error {
	if b.err == nil {
		b.finish(http.ErrBodyReadAfterClose)
	}
	return nil
}

func (b *body) finish(err error) {
	if b.err = err; err != io.EOF {
		b.err = b.c.t.failure(err)
	}
	b.c.t.release(b.c, err == io.EOF && b.reuse)
}
