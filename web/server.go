package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"syscall"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/pages"
	"github.com/wheelscope/wheelscope/web/session"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// Config configures a Server.
type Config struct {
	Addr      string           // address to listen on, such as "127.0.0.1:8080"; port 0 chooses a free port
	HostAllow []string         // additional hosts by which clients may address the server, as in --host-allow
	Token     string           // token that every request except those for /healthz must have; "" means none
	TLSProxy  bool             // whether clients reach the server through a proxy with TLS; the token's cookie is then sent over TLS only
	BasePath  string           // path prefix behind a proxy, such as "/wheelscope"; "" means none
	Clock     clock.Clock      // clock of the sessions; nil means the real clock
	Store     *sim.Store       // store of runs; the caller must close it, after Shutdown
	Default   *program.Program // scenario shown if the URL names none; nil means the first built-in one
	Log       *slog.Logger     // log of internal errors; nil means none
	Sockets   int              // maximum number of WebSockets; 0 means SocketsMax
	// SocketsPerAddress is the maximum number of WebSockets per client address; 0 means no limit.
	SocketsPerAddress int
	Tasks             TaskStats // returns what the worker page shows about a wheel on Redis; nil means that the server does not use Redis
	OpenWheel         OpenWheel // returns a wheel whose tasks are listed and changed; nil means that tasks are not listed
	Wheels            []string  // names of the wheels on Redis; if empty, there is one wheel, with the default name
	Modules           fs.FS     // folder static of the source, whose modules and style sheets are served instead of the bundles; nil means none
}

// Server serves the page and its WebSockets.
type Server struct {
	base    string // path prefix of all routes, without a trailing slash; "" means none
	hosts   hostList
	token   *token // token that every request must have; nil means none
	secure  bool   // whether the cookie with the token is sent over TLS only
	library *session.Library
	hub     *session.Hub
	sockets sockets
	places  *places // limits the number of sockets
	answers *api.Answers
	pages   *pages.Pages
	uploads chan struct{} // semaphore with an element for each file that is received or used, except for small ones
	tasks   *taskWatches  // caches what the worker page shows

	openWheel OpenWheel
	judge     api.Judge
	timing    Timing
	modules   fs.FS
	hostAllow bool // whether clients may address the server by other hosts, as behind a proxy

	rendering *fairqueue.Queue // queue for rendering pages
	// pageWait is the maximum time that a page or a socket waits for its run to be computed. Tests change it.
	pageWait time.Duration
	log      *slog.Logger
	http     *http.Server
	addr     string
	ln       net.Listener
}

