//go:build js

package main

import (
	"context"
	"strings"
	"sync"
	"syscall/js"
	"time"

	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/session"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// Codes with which a socket is closed, the same as those of the server (RFC 6455, section 7.4.1).
const (
	goingAway  = 1001
	tooLarge   = 1009
	tryAgain   = 1013
	replaced   = 4001
	notAllowed = 1008
)

// socket passes the messages of a session to the page.
type socket struct {
	viewer *session.Viewer
	// events is the JavaScript object in the page that is notified of socket events. Its methods are
	// opened(), message(bytes) and closed(code, reason, status, line, retrySeconds). If the session could not
	// be opened, status is an HTTP status, line is the error message, and retrySeconds is how long to wait
	// before retrying.
	events js.Value

	once sync.Once
	stop chan struct{} // closed by the method end, which makes serve return
	code int           // code with which the socket is closed; set before stop is closed
	why  string        // reason for closing the socket; set before stop is closed
}

// open opens a socket. The page calls it instead of creating a WebSocket. args contains the socket's number,
// the query of its URL, the language of the page, and the JavaScript object that is notified of the socket's
// events; see socket.events.
func (l *lab) open(args []js.Value) {
	number, q, events := args[0].Int(), queryOf(args[1].String()), args[3]
	lang := languageOf(q, args[2].String())
	k := &socket{events: events, stop: make(chan struct{})}
	l.sockets[number] = k
	go func() {
		defer delete(l.sockets, number)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		wait, late := context.WithTimeout(ctx, protocol.AnswerWait)
		opened, driver, err := api.OpenSession(ctx, wait, l.answers, l.hub, q)
		late()
		if err != nil {
			r := refusalOf(err, lang)
			events.Call("closed", goingAway, "", int(r.Kind), r.Line, int(r.After/time.Second))
			return
		}
		k.viewer = opened.View(driver, lang, k)
		if k.viewer.Join() == nil {
			events.Call("opened")
			k.serve()
			k.viewer.Leave()
		}
		events.Call("closed", k.code, k.why, 0, "", 0)
	}()
}

// send passes a command from the page to a session. args contains the number of the socket and the text of
// the command. If the command is too long, send closes the socket.
func (l *lab) send(args []js.Value) {
	k, text := l.sockets[args[0].Int()], args[1].String()
	switch {
	case k == nil || k.viewer == nil:
	case len(text) > protocol.MessageBytesMax:
		k.end(tooLarge, "")
	default:
		go k.viewer.Command([]byte(text))
	}
}

// close closes a socket at the request of the page. args contains the number of the socket.
func (l *lab) close(args []js.Value) {
	if k := l.sockets[args[0].Int()]; k != nil {
		k.end(goingAway, "")
	}
}

// Greeted and Replaced implement session.Connection.

func (k *socket) Greeted() {}

func (k *socket) Replaced() { k.end(replaced, "another connection drives this session now") }

// end makes serve return, which closes the socket. The page receives code as the close code and why as the
// reason. Only the first call has an effect.
func (k *socket) end(code int, why string) {
	k.once.Do(func() {
		k.code, k.why = code, why
		close(k.stop)
	})
}

// serve passes the messages that the session sends to k.viewer on to the page, until the socket is closed.
func (k *socket) serve() {
	for {
		for data, ok := k.viewer.Next(); ok; data, ok = k.viewer.Next() {
			k.events.Call("message", bytesOf(data))
		}
		if k.viewer.Overflowed() {
			k.end(notAllowed, "too many messages wait to be read")
		}
		k.viewer.CatchUp()
		select {
		case <-k.viewer.Ready():
		case <-k.viewer.Ended():
			reason, failed := k.viewer.Ending()
			code := goingAway
			if failed {
				code = tryAgain
			}
			k.end(code, strings.ToValidUTF8(reason, ""))
			return
		case <-k.stop:
			return
		}
	}
}
