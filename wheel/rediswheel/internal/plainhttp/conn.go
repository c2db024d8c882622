package plainhttp

import (
	"bufio"
	"context"
	"net"
	"syscall"
	"time"
)

// conn is a connection to a receiver. It is used for one request at a time.
type conn struct {
	net.Conn
	t     *Transport
	addr  string
	r     *bufio.Reader
	w     *bufio.Writer
	left  int64       // number of bytes that may be read
	since time.Time   // when it became idle
	stop  func() bool // ends the observation of the context of the current request
}

func newConn(t *Transport, addr string, n net.Conn) *conn {
	c := &conn{Conn: n, t: t, addr: addr}
	c.r, c.w = bufio.NewReader(c), bufio.NewWriter(n)
	return c
}

// Read reads from the connection, up to c.left bytes in total.
func (c *conn) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errHeader
	}
	n, err := c.Conn.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}

// begin lets the end of ctx interrupt reads and writes, until end is called.
func (c *conn) begin(ctx context.Context) bool {
	deadline, _ := ctx.Deadline()
	err := c.SetDeadline(deadline)
	c.stop = context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	return err == nil
}

// end ends a request. The connection becomes idle if reuse is true and nothing is left to read.
func (c *conn) end(reuse bool) {
	if stopped := c.stop(); !stopped || !reuse || c.r.Buffered() > 0 {
		_ = c.Close()
		return
	}
	c.t.put(c)
}

// silent reports whether the receiver has neither closed the connection nor sent anything while it
// was idle. It does not wait.
func (c *conn) silent() bool {
	s, ok := c.Conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return false
	}
	silent := false
	err = raw.Read(func(fd uintptr) bool {
		silent = wouldBlock(fd)
		return true
	})
	return err == nil && silent
}
