package task

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"

	"github.com/alicebob/miniredis/v2"
	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/worker"
)

// workerFlags holds the flags of the worker command.
type workerFlags struct {
	console.RedisFlags
	embedded bool     // whether to start a Redis server in this process
	shards   int      // number of shards of the wheel if the command creates it; 0 means the default
	format   string   // value of --log-format: "text" or "json"
	nets     []string // values of --allow-net
	o        worker.Options

	receivers receiverFlags
	metrics   string // value of --metrics: address of the metrics server; "" means none
}

func newWorker(s *console.Streams) *cobra.Command {
	var f workerFlags
	c := &cobra.Command{
		Use:   "worker",
		Short: "Deliver the delayed tasks on Redis",
		Long: fmt.Sprintf(`Worker delivers the tasks of a wheel on Redis, each when it is due, never early, and at
least once. Any number of workers may share a wheel. A worker claims a task for a lease,
which it extends. If the worker dies, another one takes the task over after the lease.

A callback succeeds with a status of 200 to 299. Otherwise it is retried after growing
waits and given up after --attempts, by default after about a day. The task is then dead
and kept with the reason ("wheelscope task list --state dead", "wheelscope task retry"). If
there are more than --dead-max dead tasks, the oldest are deleted, logged as an error and
counted. A redirect is followed only if method and body remain the same (307 and 308; any
redirect of a GET or HEAD without a body). Any other redirect is a failure, since the
target would not receive the task. A task for a handler waits for a worker that has it.

If a receiver answers a task with 410, or another --permanent-status, the task is not
called again. If it answers with Retry-After, the task is not called sooner. Each callback
has the header fields Wheelscope-Key, Wheelscope-Attempt and Wheelscope-Due. The key is the
same in every attempt, so that a receiver can recognise a repetition. With
--sign-secret-file callbacks are signed (see docs/operating.md).

Since a task's URL is user input, a worker does not call private or link-local addresses
or this machine, unless --allow-private or --allow-net permits it. Another worker may call
them. A task that all workers refuse is given up after some hours.

A receiver gets at most half of the callbacks at a time, or --per-host. A receiver that
gives no answer is tried with one callback at a time, and its other tasks are put back
without counting an attempt.

SIGINT and SIGTERM end the worker. It waits up to --grace for running callbacks, returns
the other tasks, and exits at most a second later. Failures are logged to standard error:
for each outcome one line at once, then at most one every 10 s with the number since.

With --embedded the worker starts its own Redis on loopback, for trying it out. That Redis
is empty at the start, and its data is lost at the end.

Limits: at most %d callbacks at a time and %d attempts; a lease of at least %v.

`, worker.ConcurrencyMax, rediswheel.AttemptsMax, worker.LeaseMin) + console.RedisHelp,
		Example: `  wheelscope worker --embedded --allow-private
  wheelscope worker --redis redis://:secret@10.0.0.5:6379/0 --concurrency 200`,
		Args: console.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			err := f.check(c)
			if err == nil {
				err = work(c.Context(), s, &f)
			}
			if err != nil && f.format == "json" {
				slog.New(slog.NewJSONHandler(s.Err, nil)).Error(console.OneLine(err.Error()))
				return console.ErrReported
			}
			return err
		},
	}
	f.Register(c)
	flags := c.Flags()
	flags.BoolVar(&f.embedded, "embedded", false, "start a Redis in this process, at --redis")
	flags.IntVar(&f.shards, "shards", 0, "create a new wheel with `N` shards, to spread it over a cluster (default 16)")
	flags.IntVar(&f.o.Concurrency, "concurrency", worker.ConcurrencyDefault, "at most `N` callbacks at a time")
	flags.DurationVar(&f.o.Lease, "lease", worker.LeaseDefault, "`DURATION` after which a dead worker's tasks are taken over")
	flags.DurationVar(&f.o.CallbackTime, "callback-time", worker.CallbackTimeDefault, "time limit `DURATION` of one callback")
	flags.IntVar(&f.o.Attempts, "attempts", worker.AttemptsDefault, "a task is dead after `N` attempts")
	flags.DurationVar(&f.o.Retry, "retry", worker.RetryDefault, "wait about `DURATION` before the second attempt, and twice as long before each further one")
	flags.DurationVar(&f.o.RetryMax, "retry-max", worker.RetryMaxDefault, "wait at most `DURATION` between attempts")
	flags.Int64Var(&f.o.DeadMax, "dead-max", worker.DeadMaxDefault, "keep the newest `N` dead tasks; 0: all")
	flags.IntVar(&f.o.Redirects, "redirects", worker.RedirectsDefault, "follow at most `N` redirects of a callback")
	flags.DurationVar(&f.o.Grace, "grace", worker.GraceDefault, "wait up to `DURATION` for running callbacks at the end")
	flags.IntVar(&f.o.PerHost, "per-host", 0, "at most `N` callbacks of one receiver at a time (default: half of --concurrency)")
	flags.StringArrayVar(&f.nets, "allow-net", nil, "also call addresses of the network `CIDR`, such as 10.1.0.0/16; may be repeated")
	flags.StringVar(&f.format, "log-format", "text", "`FORMAT` of the log: text, or json for everything that the worker prints")
	f.receivers.register(c)
	s.JSONFlag(c, "where it works, and its totals at the end,")
	flags.StringVar(&f.metrics, "metrics", "", "serve /metrics for Prometheus, /healthz and /readyz at `HOST:PORT`")
	flags.BoolVar(&f.o.AllowPrivate, "allow-private", false, "also call private, link-local and loopback addresses")
	return c
}