// New returns a server with the given configuration, or an error if the configuration is invalid. Call Listen
// and Serve to start the server.
func New(c Config) (*Server, error) {
	base, err := cleanBase(c.BasePath)
	if err != nil {
		return nil, err
	}
	if c.Clock == nil {
		c.Clock = clock.New()
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	places, err := newPlaces(c.Sockets, c.SocketsPerAddress)
	if err != nil {
		return nil, err
	}
	allowed, err := newHostList(c.Addr, c.HostAllow)
	if err != nil {
		return nil, err
	}
	token, err := newToken(c.Token)
	if err != nil {
		return nil, err
	}
	books := session.NewLibrary(c.Store, c.Default)
	s := &Server{base: base, hosts: allowed, token: token, secure: c.TLSProxy, library: books, sockets: sockets{open: map[*socket]struct{}{}},
		places: places, uploads: make(chan struct{}, UploadsMax),
		tasks: newTaskWatches(c.Tasks, c.Wheels), openWheel: c.OpenWheel, modules: c.Modules, hostAllow: len(c.HostAllow) > 0, rendering: briefQueue(c.Store, 1), pageWait: protocol.AnswerWait, log: c.Log, addr: c.Addr}
	s.hub = session.NewHub(session.Options{Clock: c.Clock, Library: books, Log: c.Log, Frames: briefQueue(c.Store, framesShare), Commands: briefQueue(c.Store, 1)})
	s.answers = api.NewAnswers(books)
	s.pages = pages.New(pages.Options{Base: base, Answers: s.answers, Worker: c.Tasks != nil})
	s.http = &http.Server{
		Handler:           s.routes(),
		ReadHeaderTimeout: readHeaderWait,
		ReadTimeout:       requestWait,
		WriteTimeout:      requestWait,
		IdleTimeout:       idleWait,
		MaxHeaderBytes:    HeaderBytesMax,
		ErrorLog:          slog.NewLogLogger(c.Log.Handler(), slog.LevelDebug),
	}
	return s, nil
}

// cleanBase returns base, a path prefix, without its trailing slash. It returns an error unless base is "", or
// a path that begins with a slash and needs no escaping.
func cleanBase(base string) (string, error) {
	base = strings.TrimSuffix(base, "/")
	if base == "" {
		return "", nil
	}
	if base[0] != '/' || path.Clean(base) != base || strings.ContainsAny(base, "?#%:* \"<>\\") {
		return "", fmt.Errorf("base path: %q is not a path such as /wheelscope", base)
	}
	return base, nil
}

// Listen starts listening on the configured address. If it fails, the text of the error is a single line that can
// be shown to the user.
func (s *Server) Listen() error {
	if s.addr == "" { // net would take every interface
		return errors.New("the address is empty; expected HOST:PORT, such as 127.0.0.1:8080")
	}
	ln, err := net.Listen("tcp", s.addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("address %s is in use; --addr with another port, or port 0 for a free one", s.addr)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("no permission to listen on %s; ports below 1024 are reserved", s.addr)
	case err != nil:
		return fmt.Errorf("can't listen on %s: %w", s.addr, rootCause(err))
	}
	s.ln = ln
	return nil
}

// rootCause returns the innermost error that err wraps, or err itself if it wraps none. It is used to omit the
// address, which package net adds to errors, from a message that already contains it.
func rootCause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

// URL returns the URL of the page: http://HOST:PORT followed by the base path. Listen must have succeeded.
func (s *Server) URL() string { return "http://" + s.ln.Addr().String() + s.base }

// JudgeWith makes the server judge wheels in JavaScript. It must be called before Serve.
func (s *Server) JudgeWith(j api.Judge) { s.judge = j }

// TimeWith makes the server time structures. It must be called before Serve.
func (s *Server) TimeWith(t Timing) { s.timing, s.pages.Timing = t, true }

// OnLoopback reports whether the server listens on a loopback address, in which case only this machine can reach it.
// Listen must have succeeded.
func (s *Server) OnLoopback() bool {
	addr, ok := s.ln.Addr().(*net.TCPAddr)
	return ok && addr.IP.IsLoopback()
}

// Serve accepts connections until Shutdown is called, and then returns nil. Listen must have succeeded.
func (s *Server) Serve() error { return s.ServeOn(s.ln) }

// ServeOn is like Serve but accepts connections on ln, so that Listen need not be called.
func (s *Server) ServeOn(ln net.Listener) error {
	if err := s.http.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Shutdown closes every WebSocket with status 1001 (going away) and waits for active requests to end. When
// ctx is done, it closes the remaining connections.
func (s *Server) Shutdown(ctx context.Context) error {
	s.answers.Stop()
	err := s.endSessions(ctx)
	if e := s.http.Shutdown(ctx); e != nil {
		s.http.Close()
		err = errors.Join(err, e)
	}
	s.answers.Shutdown(ctx)
	if s.ln != nil {
		s.ln.Close() // if Serve was not called
	}
	return err
}

// readMethods lists the HTTP methods of routes that change nothing.
var readMethods = []string{http.MethodGet, http.MethodHead}

// routes returns the handler of all routes, which are below the base path. The checks of guard apply to all of
// them.
func (s *Server) routes() *echo.Echo {
	e := echo.New()
	e.HTTPErrorHandler = s.answerError
	e.Pre(s.guard)
	e.Use(s.knownParameters)
	g := e.Group(s.base)
	s.routePages(g)
	g.GET("/ws", s.socket)
	g.Match(readMethods, "/static/*", s.asset)
	answers, compares := atMost(AnswersMax), atMost(ComparesMax)
	g.GET("/trace", s.trace, atMost(ExportsMax))
	g.GET("/picture", s.picture, atMost(PicturesMax))
	g.Match(readMethods, "/scenario", s.scenario, answers)
	g.POST(importPath, s.importFile, atMost(AnswersMax))
	g.POST(tryPath, s.try, atMost(api.TriesMax))
	g.POST(advisePath, s.advise, atMost(AdvisesMax))
	g.POST(estimatePath, s.estimate, atMost(AnswersMax))
	for _, k := range api.Served() {
		limit := answers
		if k.Costly {
			limit = compares
		}
		g.Match(readMethods, k.Path, s.question(&k), limit)
	}
	g.Match(readMethods, "/worker", s.workerPage, s.inTime)
	g.Match(readMethods, "/api/worker", s.workerFigures, answers)
	g.Match(readMethods, tasksPath, s.tasksPage, answers)
	g.POST(tasksPath, s.changeTask, answers)
	g.Match(readMethods, healthPath, s.health)
	if s.base != "" {
		e.Match(readMethods, healthPath, s.health) // a health check may not know the base path
		e.Match(readMethods, s.base, movedTo(s.base+"/"))
	}
	return e
}

// movedTo returns a handler that redirects to path and keeps the query of the request.
func movedTo(path string) echo.HandlerFunc {
	return func(c echo.Context) error {
		to := url.URL{Path: path, RawQuery: c.Request().URL.RawQuery}
		return c.Redirect(http.StatusPermanentRedirect, to.String())
	}
}
