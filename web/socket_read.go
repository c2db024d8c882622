package web

import (
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/gorilla/websocket"
)

// incompleteReason is sent with close code 1008 (policy violation) when a socket is closed because a message took
// too long to arrive.
var incompleteReason = fmt.Sprintf("a message must be complete within %s", messageWait)

// read passes the messages of the client to the viewer until reading fails, normally because the connection was closed.
// It returns the error from reading, which is never nil.
func (k *socket) read() error {
	k.alive()
	k.conn.SetPongHandler(func(string) error { k.alive(); return nil })
	refused := 0
	for {
		// Waits for a first frame, and skips the rest of the previous message.
		kind, body, err := k.conn.NextReader()
		if errors.Is(err, websocket.ErrReadLimit) {
			return k.tooLarge(err)
		}
		if err != nil {
			return err
		}
		select {
		case <-k.stop: // the socket is closing: further messages are ignored
			continue
		default:
		}
		if kind != websocket.TextMessage {
			k.close(websocket.CloseUnsupportedData, "messages are JSON in text frames")
			continue
		}
		data, err := k.message(body)
		switch {
		case errors.Is(err, websocket.ErrReadLimit):
			return k.tooLarge(err)
		case timedOut(err):
			k.close(websocket.ClosePolicyViolation, incompleteReason)
			return err
		case err != nil:
			return err
		case k.limiter.Allow():
			k.viewer.Command(data)
		default:
			if refused++; refused > RefusalsMax {
				k.close(websocket.ClosePolicyViolation, "too many commands")
				continue
			}
			k.viewer.Refuse(data)
		}
	}
}

// timedOut reports whether err is a timeout. It does not compare err with os.ErrDeadlineExceeded, because the
// WebSocket library hides the original error.
func timedOut(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return ok && timeout.Timeout()
}

// message returns the message in body, whose first frame has begun to arrive. The message must be complete within
// messageWait, which pongs do not extend. Memory is allocated as bytes arrive, up to protocol.MessageBytesMax. After
// an error, the socket can no longer be read.
func (k *socket) message(body io.Reader) ([]byte, error) {
	k.assembling = true
	defer func() { k.assembling = false; k.alive() }()
	k.extend(k.conn.SetReadDeadline, messageWait)
	return io.ReadAll(body)
}

// tooLarge handles err, the error for a message of more than protocol.MessageBytesMax bytes, and returns it. The
// library has sent the close code 1009. What the client still sends is discarded until it has received the code, for at
// most closeWait, because the code could be lost if the connection were closed at once.
func (k *socket) tooLarge(err error) error {
	k.close(websocket.CloseMessageTooBig, "")
	io.Copy(io.Discard, k.conn.NetConn())
	return err
}

// alive extends the read deadline to pongWait from now. It does nothing while a message is being received, because
// that message has a deadline of its own. alive is called when a pong or a message has arrived.
func (k *socket) alive() {
	if !k.assembling {
		k.extend(k.conn.SetReadDeadline, pongWait)
	}
}
