package task

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"

	"github.com/alicebob/miniredis/v2"
	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/cli/redisflag"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/worker"
)

// workerFlags holds the flags of the command worker.
type workerFlags struct {
	redisflag.Flags
	embedded bool
	shards   int
	format   string   // of the log
	nets     []string // of --allow-net
	o        worker.Options

	receivers receiverFlags
	metrics   string // address of the metrics server
}

func newWorker(s *console.Streams) *cobra.Command {
	var f workerFlags
	c := &cobra.Command{
		Use:   "worker",
		Short: "Deliver the delayed tasks on Redis",
		Long: fmt.Sprintf(`Worker calls back the tasks of a wheel on Redis, each at its time, never early, at
least once; any number of workers may share a wheel. A task is claimed for a lease,
which the worker keeps up; if the worker dies another takes it over. A callback
succeeds with a status of 200 to 299; else it is tried again after growing waits,
and given up after --attempts, by default after about a day. It is then kept as dead,
with the reason ("wheelscope task list --state dead", "wheelscope task retry"). If there
are more than --dead-max of them, the oldest are deleted: an error line reports it, and
it is counted. A redirect is followed where it keeps method and body (307, 308; for GET and
HEAD without a body any); another is a failure: the task would not be delivered.
Tasks with a handler's name wait for a worker that has it.

A receiver that answers 410, or another --permanent-status, is not called again. One
that answers with Retry-After is called no sooner. Each callback has the fields
Wheelscope-Key, the task's key, the same in every attempt and so what a receiver knows
a repetition by, Wheelscope-Attempt and Wheelscope-Due. With --sign-secret-file callbacks
are signed (docs/operating.md).

A callback is refused if its name leads to an address that is private, link-local or
this machine's own, unless --allow-private, or --allow-net with its network, is given:
a task's URL is a user's input. Another worker may call it; a task that all workers
refuse is given up after some hours.

One receiver has at most 7/8 of the callbacks at a time; a quarter if it is slow or
fails while others are called. One that gives no answer is tried by one callback at a
time, and its other tasks are put back without counting an attempt. --per-host sets a
fixed number.

SIGINT and SIGTERM end it: it finishes what is under way, for up to --grace, gives
back the rest, and exits at most a second later. What it does not deliver is logged on
standard error: one line for each cause at once, then one every 10 s with their number.

With --embedded it brings its own Redis, to try it: on loopback, empty, gone at the end.

Limits: %d callbacks at a time, %d attempts, %d redirects; a lease of %v or longer.

`, worker.ConcurrencyMax, rediswheel.AttemptsMax, worker.RedirectsMax, worker.LeaseMin) + redisflag.Help,
		Example: `  wheelscope worker --embedded --allow-private
  wheelscope worker --redis redis://:secret@10.0.0.5:6379/0 --concurrency 200`,
		Args: console.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error { return work(c.Context(), s, &f) },
	}
	f.Register(c)
	flags := c.Flags()
	flags.BoolVar(&f.embedded, "embedded", false, "start a Redis in this process, at --redis")
	flags.IntVar(&f.shards, "shards", 0, "make a new wheel of `N` shards, to spread it over a cluster (default 1)")
	flags.IntVar(&f.o.Concurrency, "concurrency", worker.ConcurrencyDefault, "`N` callbacks at a time")
	flags.DurationVar(&f.o.Lease, "lease", worker.LeaseDefault, "`DURATION` after which a dead worker's tasks are taken over")
	flags.DurationVar(&f.o.CallbackTime, "callback-time", worker.CallbackTimeDefault, "`DURATION` that one callback may take")
	flags.IntVar(&f.o.Attempts, "attempts", worker.AttemptsDefault, "give a task up after `N` attempts")
	flags.DurationVar(&f.o.Retry, "retry", worker.RetryDefault, "wait about `DURATION` before the second attempt, doubled with each")
	flags.DurationVar(&f.o.RetryMax, "retry-max", worker.RetryMaxDefault, "wait at most `DURATION` between attempts")
	flags.Int64Var(&f.o.DeadMax, "dead-max", worker.DeadMaxDefault, "keep `N` dead tasks, the newest; 0: all")
	flags.IntVar(&f.o.Redirects, "redirects", worker.RedirectsDefault, "follow `N` redirects of a callback at most")
	flags.DurationVar(&f.o.Grace, "grace", worker.GraceDefault, "`DURATION` for callbacks under way at the end")
	flags.IntVar(&f.o.PerHost, "per-host", 0, "at most `N` callbacks of one receiver at a time (default as above)")
	flags.StringArrayVar(&f.nets, "allow-net", nil, "call addresses of the network `CIDR` too, such as 10.1.0.0/16; may be repeated")
	flags.StringVar(&f.format, "log-format", "text", "`FORMAT` of the log: text or json")
	f.receivers.register(c)
	s.JSONFlag(c, "where it works, and its totals at the end,")
	flags.StringVar(&f.metrics, "metrics", "", "serve /metrics for Prometheus, /healthz and /readyz at `HOST:PORT`")
	flags.BoolVar(&f.o.AllowPrivate, "allow-private", false, "call private, link-local and loopback addresses too")
	return c
}

