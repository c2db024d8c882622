package web

import (
	"context"
	"net/http"

	"github.com/gorilla/websocket"
	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/session"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// socket serves /ws. It opens a session, or joins an existing one, and serves the WebSocket until it is closed. If the
// request is not a WebSocket upgrade, socket responds with the error, if any, with which it would reject an upgrade.
// Pages send such a request after a failed connection, because browsers do not let scripts read the response to a
// failed WebSocket handshake.
func (s *Server) socket(c echo.Context) error {
	release, err := s.places.take(c.Request().RemoteAddr)
	if err != nil {
		return err
	}
	defer release()
	if !websocket.IsWebSocketUpgrade(c.Request()) {
		if err := s.refused(c); err != nil { // a page asks this way why its socket was refused
			return err
		}
		if c.QueryParam("why") != "" {
			return c.NoContent(http.StatusNoContent)
		}
		c.Response().Header().Set("Connection", "Upgrade")
		c.Response().Header().Set("Upgrade", "websocket") // RFC 9110, section 15.5.22
		return texts.Errorf(http.StatusUpgradeRequired, "", "this address accepts WebSockets only")
	}
	mem, err := s.library.Store.Reserve(socketBytes)
	if err != nil {
		return err
	}
	defer mem.Release()
	opened, driver, err := s.session(c)
	if err != nil {
		return err
	}
	up := websocket.Upgrader{
		CheckOrigin: s.hosts.allowsOrigin,
		Error: func(w http.ResponseWriter, _ *http.Request, code int, reason error) {
			http.Error(w, reason.Error(), code)
		},
	}
	conn, err := up.Upgrade(c.Response(), c.Request(), nil)
	if err != nil {
		opened.Abandon()
		return nil // the upgrader has answered
	}
	k := newSocket(conn, opened, driver, s.language(c))
	s.serveSocket(k, opened)
	return nil // the connection is hijacked: no HTTP answer is possible
}

// socketBytes is the number of bytes of memory reserved for each socket: for an incoming message, buffers, and
// messages to this socket only. States and deltas are not included, because the sockets of a session share them.
const socketBytes = protocol.MessageBytesMax + 32<<10

// serveSocket adds the viewer of k to the session joined, and serves k until the socket is closed. If the viewer
// cannot be added, serveSocket closes k.
func (s *Server) serveSocket(k *socket, joined *session.Session) {
	defer k.greeting.Stop()
	if err := s.sockets.enter(k); err != nil {
		k.reject(websocket.CloseTryAgainLater, err.Error())
		joined.Abandon()
		return
	}
	defer s.sockets.exit(k)
	if k.viewer.Join() != nil {
		k.reject(k.ending())
		return
	}
	k.serve()
	k.viewer.Leave()
}

// session returns the session that the URL of c selects, and reports whether the socket drives the session. It opens
// the session if necessary.
func (s *Server) session(c echo.Context) (*session.Session, bool, error) {
	ctx, cancel := context.WithTimeout(c.Request().Context(), s.pageWait)
	defer cancel()
	return api.OpenSession(c.Request().Context(), ctx, s.answers, s.hub, c.QueryParams())
}

// refused returns the error that s.session would return if it were called now, or nil. It does not open a session, so
// it cannot predict every error.
func (s *Server) refused(c echo.Context) error {
	return api.SessionRefused(s.answers, s.hub, c.QueryParams())
}
