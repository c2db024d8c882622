package web

import (
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/gorilla/websocket"
)

// tooLargeReason is why a socket is closed with 1009.
var tooLargeReason = fmt.Sprintf("a message has at most %d KiB; send a larger scenario to POST /api/import, then load its run", MessageBytesMax>>10)

// incompleteReason is why a socket is closed with 1008 when a message takes too long.
var incompleteReason = fmt.Sprintf("a message must be complete within %s", messageWait)

// errTooLarge is the error of a message of more than MessageBytesMax bytes.
var errTooLarge = errors.New("message too large")

// read takes commands until the peer or the server closes.
func (k *socket) read() error {
	k.alive()
	k.conn.SetPongHandler(func(string) error { k.alive(); return nil })
	refused := 0
	for {
		// Waits for a first frame, and skips what was left of the message before.
		kind, body, err := k.conn.NextReader()
		if err != nil {
			return err
		}
		select {
		case <-k.stop: // what still comes is not wanted any more
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
			k.close(websocket.CloseMessageTooBig, tooLargeReason)
			continue
		case timedOut(err):
			k.close(websocket.ClosePolicyViolation, incompleteReason)
			return err
		case err != nil:
			return err
		case k.haste.Allow():
			k.command(data)
		default:
			if refused++; refused > RefusalsMax {
				k.close(websocket.ClosePolicyViolation, "too many commands")
				continue
			}
			k.refuse(data)
		}
	}
}

// timedOut reports whether a deadline passed. The library hides what the error was.
func timedOut(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return ok && timeout.Timeout()
}

// message reads the rest of a message whose first frame has begun. It takes memory as
// bytes arrive, at most MessageBytesMax, and time up to messageWait: pongs between the
// frames do not extend that. After an error but errTooLarge the socket can't be read.
func (k *socket) message(body io.Reader) ([]byte, error) {
	k.assembling = true
	defer func() { k.assembling = false; k.alive() }()
	k.deadline(messageWait)
	data, err := io.ReadAll(io.LimitReader(body, MessageBytesMax+1))
	if err == nil && len(data) > MessageBytesMax {
		err = errTooLarge
	}
	return data, err
}

// alive notes a sign of life, which does not extend the time of a message that is not
// complete.
func (k *socket) alive() {
	if !k.assembling {
		k.deadline(pongWait)
	}
}

// deadline sets how long the next bytes may take to come. A socket that is being closed
// gets no more time: a peer could keep it open by sending pongs.
func (k *socket) deadline(wait time.Duration) {
	select {
	case <-k.stop:
	default:
		k.conn.SetReadDeadline(time.Now().Add(wait))
	}
}
