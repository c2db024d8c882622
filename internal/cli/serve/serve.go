// Package serve has the command that serves the page. The program also serves it if no command is given. The
// package defines the server's flags, its share of the memory, its token, and its shutdown after a signal.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/cli/input"
	"github.com/wheelscope/wheelscope/internal/cli/lab"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/web"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// Limits of the server's shutdown after a signal.
const (
	shutdownWait = 4 * time.Second         // how long the server waits for requests in progress
	grace        = 4500 * time.Millisecond // how long the process may take to exit after a signal
)

// flags holds the flags of the serve command. The program also accepts them if no command is given.
type flags struct {
	addr      string
	hostAllow []string
	sockets   int // maximum number of open pages in total
	perClient int // maximum number of open pages from one address; 0 means no limit
	token     string
	tokenFile string
	basePath  string // path below which a proxy serves the page
	tlsProxy  bool   // whether that proxy has TLS
	own       bool   // whether visitors may run wheels in JavaScript
	modules   string // folder static of the source; "" means that the bundles are served
	memory    string // maximum amount of memory, such as "2GB"; "" means the default
	redis     console.RedisFlags
}

func New(s *console.Streams) *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use:   "serve [SCENARIO]",
		Short: "Serve the page (the default command)",
		Long: `Serve serves the page and prints "listening on http://HOST:PORT" once it accepts
connections. With SCENARIO the page opens that scenario first. SIGINT and SIGTERM
end the server.

By default it listens on this machine only; see --addr. It answers only requests
for the names of this machine and those given by --host-allow, so that other sites
can't reach it through a visitor's browser. A HOST is a name or an address, with or
without a port; *.HOST allows every name below HOST. A proxy should not change the
Host header. If it does, --host-allow needs the port as well, as in
lab.example.org:443. See SECURITY.md.

If the server has a token, every request except /healthz must carry it. Open the page
once as http://HOST:PORT/?token=TOKEN, which sets a cookie, or send the token in the
header "Authorization: Bearer TOKEN". The server reads the token from --token-file or
from the environment variable WHEELSCOPE_TOKEN. With --token all users of this machine
can see it. A page that is embedded in another site, or opened by a link there, does
not get the cookie.

Scenarios may have wheels in JavaScript. The server runs them on a loopback address without
--host-allow, or with --own; each in a process with limits (SECURITY.md).

On loopback the server runs with a lower priority than other programs, such as the
browser (on Linux: niceness 10).

With --redis ADDR or the environment variable WHEELSCOPE_REDIS, the page /worker shows the
tasks and workers of wheels on Redis, and /api/worker returns them as JSON. With a token, or
on a loopback address without --host-allow, /worker/tasks lists, retries, runs and removes
tasks.

` + limits(),
		Example: `  wheelscope serve
  wheelscope serve --addr 127.0.0.1:0 heartbeats
  wheelscope serve --addr 0.0.0.0:8080 --host-allow lab.example.org
  wheelscope serve --addr 0.0.0.0:8080 --token-file token.txt
  wheelscope serve --base-path /wheelscope    behind a proxy that keeps the path`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("expected at most one SCENARIO, %d arguments given (see %s --help)", len(args), c.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: input.CompleteScenarios(1),
		RunE:              func(c *cobra.Command, args []string) error { return serve(c.Context(), s, &f, c.Flags().Changed, args) },
	}
	c.Flags().StringVar(&f.addr, "addr", "127.0.0.1:8080", "`HOST:PORT` to listen on; 0: a free port")
	c.Flags().StringSliceVar(&f.hostAllow, "host-allow", nil, "further `HOST`s under which the page may be opened")
	c.Flags().IntVar(&f.sockets, "sockets", protocol.SocketsMax, "at most `N` open pages in total")
	c.Flags().IntVar(&f.perClient, "sockets-per-address", 0, "at most `N` open pages from one address (IPv6: /64); 0: no limit")
	c.Flags().StringVar(&f.token, "token", "", "`TOKEN` that every request needs")
	c.Flags().StringVar(&f.tokenFile, "token-file", "", "`FILE` whose first line is the token")
	c.Flags().BoolVar(&f.tlsProxy, "tls-proxy", false, "send the token's cookie over the TLS of a proxy only")
	c.Flags().StringVar(&f.basePath, "base-path", "", "`PATH` under which a proxy serves the page")
	c.Flags().BoolVar(&f.own, "own", false, "run wheels in JavaScript for everybody")
	c.Flags().StringVar(&f.memory, "memory", "", "use at most `SIZE`, such as 2GB (default: half of the memory)")
	c.Flags().StringVar(&f.modules, "modules", "", "for developers: serve the modules of the page from `DIR`")
	c.Flags().StringVar(&f.redis.Addr, "redis", "", "`ADDR` of a Redis whose tasks the page /worker shows")
	c.Flags().StringVar(&f.redis.Wheel, "wheel", rediswheel.NameDefault, "`NAMES` of the wheels, such as orders,mails")
	s.JSONFlag(c, "the address")
	return c
}

