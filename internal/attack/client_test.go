//go:build linux

package attack

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// Opcodes of WebSocket frames, RFC 6455 section 5.2.
const (
	opContinuation = 0x0
	opText         = 0x1
	opClose        = 0x8
	opPing         = 0x9
	opPong         = 0xA
)

const (
	headMax      = 512 // bytes of a message that a client examines; it skips the rest
	dialWait     = 10 * time.Second
	socketBuffer = 64 << 10
)

// client is a WebSocket client of little cost: it reads the headers of frames, examines the first
// bytes of a message, and skips the rest. It can also write frames that the protocol forbids.
type client struct {
	conn net.Conn
	r    *bufio.Reader
	run  string // digits of the current run, from the last hello
	id   string // id of the session, from the last hello

	rest   int        // bytes of the last message that have not been skipped yet
	mu     sync.Mutex // locked while a frame is written
	lastID int
	wait   time.Duration // maximum wait for an acknowledgement
}

// closedError is the close status of a socket that the server closed.
type closedError struct {
	code   int
	reason string
}

func (e *closedError) Error() string { return fmt.Sprintf("closed %d %s", e.code, e.reason) }

// statusError is the HTTP status of a refused socket.
type statusError struct {
	code int
	body string
}

func (e *statusError) Error() string { return fmt.Sprintf("%d %s", e.code, e.body) }

// ackError is the error of an acknowledgement.
type ackError struct{ path, message string }

func (e *ackError) Error() string { return fmt.Sprintf("refused: %s: %s", e.path, e.message) }

