package web

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"golang.org/x/time/rate"
)

// socket is one WebSocket. Its reader is the goroutine of the request, its
// writer another; nothing else touches the connection. The session leaves
// messages in the mailbox and never waits for either.
type socket struct {
	conn    *websocket.Conn
	box     *mailbox
	session *session
	driver  bool   // made the session, and so may command it
	lang    string // of the texts in hello
	haste   *rate.Limiter

	assembling bool // a message has begun and is not complete; used on the reader's goroutine

	timeline timelineTold // the newest in the box; used on the runner's goroutine

	greeting *time.Timer // closes the socket if the session does not send its first messages in time

	stop     chan struct{} // closed when the socket is to be closed
	stopOnce sync.Once
	code     int    // why it is closed; written before stop is closed
	reason   string // at most 123 bytes, as the protocol allows
}

func newSocket(conn *websocket.Conn, s *session, driver bool, lang string) *socket {
	k := &socket{
		conn: conn, box: newMailbox(), session: s, driver: driver, lang: lang,
		haste: rate.NewLimiter(CommandsPerSecond, CommandsBurst),
		stop:  make(chan struct{}),
	}
	k.greeting = time.AfterFunc(answerWait, k.expire)
	return k
}

// serve reads until the socket is done. It returns when the writer has too.
func (k *socket) serve() {
	var writer sync.WaitGroup
	writer.Go(func() { k.write() })
	k.read()
	k.close(websocket.CloseNormalClosure, "")
	writer.Wait()
	k.conn.Close()
}

// reject closes a socket that is not served.
func (k *socket) reject(code int, reason string) {
	k.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), time.Now().Add(closeWait))
	k.conn.Close()
}

// expire closes a socket to which the session has sent nothing in time, and ends the session if no socket has joined it.
func (k *socket) expire() {
	k.close(websocket.CloseTryAgainLater, notInTime.In(k.lang))
	if !k.session.joined.Load() {
		k.session.fail(context.DeadlineExceeded)
	}
}

// close has the writer say why and end. It does not wait; the first reason
// counts.
func (k *socket) close(code int, reason string) {
	k.stopOnce.Do(func() {
		k.code, k.reason = code, reason
		close(k.stop)
		// A write in progress may not hold this up for long.
		k.conn.NetConn().SetWriteDeadline(time.Now().Add(closeWait))
	})
}

// write sends what the session leaves in the mailbox.
func (k *socket) write() {
	if tcp, ok := k.conn.NetConn().(*net.TCPConn); ok {
		tcp.SetWriteBuffer(WriteBufferBytes) // so that a client that is late is seen to be; an error changes nothing else
	}
	ping := time.NewTicker(pingInterval)
	defer ping.Stop()
	for {
		if err := k.drain(); err != nil {
			k.conn.Close() // wakes the reader
			return
		}
		if k.box.starved() {
			k.session.resync()
		}
		select {
		case <-k.box.ready:
		case <-ping.C:
			k.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeWait))
		case <-k.session.ctx.Done():
			k.close(k.session.ending(k.lang))
		case <-k.stop:
			k.farewell()
			return
		}
	}
}

// drain sends every message that waits. Each has writeWait to get through.
func (k *socket) drain() error {
	for {
		if k.box.overflowed() {
			k.close(websocket.ClosePolicyViolation, "too many messages wait to be read")
			return nil
		}
		data, ok := k.box.take()
		if !ok {
			return nil
		}
		k.conn.SetWriteDeadline(time.Now().Add(writeWait))
		if err := k.conn.WriteMessage(websocket.TextMessage, data); err != nil {
			return err
		}
	}
}

// farewell tells the peer why the socket is closed and gives it a moment to
// answer: to close at once could lose the reason on its way.
func (k *socket) farewell() {
	deadline := time.Now().Add(closeWait)
	k.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(k.code, k.reason), deadline)
	k.conn.SetReadDeadline(deadline)
}
