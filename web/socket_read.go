package web

import (
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/gorilla/websocket"
	"github.com/wheelscope/wheelscope/web/question"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// incompleteReason is sent with close code 1008 (policy violation) when a socket is closed because a message took
// too long to arrive.
var incompleteReason = fmt.Sprintf("a message must be complete within %s", messageWait)

// errTooLarge is returned by socket.message for a message of more than protocol.MessageBytesMax bytes.
var errTooLarge = errors.New("message too large")

// read passes the messages of the client to the viewer until reading fails, normally because the connection was closed.
// It returns the error from reading, which is never nil.
func (k *socket) read() error {
	k.alive()
	k.conn.SetPongHandler(func(string) error { k.alive(); return nil })
	refused := 0
	for {
		// Waits for a first frame, and skips the rest of the previous message.
		kind, body, err := k.conn.NextReader()
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
		case errors.Is(err, errTooLarge):
			k.close(websocket.CloseMessageTooBig, question.TooLargeReason)
			continue
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
// an error other than errTooLarge, the socket can no longer be read.
func (k *socket) message(body io.Reader) ([]byte, error) {
	k.assembling = true
	defer func() { k.assembling = false; k.alive() }()
	k.deadline(messageWait)
	data, err := io.ReadAll(io.LimitReader(body, protocol.MessageBytesMax+1))
	if err == nil && len(data) > protocol.MessageBytesMax {
		err = errTooLarge
	}
	return data, err
}

// alive extends the read deadline to pongWait from now. It does nothing while a message is being received, because
// that message has a deadline of its own. alive is called when a pong or a message has arrived.
func (k *socket) alive() {
	if !k.assembling {
		k.deadline(pongWait)
	}
}

// deadline makes reads from the connection time out once wait has elapsed. It does nothing if the socket is closing,
// because a client could otherwise keep the socket open by sending pongs.
func (k *socket) deadline(wait time.Duration) {
	select {
	case <-k.stop:
	default:
		k.conn.SetReadDeadline(time.Now().Add(wait))
	}
}