// check returns an error that names the flag if a value is invalid. It needs no Redis.
func (f *workerFlags) check(c *cobra.Command) error {
	for _, name := range []string{"concurrency", "attempts", "lease", "callback-time", "retry", "retry-max", "grace"} {
		if v := c.Flag(name).Value.String(); v == "0" || v == "0s" { // which the library takes for the default
			return fmt.Errorf("--%s: %s, expected more than 0", name, v)
		}
	}
	if c.Flag("shards").Changed {
		if err := checkShards(f.shards); err != nil {
			return err
		}
	}
	err := f.o.Check()
	if err == nil {
		return nil
	}
	text := strings.TrimPrefix(err.Error(), rediswheel.ErrInput.Error()+": ")
	if name, _, _ := strings.Cut(text, ":"); c.Flags().Lookup(name) != nil {
		return errors.New("--" + text)
	}
	return err
}

// checkShards returns an error if shards is not a valid value of --shards.
func checkShards(shards int) error {
	if shards < 1 || shards > rediswheel.ShardsMax {
		return fmt.Errorf("--shards: %d, expected 1 to %d", shards, rediswheel.ShardsMax)
	}
	return nil
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
			return fmt.Errorf("--embedded: %w (--redis HOST:PORT sets its address; port 0 selects a free one)", err)
		}
		defer m.Close()
		f.Addr = m.Addr()
	}
	w, done, err := openWhenReady(ctx, &f.RedisFlags, rediswheel.Options{Shards: f.shards, Log: f.o.Log})
	if err != nil {
		return err
	}
	defer done()
	if f.o.Redirects == 0 {
		f.o.Redirects = -1 // for the library, -1 means none and 0 the default
	}
	if f.o.DeadMax == 0 {
		f.o.DeadMax = -1 // for the library, -1 means all and 0 the default
	}
	wk, err := worker.New(w, f.o)
	if err != nil {
		return err
	}
	s.SetGrace(-1) // wk.Run ends within --grace; a second signal ends it at once
	if err := s.Result(console.Fields{"wheel": w.Name(), "redis": w.Addr(), "shards": w.Shards()},
		"working on wheel %q of Redis at %s (shards: %d)\n", w.Name(), console.Printable(w.Addr()), w.Shards()); err != nil {
		return err
	}
	if f.metrics != "" {
		stop, err := serveMetrics(s, f.o.Log, f.metrics, w, wk)
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

// readWorkerFlags sets f.o.AllowNets from the values of the --allow-net flag, and f.o.Log from the value of
// --log-format.
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
		s.JSON = true
	default:
		return fmt.Errorf("--log-format: %.80q, expected text or json", f.format)
	}
	return nil
}
