// Package plainhttp sends small requests to receivers over HTTP/1.1 without TLS. Other requests,
// such as those by HTTPS, it passes to another transport.
//
// It writes a request and reads its response on the goroutine of the caller. The transport of
// net/http has two more goroutines for each connection, so that it can read a response while it
// sends a long body; handing over between the three takes a third of the time of a short callback.
// Both write requests and parse responses by the code of net/http.
package plainhttp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/net/http/httpguts"
)

// bodyMax is the maximum length in bytes of a body that this package sends itself. A socket accepts
// it even if the receiver does not read, so that the receiver's answer is read in any case.
const bodyMax = 8 << 10

var errHeader = errors.New("the header of the response is too long")

// Transport is an [http.RoundTripper]. Its fields must not be changed after the first request.
type Transport struct {
	Other     *http.Transport // for all other requests; its DialContext and IdleConnTimeout are used for all
	IdleMax   int             // maximum number of idle connections
	HeaderMax int64           // maximum length of a response header in bytes, with those of status 1xx before it

	mu    sync.Mutex
	idle  map[string][]*conn // by address; the last one was used last
	count int                // number of connections in idle
	sweep *time.Timer        // closes idle connections; nil if there are none
}

// RoundTrip sends r and returns the response, as described for [http.RoundTripper].
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !isPlain(r) {
		return t.Other.RoundTrip(r)
	}
	c, err := t.connect(r.Context(), address(r))
	if err != nil {
		_ = r.Body.Close()
		return nil, failure(r.Context(), err)
	}
	resp, err := c.exchange(r, t.HeaderMax)
	if err != nil {
		c.end(false)
		return nil, failure(r.Context(), err)
	}
	reuse := !resp.Close && resp.StatusCode != http.StatusSwitchingProtocols
	if resp.Body == http.NoBody {
		c.end(reuse)
		return resp, nil
	}
	resp.Body = &body{ReadCloser: resp.Body, c: c, reuse: reuse, ctx: r.Context()}
	return resp, nil
}

// isPlain reports whether this package sends r itself. Requests that are invalid, may be sent twice
// or have special rules are left to the other transport.
func isPlain(r *http.Request) bool {
	switch {
	case !canCheck, r.URL.Scheme != "http", r.URL.Host == "", r.Close, len(r.Trailer) > 0:
		return false
	case r.Body == nil, r.ContentLength < 0, r.ContentLength > bodyMax, r.ContentLength == 0 && r.Body != http.NoBody: // 0: unknown
		return false
	case r.Method != http.MethodPost && r.Method != http.MethodPut && r.Method != http.MethodPatch && r.Method != http.MethodDelete:
		return false
	}
	for i := range len(r.URL.Host) {
		if r.URL.Host[i] >= 0x80 {
			return false
		}
	}
	for name, values := range r.Header {
		switch name {
		case "Connection", "Expect", "Idempotency-Key", "X-Idempotency-Key", "Te", "Trailer", "Transfer-Encoding", "Upgrade":
			return false
		}
		if !httpguts.ValidHeaderFieldName(name) {
			return false
		}
		for _, v := range values {
			if !httpguts.ValidHeaderFieldValue(v) {
				return false
			}
		}
	}
	return true
}

// address returns the host and port that r is sent to.
func address(r *http.Request) string {
	if port := r.URL.Port(); port != "" {
		return r.URL.Host
	}
	return net.JoinHostPort(r.URL.Hostname(), "80")
}

// failure returns the error of a request: that of its context if it has ended.
func failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		if _, ok := ctx.Deadline(); ok {
			return context.DeadlineExceeded // the connection noticed it first
		}
	}
	return err
}

// connect returns an idle connection to addr, or a new one.
func (t *Transport) connect(ctx context.Context, addr string) (*conn, error) {
	for c := t.take(addr); c != nil; c = t.take(addr) {
		if c.begin(ctx) && c.silent() {
			return c, nil
		}
		c.end(false)
	}
	n, err := t.Other.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	c := newConn(t, addr, n)
	c.begin(ctx)
	return c, nil
}

// take removes and returns the idle connection to addr that was used last, or nil.
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

// set sets the idle connections to addr.
func (t *Transport) set(addr string, list []*conn) {
	if len(list) == 0 {
		delete(t.idle, addr)
		return
	}
	t.idle[addr] = list
}

// put adds an idle connection. If there are then too many, it closes the one that was used least
// recently.
func (t *Transport) put(c *conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.IdleMax <= 0 {
		_ = c.Close()
		return
	}
	if t.count >= t.IdleMax {
		t.dropOldest()
	}
	if t.idle == nil {
		t.idle = map[string][]*conn{}
	}
	c.since = time.Now()
	t.idle[c.addr] = append(t.idle[c.addr], c)
	t.count++
	if t.sweep == nil {
		t.sweep = time.AfterFunc(t.Other.IdleConnTimeout, func() { t.closeIdle(t.Other.IdleConnTimeout) })
	}
}

// dropOldest closes the idle connection that was used least recently. There must be at least one,
// and the lock must be held.
func (t *Transport) dropOldest() {
	var oldest *conn
	for _, list := range t.idle {
		if c := list[0]; oldest == nil || c.since.Before(oldest.since) {
			oldest = c
		}
	}
	_ = oldest.Close()
	list := t.idle[oldest.addr]
	t.set(oldest.addr, slices.Delete(list, 0, 1))
	t.count--
}

// CloseIdleConnections closes the idle connections.
func (t *Transport) CloseIdleConnections() {
	t.closeIdle(0)
	t.Other.CloseIdleConnections()
}

// closeIdle closes the connections that have been idle for the duration age.
func (t *Transport) closeIdle(age time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	for addr, list := range t.idle {
		old := 0 // a connection is before those that were used after it
		for ; old < len(list) && now.Sub(list[old].since) >= age; old++ {
			_ = list[old].Close()
		}
		t.count -= old
		t.set(addr, append([]*conn(nil), list[old:]...))
	}
	if t.sweep == nil {
		return
	}
	if t.count > 0 {
		t.sweep.Reset(t.Other.IdleConnTimeout)
		return
	}
	t.sweep.Stop()
	t.sweep = nil
}

// exchange sends r and reads the header of its final response, up to headerMax bytes in total.
func (c *conn) exchange(r *http.Request, headerMax int64) (*http.Response, error) {
	c.left = headerMax
	err := r.Write(c.w)
	if err == nil {
		err = c.w.Flush()
	}
	if err != nil {
		return nil, fmt.Errorf("sending the request: %w", err)
	}
	for {
		resp, err := http.ReadResponse(c.r, r)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode < 100 || resp.StatusCode >= 200 || resp.StatusCode == http.StatusSwitchingProtocols {
			c.left = math.MaxInt64
			return resp, nil
		}
	}
}

// body is the body of a response. The connection becomes idle when the body has been read to its
// end.
type body struct {
	io.ReadCloser
	c     *conn
	reuse bool
	ctx   context.Context
	err   error // after which nothing is read
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
	b.c.end(err == io.EOF && b.reuse)
	if b.err = err; err != io.EOF {
		b.err = failure(b.ctx, err)
	}
}