// openSocket opens a WebSocket. Headers are name, value, …
func openSocket(ctx context.Context, addr, path string, headers ...string) (*client, error) {
	conn, err := (&net.Dialer{Timeout: dialWait}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	c := &client{conn: conn, r: bufio.NewReaderSize(conn, socketBuffer), wait: answerMax}
	var text bytes.Buffer
	fmt.Fprintf(&text, "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", path, addr)
	for i := 0; i < len(headers); i += 2 {
		fmt.Fprintf(&text, "%s: %s\r\n", headers[i], headers[i+1])
	}
	text.WriteString("\r\n")
	conn.SetDeadline(time.Now().Add(dialWait + answerMax))
	if _, err := conn.Write(text.Bytes()); err != nil {
		conn.Close()
		return nil, err
	}
	res, err := http.ReadResponse(c.r, nil)
	if err != nil {
		conn.Close()
		return nil, err
	}
	if res.StatusCode != http.StatusSwitchingProtocols {
		body, _ := io.ReadAll(io.LimitReader(res.Body, headMax))
		conn.Close()
		return nil, &statusError{res.StatusCode, string(bytes.TrimSpace(body))}
	}
	conn.SetDeadline(time.Time{})
	return c, nil
}

func (c *client) close() { c.conn.Close() }

// frame writes a frame whose header announces length bytes, with a payload that may be shorter. The
// mask is zero, which the protocol allows and which leaves the payload unchanged.
func (c *client) frame(fin bool, op byte, length int, payload []byte) error {
	head := make([]byte, 2, 14)
	head[0] = op
	if fin {
		head[0] |= 0x80
	}
	switch {
	case length < 126:
		head[1] = byte(length)
	case length < 1<<16:
		head[1] = 126
		head = binary.BigEndian.AppendUint16(head, uint16(length))
	default:
		head[1] = 127
		head = binary.BigEndian.AppendUint64(head, uint64(length))
	}
	head[1] |= 0x80
	head = append(head, 0, 0, 0, 0)
	c.mu.Lock()
	defer c.mu.Unlock()
	buffers := net.Buffers{head, payload}
	_, err := buffers.WriteTo(c.conn)
	return err
}

// text sends a whole message.
func (c *client) text(s string) error { return c.frame(true, opText, len(s), []byte(s)) }

// next reads a message and returns its first bytes, at least headMax if it has as many; an
// acknowledgement is returned in full. It answers pings. The slice is valid until the next call.
func (c *client) next() ([]byte, error) {
	for {
		if _, err := c.r.Discard(c.rest); err != nil {
			return nil, err
		}
		c.rest = 0
		head, err := c.r.Peek(2)
		if err != nil {
			return nil, err
		}
		op, length := head[0]&0x0F, int(head[1]&0x7F)
		skip := 2
		switch length {
		case 126:
			if head, err = c.r.Peek(4); err != nil {
				return nil, err
			}
			length, skip = int(binary.BigEndian.Uint16(head[2:])), 4
		case 127:
			if head, err = c.r.Peek(10); err != nil {
				return nil, err
			}
			length, skip = int(binary.BigEndian.Uint64(head[2:])), 10
		}
		if _, err := c.r.Discard(skip); err != nil {
			return nil, err
		}
		first, err := c.payload(length)
		if err != nil {
			return nil, err
		}
		switch op {
		case opText, opContinuation:
			return first, nil
		case opPing:
			if err := c.frame(true, opPong, len(first), first); err != nil {
				return nil, err
			}
		case opClose:
			return nil, closeOf(first)
		}
	}
}

// payload returns the examined part of a payload; the next call of next skips the rest.
func (c *client) payload(length int) ([]byte, error) {
	first, err := c.r.Peek(min(length, headMax))
	if err != nil {
		return nil, err
	}
	if kind := kindOf(first); kind == "ack" || kind == "hello" {
		if first, err = c.r.Peek(min(length, socketBuffer)); err != nil {
			return nil, err
		}
	}
	c.rest = length
	return first, nil
}

func closeOf(payload []byte) error {
	e := &closedError{code: 1005}
	if len(payload) >= 2 {
		e.code, e.reason = int(binary.BigEndian.Uint16(payload)), string(payload[2:])
	}
	return e
}

// kindOf returns the kind of a message, from its first bytes.
func kindOf(message []byte) string { return fieldOf(message, "kind") }

// fieldOf returns the value of the first field with a name whose value is a string without escapes,
// "" if there is none.
func fieldOf(message []byte, name string) string {
	_, after, ok := bytes.Cut(message, []byte(`"`+name+`":"`))
	if !ok {
		return ""
	}
	value, _, ok := bytes.Cut(after, []byte(`"`))
	if !ok {
		return ""
	}
	return string(value)
}

// command sends a command and returns its id. The fields are JSON: `"do":"pause"`.
func (c *client) command(fields string) (int, error) {
	c.lastID++
	return c.lastID, c.text(fmt.Sprintf(`{"v":1,"id":%d,%s}`, c.lastID, fields))
}

// ask sends a command and waits for its acknowledgement, at most c.wait. It
// returns an *ackError if the command was refused.
func (c *client) ask(fields string) error {
	id, err := c.command(fields)
	if err != nil {
		if closed, ok := c.goodbye(); ok {
			return closed
		}
		return err
	}
	c.conn.SetReadDeadline(time.Now().Add(c.wait))
	defer c.conn.SetReadDeadline(time.Time{})
	for {
		message, err := c.next()
		if err != nil {
			return err
		}
		if ack, refusal := c.note(message); ack == id {
			return refusal
		}
	}
}

// goodbye returns the close reason if the server closed the socket during a write.
func (c *client) goodbye() (error, bool) {
	c.conn.SetReadDeadline(time.Now().Add(time.Second))
	for {
		_, err := c.next()
		if closed := (*closedError)(nil); errors.As(err, &closed) {
			return closed, true
		}
		if err != nil {
			return nil, false
		}
	}
}

// note records session data of a message. For an acknowledgement it returns the id of the command,
// and its error if there is one.
func (c *client) note(message []byte) (ack int, refusal error) {
	switch kindOf(message) {
	case "hello":
		c.run, c.id = fieldOf(message, "run"), fieldOf(message, "session")
	case "ack":
		var m struct {
			Ack   int
			Run   string
			Error *struct{ Path, Message string }
		}
		if err := json.Unmarshal(message, &m); err != nil {
			return 0, err
		}
		if m.Run != "" {
			c.run = m.Run
		}
		if m.Error != nil {
			return m.Ack, &ackError{m.Error.Path, m.Error.Message}
		}
		return m.Ack, nil
	}
	return 0, nil
}

// greet reads messages until the hello.
func (c *client) greet() error {
	c.conn.SetReadDeadline(time.Now().Add(answerMax))
	defer c.conn.SetReadDeadline(time.Time{})
	for c.run == "" {
		message, err := c.next()
		if err != nil {
			return err
		}
		c.note(message)
	}
	return nil
}
