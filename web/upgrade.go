package web

import (
	"context"
	"errors"
	"net/http"

	"github.com/gorilla/websocket"
	"github.com/labstack/echo/v4"
)

// socket answers /ws: it makes a session of its own, or looks at another's.
func (s *Server) socket(c echo.Context) error {
	var busy errBusy
	release, err := s.places.take(c.Request().RemoteAddr)
	if errors.As(err, &busy) {
		return retryLater(c, busy.said)
	}
	defer release()
	if !websocket.IsWebSocketUpgrade(c.Request()) {
		if full := s.hub.full(); full != nil { // a page asks this way why its socket was refused
			return retryLater(c, full.said)
		}
		if c.QueryParam("why") != "" {
			return c.NoContent(http.StatusNoContent)
		}
		c.Response().Header().Set("Connection", "Upgrade")
		c.Response().Header().Set("Upgrade", "websocket") // RFC 9110, section 15.5.22
		return deny(http.StatusUpgradeRequired, "this address speaks WebSocket only")
	}
	mem, err := s.books.store.Reserve(socketBytes)
	if err != nil {
		return err
	}
	defer mem.Release()
	session, driver, err := s.session(c)
	if err != nil {
		return err
	}
	up := websocket.Upgrader{
		CheckOrigin: s.hosts.allowsOrigin,
		Error: func(w http.ResponseWriter, _ *http.Request, code int, reason error) {
			http.Error(w, reason.Error(), code)
		},
	}
	w := &bufferKeeper{ResponseWriter: c.Response()}
	conn, err := up.Upgrade(w, c.Request(), nil)
	if err != nil {
		if driver {
			session.end()
		}
		return nil // the upgrader has answered
	}
	k := newSocket(conn, session, driver, s.language(c))
	w.follow(conn.NetConn(), func() { k.close(websocket.CloseMessageTooBig, tooLargeReason) })
	s.attend(k)
	return nil // the connection is no longer HTTP's: nothing may be answered
}

// socketBytes is reserved for each socket: a message that arrives, buffers, and what waits
// to be sent to this socket alone. Frames are shared by the sockets of a session.
const socketBytes = MessageBytesMax + 32<<10

// attend serves a socket from its first message to its last.
func (s *Server) attend(k *socket) {
	defer k.greeting.Stop()
	if err := s.hub.enter(k); err != nil {
		k.reject(websocket.CloseTryAgainLater, err.Error())
		if k.driver {
			k.session.end()
		}
		return
	}
	defer s.hub.exit(k)
	if k.session.do(func() { k.session.join(k) }) != nil {
		k.reject(k.session.ending(k.lang))
		return
	}
	k.serve()
	k.session.do(func() { k.session.leave(k) })
}

// session gives the session that an address asks for, and whether it was made
// for it.
func (s *Server) session(c echo.Context) (*session, bool, error) {
	if id := c.QueryParam("session"); id != "" {
		found, ok := s.hub.find(id)
		if !ok {
			return nil, false, deny(http.StatusNotFound, "session: %q is not the id of a session; it ends when its last socket leaves", clip(id))
		}
		return found, false, nil
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), s.pageWait)
	defer cancel()
	run, at, problem, err := s.find(ctx, c.QueryParams())
	if err != nil {
		return nil, false, err
	}
	if problem != nil {
		return nil, false, echo.NewHTTPError(problem.code, userError(problem.err, s.language(c)).Error())
	}
	opened, err := s.hub.open(run, at)
	var busy errBusy
	if errors.As(err, &busy) {
		return nil, false, retryLater(c, busy.said)
	}
	return opened, true, err
}
