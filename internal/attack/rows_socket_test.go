//go:build linux

package attack

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"
)

var errNoAnswer = fmt.Errorf("no acknowledgement: %w", errTimeout{})

// errTimeout is the error of a timeout in package net.
type errTimeout struct{}

func (errTimeout) Error() string   { return "timeout" }
func (errTimeout) Timeout() bool   { return true }
func (errTimeout) Temporary() bool { return false }

// manyFields is a command with unknown fields, of about the given number of bytes.
func manyFields(size int) string {
	var b strings.Builder
	b.WriteString(`{"v":1,"id":1,"do":"state"`)
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `,"_%d":0`, i)
	}
	b.WriteString("}")
	return b.String()
}

// largeMessages sends commands of 32 MiB, from sessions and from a viewer, and some that are just
// small enough to be read.
func largeMessages(c *trial) {
	large, small := manyFields(32<<20), manyFields(60<<10)
	viewed := c.session()
	if viewed == nil {
		return
	}
	go viewed.drain()
	each(10, func(i int) {
		path := "/ws?scenario=three-slots"
		if i == 0 {
			path = "/ws?session=" + viewed.id
		}
		k := c.socket(path)
		if k == nil {
			return
		}
		for range 20 {
			if err := c.answered(k, small, "60 kB of unknown fields"); outcomeOf(err) != refused {
				c.t.Errorf("60 kB of unknown fields came to %v", err)
				return
			}
		}
		err := c.answered(k, large, "32 MiB of unknown fields")
		if e := (*closedError)(nil); !errors.As(err, &e) || e.code != 1009 {
			c.t.Errorf("a message of 32 MiB came to %v; expected a close with 1009", err)
		}
	})
}

// answered sends a message with the id 1, records the outcome and returns it.
func (c *trial) answered(k *client, message, what string) error {
	began := time.Now()
	sent := make(chan error, 1)
	go func() { sent <- k.text(message) }()
	k.conn.SetReadDeadline(began.Add(answerMax + time.Second))
	for {
		head, err := k.next()
		if err != nil {
			c.note(what, time.Since(began), err)
			k.close()
			<-sent
			return err
		}
		if ack, refusal := k.note(head); ack == 1 {
			<-sent
			c.note(what, time.Since(began), refusal)
			return refusal
		}
	}
}

// unfinishedMessages starts messages and never completes them, while it sends pongs: fragments of
// 33 MB, frames of the same size without the last byte, and both with an allowed size.
func unfinishedMessages(c *trial) {
	const large, small = 33_000_000, 60_000
	junk := bytes.Repeat([]byte(" "), large)
	each(160, func(i int) {
		k := c.session()
		if k == nil {
			return
		}
		size := []int{large, small}[i/2%2]
		whole := i%2 == 0 // a fragment without successors, or a frame without its last byte
		began := time.Now()
		stop := make(chan struct{})
		go func() {
			if whole {
				k.frame(false, opText, size, junk[:size])
			} else {
				k.frame(true, opText, size, junk[:size-1])
			}
			for whole {
				select {
				case <-stop:
					return
				case <-time.After(time.Second):
					k.frame(true, opPong, 0, nil)
				}
			}
		}()
		defer close(stop)
		k.conn.SetReadDeadline(began.Add(answerMax + 2*time.Second))
		for {
			if _, err := k.next(); err != nil {
				c.note(fmt.Sprintf("an unfinished message of %d bytes", size), min(time.Since(began), answerMax), cutIsClosed(err))
				return
			}
		}
	})
}

// cutIsClosed treats the end of a connection without a reason as a close: a close frame can't be
// sent in the middle of a frame.
func cutIsClosed(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) {
		return &closedError{1006, "the connection was cut"}
	}
	return err
}

// slowWriters send requests and messages one byte at a time.
func slowWriters(c *trial) {
	began := time.Now()
	ctx, cancel := c.during()
	defer cancel()
	each(200, func(i int) {
		conn, err := net.DialTimeout("tcp", c.addr, dialWait)
		if err != nil {
			c.note("a connection", 0, err)
			return
		}
		c.keep(conn)
		text := "GET /?scenario=three-slots HTTP/1.1\r\nHost: " + c.addr + "\r\nX-Slow: " + strings.Repeat("x", 4000)
		if i%2 == 0 {
			text = "POST /api/compare-runs HTTP/1.1\r\nHost: " + c.addr + "\r\nContent-Length: 60000\r\n\r\n" + strings.Repeat(" ", 60000)
			n, _ := io.WriteString(conn, text[:120])
			text = text[n:]
		}
		for k := 0; ctx.Err() == nil && k < len(text); k++ {
			if _, err := io.WriteString(conn, text[k:k+1]); err != nil {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
	})
	c.linger(began)
}

// halfOpen leaves connections half-open, or silent after a request.
func halfOpen(c *trial) {
	began := time.Now()
	each(200, func(i int) {
		switch i % 4 {
		case 0: // a player that stops reading and writing
			if k := c.socket("/ws?scenario=heartbeats"); k != nil {
				c.ask(k, `"do":"play","rate":0`)
			}
		case 1: // a player that has closed its side
			if k := c.socket("/ws?scenario=heartbeats"); k != nil {
				c.ask(k, `"do":"play","rate":600`)
				k.conn.(*net.TCPConn).CloseWrite()
				go k.drain()
			}
		default: // a request of a page or a trace whose response is never read
			conn, err := net.DialTimeout("tcp", c.addr, dialWait)
			if err != nil {
				c.note("a connection", 0, err)
				return
			}
			c.keep(conn)
			path := []string{"/?scenario=hundred-thousand&t=100", "/trace?run=" + digest(c.t, "heartbeats")}[i%2]
			fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, c.addr)
			if i%3 == 0 {
				conn.(*net.TCPConn).CloseWrite()
			}
		}
	})
	c.linger(began)
}

// idleConnections opens 8,000 connections without a request, or with one.
func idleConnections(c *trial) {
	began := time.Now()
	const n, atOnce = 8000, 50
	each(atOnce, func(i int) {
		for k := i; k < n && c.ctx.Err() == nil; k += atOnce {
			conn, err := net.DialTimeout("tcp", c.addr, dialWait)
			if err != nil {
				c.note("a connection", 0, err)
				return
			}
			c.keep(conn)
			if k%4 == 0 {
				fmt.Fprintf(conn, "GET /healthz HTTP/1.1\r\nHost: %s\r\n\r\n", c.addr)
			}
		}
	})
	c.others()
	c.linger(began)
	c.figure("%d descriptors open in the server", c.server.files())
}
