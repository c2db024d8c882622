package cli

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web"
	"github.com/wheelscope/wheelscope/wheel/redis"
)

// Bounds of a server's end after a signal.
const (
	shutdownWait = 4 * time.Second         // requests under way may take so long to end
	serveGrace   = 4500 * time.Millisecond // then the process ends, whatever is still computed
)

// serveFlags are the flags of serve, and of the program without a command.
type serveFlags struct {
	addr      string
	hostAllow []string
	basePath  string
	redis     redisFlags
}

func newServe(s *streams) *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve [SCENARIO]",
		Short: "Serve the page (what happens without a command, too)",
		Long: `Serve serves the page and prints "listening on http://HOST:PORT" once it accepts
connections. With SCENARIO the page begins with that one. SIGINT and SIGTERM end
it.

It listens on this machine only, unless --addr says otherwise, and answers only
under the names of this machine and those of --host-allow: other sites can't
reach it through a visitor's browser. On loopback it gives way to the programs
beside it, such as the browser (Linux: niceness 10).

The page /worker shows the tasks of a wheel on Redis, with --redis ADDR.

` + serveLimits(),
		Example: `  wheelscope serve
  wheelscope serve --addr 127.0.0.1:0 heartbeats
  wheelscope serve --addr 0.0.0.0:8080 --host-allow lab.example.org
  wheelscope serve --base-path /wheelscope    behind a proxy that keeps the path`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("at most one SCENARIO, %d arguments given (%s --help tells more)", len(args), c.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: completeScenarios(1),
		RunE:              func(c *cobra.Command, args []string) error { return s.serve(c.Context(), &f, args) },
	}
	c.Flags().StringVar(&f.addr, "addr", "127.0.0.1:8080", "`HOST:PORT` to listen on; port 0 takes a free one")
	c.Flags().StringSliceVar(&f.hostAllow, "host-allow", nil, "further `HOST`s under which the page may be opened")
	c.Flags().StringVar(&f.basePath, "base-path", "", "`PATH` under which a proxy serves the page")
	c.Flags().StringVar(&f.redis.addr, "redis", "", "`ADDR` of a Redis whose tasks the page /worker shows")
	c.Flags().StringVar(&f.redis.wheel, "wheel", redis.NameDefault, "`NAME` of the wheel there")
	return c
}

func serveLimits() string {
	return fmt.Sprintf(`Limits: %d sessions, %d viewers of one, %d commands a second from each; the
limits of a scenario are those of "wheelscope run --help".`,
		web.SessionsMax, web.SocketsMax, web.CommandsPerSecond)
}

// serve runs the server until ctx is done.
func (s *streams) serve(ctx context.Context, f *serveFlags, args []string) error {
	config := web.Config{Addr: f.addr, HostAllow: f.hostAllow, BasePath: f.basePath,
		Log: slog.New(slog.NewTextHandler(s.err, &slog.HandlerOptions{Level: slog.LevelWarn}))}
	if len(args) == 1 {
		p, err := loadScenario(ctx, args[0], s.in)
		if err != nil {
			return err
		}
		config.Default = p
	}
	config.Store = sim.NewStore(sim.StoreOptions{})
	defer config.Store.Close()
	tasks, done := f.redis.taskStats()
	defer done()
	config.Tasks = tasks
	server, err := web.New(config)
	if err != nil {
		return err
	}
	if err := server.Listen(); err != nil {
		return err
	}
	if server.OnLoopback() {
		giveWay()
	}
	s.grace.Store(int64(serveGrace))
	fmt.Fprintf(s.out, "listening on %s\n", server.URL())
	return serveUntil(ctx, server)
}

// serveUntil serves until ctx is done, and then lets the server shut down.
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