func limits() string {
	return fmt.Sprintf(`Limits: %d sessions, %d open pages (--sockets), %d commands a second from each,
%d files arriving at a time. SECURITY.md lists them all; the limits of a scenario
are those of "wheelscope run --help".`,
		protocol.SessionsMax, protocol.SocketsMax, protocol.CommandsPerSecond, web.UploadsMax)
}

// config checks the flags and returns the configuration of the server. given reports whether the user has set
// the named flag.
func (f *flags) config(given func(flag string) bool, log *slog.Logger) (web.Config, error) {
	switch {
	case given("host-allow") && len(f.hostAllow) == 0:
		return web.Config{}, errors.New(`--host-allow: "" can never match; expected HOST or HOST:PORT, such as lab.example.org`)
	case f.sockets < 1:
		return web.Config{}, fmt.Errorf("--sockets: %d is not 1 or more", f.sockets)
	case f.perClient < 0:
		return web.Config{}, fmt.Errorf("--sockets-per-address: %d is not 0 or more", f.perClient)
	}
	token, err := f.tokenText(given)
	return web.Config{Addr: f.addr, HostAllow: f.hostAllow, BasePath: f.basePath, TLSProxy: f.tlsProxy, Token: token, Sockets: f.sockets, SocketsPerAddress: f.perClient, Log: log}, err
}

// serve runs the server until ctx is done. args contains at most one element, the scenario that the page
// shows by default. given reports whether the user has set the named flag.
func serve(ctx context.Context, s *console.Streams, f *flags, given func(flag string) bool, args []string) error {
	config, err := f.config(given, slog.New(slog.NewTextHandler(s.Err, &slog.HandlerOptions{Level: slog.LevelWarn})))
	if err != nil {
		return err
	}
	if f.modules != "" {
		config.Modules = os.DirFS(f.modules)
		if _, err := fs.Stat(config.Modules, "js/entry/main.js"); err != nil {
			return fmt.Errorf("--modules: %w; expected the folder static of the source", err)
		}
	}
	if len(args) == 1 {
		p, err := input.Load(ctx, args[0], s.In)
		if err != nil {
			return err
		}
		config.Default = p
	}
	memory, err := f.budget()
	if err != nil {
		return err
	}
	go collectUnused(ctx, memory)
	config.Store = sim.NewStore(sim.StoreOptions{Memory: memory})
	defer config.Store.Close()
	tasks, openWheel, done := taskStats(&f.redis)
	defer done()
	config.Tasks, config.OpenWheel = tasks, openWheel
	if config.Wheels, err = wheelNames(f.redis.Wheel); err != nil {
		return err
	}
	server, err := web.New(config)
	if err != nil {
		return err
	}
	if err := server.Listen(); err != nil {
		return err
	}
	if server.OnLoopback() {
		lowerPriority()
		server.TimeWith(lab.TimeStructures)
	}
	if f.own || server.OnLoopback() && len(f.hostAllow) == 0 {
		server.JudgeWith(lab.JudgeScript)
	} else {
		defer engine.RecordOwnWith(engine.RefuseOwn)()
	}
	s.SetGrace(grace)
	if err := s.Result(console.Fields{"listening": server.URL()}, "listening on %s\n", console.Printable(server.URL())); err != nil {
		server.Shutdown(ctx)
		return fmt.Errorf("standard output: the address can't be written: %w", err) // the caller could not learn the address
	}
	return serveUntil(ctx, server)
}

// serveUntil serves until ctx is done, and then waits up to shutdownWait for the server to shut down.
func serveUntil(ctx context.Context, server *web.Server) error {
	served := make(chan error, 1)
	go func() { served <- server.Serve() }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), shutdownWait)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		return fmt.Errorf("shutting down: %w", err)
	}
	return <-served
}
