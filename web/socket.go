package web

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/session"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"golang.org/x/time/rate"
)

// socket is one WebSocket. The goroutine of its HTTP request reads messages, and another goroutine writes them.
// The session queues messages for the viewer and waits for neither goroutine.
type socket struct {
	conn    *websocket.Conn
	viewer  *session.Viewer
	lang    string        // language of the reason for closing the socket
	limiter *rate.Limiter // limits the rate of commands

	assembling bool // whether a message has been partly received; used only on the reading goroutine

	greeting *time.Timer // timer that closes the socket if the session's first messages are late

	mu      sync.Mutex
	closing bool          // whether close was called; the deadlines are not extended any more
	stop    chan struct{} // closed when the socket is to be closed
	code    int           // close code; set before stop is closed
	reason  string        // reason for closing, at most closeReasonMax bytes; set before stop is closed
}

// newSocket returns a socket on conn with a new viewer of session s, which has not joined the session yet. driver is
// whether the viewer drives the session, and lang is the language of its messages. The socket is closed if the viewer
// has not joined within protocol.AnswerWait.
func newSocket(conn *websocket.Conn, s *session.Session, driver bool, lang string) *socket {
	k := &socket{
		conn: conn, lang: lang,
		limiter: rate.NewLimiter(protocol.CommandsPerSecond, CommandsBurst),
		stop:    make(chan struct{}),
	}
	conn.SetReadLimit(protocol.MessageBytesMax)
	k.viewer = s.View(driver, lang, k)
	k.greeting = time.AfterFunc(protocol.AnswerWait, k.expire)
	return k
}

// closeReplaced is the close code for the socket of a driver that another driver has replaced.
const closeReplaced = 4001

// replacedReason is the reason that is sent with the close code closeReplaced.
const replacedReason = "another connection drives this session now"

// serve reads and writes messages until the socket is closed. It reads on the calling goroutine, and returns when the
// writing goroutine has ended as well.
func (k *socket) serve() {
	var writer sync.WaitGroup
	writer.Go(func() { k.write() })
	k.read()
	k.close(websocket.CloseNormalClosure, "")
	writer.Wait()
	k.conn.Close()
}

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
		if errors.Is(err, websocket.ErrReadLimit) {
			return k.tooLarge(err)
		}
		if err != nil {
			// The WebSocket library hides os.ErrDeadlineExceeded.
			if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
				k.close(websocket.ClosePolicyViolation, incompleteReason)
			}
			return err
		}
		if k.limiter.Allow() {
			k.viewer.Command(data)
			continue
		}
		if refused++; refused > RefusalsMax {
			k.close(websocket.ClosePolicyViolation, "too many commands")
			continue
		}
		k.viewer.Refuse(data)
	}
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

// reject closes a socket that was never served, with the given close code and reason.
func (k *socket) reject(code int, reason string) {
	k.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), time.Now().Add(closeWait))
	k.conn.Close()
}

// expire is called by the timer k.greeting if the viewer has not joined its session within protocol.AnswerWait. It
// closes the socket, and ends the session if no viewer has ever joined it.
func (k *socket) expire() {
	k.close(websocket.CloseTryAgainLater, texts.ErrNotInTime.In(static.Messages(k.lang)))
	k.viewer.GiveUp()
}

// Greeted stops k.greeting, the timer that closes the socket if the viewer does not join its session in time. It is
// called when the first messages to the viewer are about to be queued. It implements session.Connection.
func (k *socket) Greeted() { k.greeting.Stop() }

// Replaced closes the socket, because another driver has replaced its viewer. It implements session.Connection.
func (k *socket) Replaced() { k.close(closeReplaced, replacedReason) }

// ending returns the close code and the reason for closing a socket whose session has ended.
func (k *socket) ending() (code int, reason string) {
	reason, failed := k.viewer.Ending()
	if !failed {
		return websocket.CloseGoingAway, reason
	}
	return websocket.CloseTryAgainLater, strings.ToValidUTF8(reason[:min(len(reason), closeReasonMax)], "")
}

// closeReasonMax is the maximum length, in bytes, of the reason for closing a WebSocket (RFC 6455, section
// 5.5).
const closeReasonMax = 123

// close makes the goroutine that writes to the socket send a close message with code and reason, and then end.
// It does not wait for that. The connection is closed after at most 2 * closeWait, or writeWait if a message is being
// written. Only the first call has an effect.
func (k *socket) close(code int, reason string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closing {
		return
	}
	k.closing, k.code, k.reason = true, code, reason
	close(k.stop)
	// A write in progress must not delay this for long.
	k.conn.NetConn().SetWriteDeadline(time.Now().Add(closeWait))
}

// extend calls set with the time after wait, to set a deadline of the connection, and reports whether the socket is
// open. A socket that is closing keeps its deadlines: a client could otherwise hold it by sending pongs, or by reading
// slowly.
func (k *socket) extend(set func(time.Time) error, wait time.Duration) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.closing {
		set(time.Now().Add(wait))
	}
	return !k.closing
}

// write sends pings, and the messages that the session queues for the viewer, until the socket is closed.
func (k *socket) write() {
	if tcp, ok := k.conn.NetConn().(*net.TCPConn); ok {
		tcp.SetWriteBuffer(WriteBufferBytes) // small, so that a late client is detected; an error is harmless
	}
	ping := time.NewTicker(pingInterval)
	defer ping.Stop()
	for {
		if err := k.drain(); err != nil {
			k.conn.Close() // wakes the reader
			return
		}
		k.viewer.CatchUp()
		select {
		case <-k.viewer.Ready():
		case <-ping.C:
			k.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeWait))
		case <-k.viewer.Ended():
			k.close(k.ending())
		case <-k.stop:
			k.sendReason()
			return
		}
	}
}

// drain sends all queued messages until the socket is closing. The timeout for each is writeWait. If there was no room in the queue for a message
// that must not be dropped, drain closes the socket instead.
func (k *socket) drain() error {
	for {
		if k.viewer.Overflowed() {
			k.close(websocket.ClosePolicyViolation, "too many messages wait to be read")
			return nil
		}
		data, ok := k.viewer.Next()
		if !ok {
			return nil
		}
		if !k.extend(k.conn.SetWriteDeadline, writeWait) {
			return nil
		}
		if err := k.conn.WriteMessage(websocket.TextMessage, data); err != nil {
			return err
		}
	}
}

// sendReason sends the close message with the code and the reason in k. The connection stays open for up to closeWait,
// until the client responds, because the message could be lost if the connection were closed immediately.
func (k *socket) sendReason() {
	deadline := time.Now().Add(closeWait)
	k.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(k.code, k.reason), deadline)
	k.conn.SetReadDeadline(deadline)
}
