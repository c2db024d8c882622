package plainhttp

import (
	"bufio"
	"fmt"
	"math"
	"net"
	"net/http"
	"syscall"
	"time"
)

// conn is a connection to a receiver. It is used for one request at a time.
type conn struct {
	net.Conn
	t     *Transport
	addr  string
	r     *bufio.Reader
	out   []byte    // buffer for the wire form of a request; reused for the next request
	left  int64     // number of bytes that may still be read from Conn; limits the length of a response header
	since time.Time // time at which the connection became idle

	raw    syscall.RawConn       // the socket, for direct system calls; nil if the connection has no socket
	check  func(fd uintptr) bool // function that isSilent passes to raw.Read; stores its result in silent
	silent bool                  // whether the last call to check found nothing to read
}

func newConn(t *Transport, addr string, n net.Conn) *conn {
	c := &conn{Conn: n, t: t, addr: addr}
	c.r = bufio.NewReader(c)
	if s, ok := n.(syscall.Conn); ok {
		c.raw, _ = s.SyscallConn() // nil with an error
	}
	c.check = func(fd uintptr) bool {
		c.silent = wouldBlock(fd)
		return true
	}
	return c
}

// Read reads at most c.left bytes from the connection, and subtracts the number of bytes read from c.left. It returns
// errHeader if c.left is 0.
func (c *conn) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errHeader
	}
	n, err := c.Conn.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}

// isSilent reports whether an idle connection can be reused, that is, whether the receiver has neither closed
// the connection nor sent anything on it. isSilent does not block.
func (c *conn) isSilent() bool {
	if c.raw == nil {
		return false
	}
	c.silent = false
	err := c.raw.Read(c.check)
	return err == nil && c.silent
}

// exchange sends r, reads the header of the final response, and returns that response. It skips 1xx responses other
// than 101 (Switching Protocols), which is final. exchange fails if the headers of all these responses together exceed
// headerMax bytes.
func (c *conn) exchange(r *Request, headerMax int64) (*http.Response, error) {
	c.left = headerMax
	c.out = r.appendTo(c.out[:0])
	if _, err := c.Write(c.out); err != nil {
		return nil, fmt.Errorf("sending the request: %w", err)
	}
	for {
		resp, err := http.ReadResponse(c.r, nil)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode < 100 || resp.StatusCode >= 200 || resp.StatusCode == http.StatusSwitchingProtocols {
			c.left = math.MaxInt64
			return resp, nil
		}
	}
}
