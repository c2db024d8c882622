package web

import (
	"net"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/session"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/web/usererr"
	"golang.org/x/time/rate"
)

// socket is one WebSocket. The goroutine of the request reads from it and another goroutine writes to it. No
// other goroutine uses the connection for messages. The session queues messages for the viewer and does not
// wait for either goroutine.
type socket struct {
	conn    *websocket.Conn
	viewer  *session.Viewer
	lang    string // language of the reasons for closing the socket
	limiter *rate.Limiter

	assembling bool // whether a message has begun and is not complete; used on the reader's goroutine

	greeting *time.Timer // closes the socket if the session's first messages are late

	stop     chan struct{} // channel that is closed when the socket is to be closed
	stopOnce sync.Once
	code     int    // close code; set before stop is closed
	reason   string // reason for closing, at most closeReasonMax bytes
}

func newSocket(conn *websocket.Conn, s *session.Session, driver bool, lang string) *socket {
	k := &socket{
		conn: conn, lang: lang,
		limiter: rate.NewLimiter(protocol.CommandsPerSecond, CommandsBurst),
		stop:    make(chan struct{}),
	}
	k.viewer = s.View(driver, lang, k)
	k.greeting = time.AfterFunc(protocol.AnswerWait, k.expire)
	return k
}

// closeReplaced is the code for closing the socket of a driver that another one has replaced.
const closeReplaced = 4001

const replacedReason = "another connection drives this session now"

// serve reads messages until the socket is closed, and then waits until the goroutine that writes to it has ended.
func (k *socket) serve() {
	var writer sync.WaitGroup
	writer.Go(func() { k.write() })
	k.read()
	k.close(websocket.CloseNormalClosure, "")
	writer.Wait()
	k.conn.Close()
}

// reject closes a socket that is not served, with the given close code and reason.
func (k *socket) reject(code int, reason string) {
	k.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), time.Now().Add(closeWait))
	k.conn.Close()
}

// expire closes a socket whose first messages are overdue. If no socket has joined its session, it ends the
// session.
func (k *socket) expire() {
	k.close(websocket.CloseTryAgainLater, usererr.NotInTime.In(static.Errors(k.lang)))
	k.viewer.GiveUp()
}

// Greeted and Replaced implement session.Connection.

func (k *socket) Greeted() { k.greeting.Stop() }

func (k *socket) Replaced() { k.close(closeReplaced, replacedReason) }

// ending returns the close code and reason for a socket whose session has ended.
func (k *socket) ending() (code int, reason string) {
	reason, failed := k.viewer.Ending()
	if !failed {
		return websocket.CloseGoingAway, reason
	}
	return websocket.CloseTryAgainLater, strings.ToValidUTF8(reason[:min(len(reason), closeReasonMax)], "")
}

// closeReasonMax is the longest reason for closing a WebSocket, in bytes (RFC 6455, section 5.5).
const closeReasonMax = 123

// close makes the goroutine that writes to the socket send code and reason and then end. It does not wait. Only the
// first call has an effect.
func (k *socket) close(code int, reason string) {
	k.stopOnce.Do(func() {
		k.code, k.reason = code, reason
		close(k.stop)
		// A write in progress must not delay this for long.
		k.conn.NetConn().SetWriteDeadline(time.Now().Add(closeWait))
	})
}

// write sends the messages that the session queues for the viewer.
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

// drain sends all queued messages. Each must be sent within writeWait.
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
		k.conn.SetWriteDeadline(time.Now().Add(writeWait))
		if err := k.conn.WriteMessage(websocket.TextMessage, data); err != nil {
			return err
		}
	}
}

// sendReason sends the reason for closing and waits up to closeWait for the peer's response. If the
// connection were closed at once, the reason could be lost.
func (k *socket) sendReason() {
	deadline := time.Now().Add(closeWait)
	k.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(k.code, k.reason), deadline)
	k.conn.SetReadDeadline(deadline)
}
