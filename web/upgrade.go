package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/gorilla/websocket"
	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/locate"
	"github.com/wheelscope/wheelscope/web/session"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// socket serves /ws: it opens a session or joins an existing one.
func (s *Server) socket(c echo.Context) error {
	var busy session.BusyError
	release, err := s.places.take(c.Request().RemoteAddr)
	if errors.As(err, &busy) {
		return retryLater(c, busy.Reason)
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
		return deny(http.StatusUpgradeRequired, "this address speaks WebSocket only")
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
		CheckOrigin: s.hosts.AllowsOrigin,
		Error: func(w http.ResponseWriter, _ *http.Request, code int, reason error) {
			http.Error(w, reason.Error(), code)
		},
	}
	w := &bufferKeeper{ResponseWriter: c.Response()}
	conn, err := up.Upgrade(w, c.Request(), nil)
	if err != nil {
		opened.Abandon()
		return nil // the upgrader has answered
	}
	k := newSocket(conn, opened, driver, s.language(c))
	w.follow(conn.NetConn(), func() { k.close(websocket.CloseMessageTooBig, tooLargeReason) })
	s.attend(k, opened)
	return nil // the connection is hijacked: no HTTP answer is possible
}

// socketBytes is reserved for each socket: an incoming message, buffers, and messages for this
// socket alone. Frames are shared by the sockets of a session.
const socketBytes = protocol.MessageBytesMax + 32<<10

// attend serves the socket k of the session joined until it is closed.
func (s *Server) attend(k *socket, joined *session.Session) {
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

// session returns the session that the URL asks for, and whether the socket drives it.
func (s *Server) session(c echo.Context) (*session.Session, bool, error) {
	j, err := joinOf(c.QueryParams())
	if err != nil {
		return nil, false, s.badField(c, err)
	}
	if j.ID != "" {
		found, err := s.hub.Join(c.Request().Context(), j)
		return found, j.Driving, sessionFault(c, j.ID, err)
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), s.pageWait)
	defer cancel()
	run, at, err := s.place(ctx, c)
	if err != nil {
		return nil, false, err
	}
	opened, err := s.hub.Open(run, at)
	return opened, true, sessionFault(c, "", err)
}

// place returns the run and the position that the URL of a new session asks for.
func (s *Server) place(ctx context.Context, c echo.Context) (run *sim.Run, at locate.Position, err error) {
	var found api.Place
	if q := c.QueryParams(); q.Has("run") {
		if run, err = s.lookup(c); err == nil {
			found, err = api.FindIn(ctx, run, q)
		}
	} else {
		found, err = s.answers.Find(ctx, q)
	}
	if err == nil && found.Problem != nil {
		err = found.Problem
	}
	return found.Run, found.At, err
}

// joinOf parses which session a URL asks for; the id is "" if it asks for a new one.
func joinOf(q url.Values) (session.Joining, error) {
	j := session.Joining{ID: q.Get("session"), Secret: q.Get("secret"), Driving: q.Has("secret")}
	for _, other := range []string{"scenario", "session"} {
		if q.Has("run") && q.Has(other) {
			return j, usererr.New("run", "given beside %s; expected one of them", other)
		}
	}
	if j.Driving && j.ID == "" {
		return j, usererr.New("secret", "given without %s", "session")
	}
	return j, nil
}

// refused returns the error that a socket with this URL would get now, as far as it is known
// without opening anything.
func (s *Server) refused(c echo.Context) error {
	q := c.QueryParams()
	j, err := joinOf(q)
	switch {
	case err != nil:
		return s.badField(c, err)
	case j.ID != "":
		return sessionFault(c, j.ID, s.hub.Joinable(j))
	case q.Has("run"):
		if _, err := s.answers.Run("run", q.Get("run")); err != nil {
			return err
		}
	}
	return sessionFault(c, "", s.hub.Full())
}

// badField returns the answer to a request with an invalid parameter, which err describes.
func (s *Server) badField(c echo.Context, err error) error {
	return echo.NewHTTPError(http.StatusBadRequest, usererr.Describe(err, s.language(c)).Error())
}

// sessionFault returns the answer to a request for the session id that failed with err.
func sessionFault(c echo.Context, id string, err error) error {
	if busy, ok := errors.AsType[session.BusyError](err); ok {
		return retryLater(c, busy.Reason)
	}
	switch {
	case errors.Is(err, session.ErrNoSession):
		return deny(http.StatusNotFound, "session: %q is not the id of a session; without sockets one is kept for %s at most", usererr.Clip(id), protocol.SessionKeep.String())
	case errors.Is(err, session.ErrWrongSecret):
		return deny(http.StatusForbidden, "secret: not that of this session; without a secret it can be viewed")
	}
	return err
}