// work delivers tasks until ctx is done.
func work(ctx context.Context, s *console.Streams, f *workerFlags) error {
	if err := readWorkerFlags(s, f); err != nil {
		return err
	}
	if err := f.receivers.read(&f.o); err != nil {
		return err
	}
	if f.embedded {
		m := miniredis.NewMiniRedis()
		if err := m.StartAddr(f.Address()); err != nil {
			return fmt.Errorf("--embedded: %w (--redis HOST:PORT says where; port 0 takes a free one)", err)
		}
		defer m.Close()
		f.Addr = m.Addr()
	}
	w, done, err := openWhenReady(ctx, &f.Flags, rediswheel.Options{Shards: f.shards, Log: f.o.Log})
	if err != nil {
		return err
	}
	defer done()
	if f.o.Redirects == 0 {
		f.o.Redirects = -1 // -1 means none to the library
	}
	if f.o.DeadMax == 0 {
		f.o.DeadMax = -1 // -1 means all to the library
	}
	wk, err := worker.New(w, f.o)
	if err != nil {
		return err
	}
	s.SetGrace(-1) // wk.Run ends within --grace; a second signal ends it at once
	if err := s.Result(console.Fields{"wheel": w.Name(), "redis": w.Addr(), "shards": len(w.Shards())},
		"working on wheel %q of Redis at %s (shards: %d)\n", w.Name(), console.Printable(w.Addr()), len(w.Shards())); err != nil {
		return err
	}
	if f.metrics != "" {
		stop, err := serveMetrics(s, f.metrics, w, wk)
		if err != nil {
			return err
		}
		defer stop()
	}
	if err := wk.Run(ctx); err != nil {
		return err
	}
	t := wk.Totals()
	return s.Result(console.Fields{"calls": t.Calls, "delivered": t.Done, "failed": t.Failed}, "stopped: %d calls, %d delivered, %d not\n", t.Calls, t.Done, t.Failed)
}

// readWorkerFlags parses the values of flags that have no type of their own.
func readWorkerFlags(s *console.Streams, f *workerFlags) error {
	for _, text := range f.nets {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return fmt.Errorf("--allow-net: %.80q, expected a network such as 10.1.0.0/16 or fd00::/8", text)
		}
		f.o.AllowNets = append(f.o.AllowNets, p)
	}
	switch f.format {
	case "text":
		f.o.Log = slog.New(slog.NewTextHandler(s.Err, nil))
	case "json":
		f.o.Log = slog.New(slog.NewJSONHandler(s.Err, nil))
	default:
		return fmt.Errorf("--log-format: %.80q, expected text or json", f.format)
	}
	return nil
}
