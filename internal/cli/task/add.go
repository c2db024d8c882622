package task

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// addFlags holds the flags of the task add command.
type addFlags struct {
	in, timeout, every              time.Duration
	at, method, body, file, handler string // file is the value of --body-file
	cron, zone                      string
	catchUp                         bool
	headers                         []string
	attempts                        int
	ifAbsent                        bool
	lines                           string // value of --file: the name of a file with one task per line
}

func newTaskAdd(s *console.Streams, f *console.RedisFlags) *cobra.Command {
	var a addFlags
	c := &cobra.Command{
		Use:   "add KEY URL",
		Short: "Add or replace a task, or add many from a file",
		Long: fmt.Sprintf(`Add adds a task that is called when it is due: URL with --method, --header and --body,
or, with --handler instead of URL, a handler that a worker has registered. A key
has one task: adding a task with the same key replaces its time and its body.

Without --in and --at, or with a time that has passed, it is called at once. With
--if-absent an existing task with the same key, in any state, is not changed.

With --every or --cron the task is periodic: it is called again and again, until it is
removed. There is one pending run, and no two overlap. Without --in and --at the first run
is after the interval, or at the first time of --cron. Runs that were missed, because no
worker ran, are skipped; with --catch-up one is made up for. A run that fails for good is
kept as a dead task KEY@TIME, and the series continues.

With --file it adds many: each line of the file is a JSON object with "key", "url" or
"handler", and as needed "at" or "in", "method", "headers", "body" or "body_base64",
"max_attempts", "timeout", "every", "cron", "zone", "catch_up". Add stops at the first invalid line; the tasks of
the lines before it are added.

Limits: a key of %d bytes, a body of %d KiB, %d headers; times from 1970 to 9999.`,
			rediswheel.KeyMax, rediswheel.BodyMax>>10, rediswheel.HeadersMax),
		Example: `  wheelscope task add order-7 https://example.org/remind --in 30m --body '{"order":7}'
  wheelscope task add backup https://example.org/run --at 2030-01-01T03:00:00+01:00
  wheelscope task add mail-3 --handler send --body-file mail.txt
  wheelscope task add report https://example.org/report --cron "0 6 * * 1-5" --zone Europe/Berlin
  echo '{"key":"k1","url":"https://example.org/x","in":"90s"}' | wheelscope task add --file -`,
		Args: func(c *cobra.Command, args []string) error { return addArgs(c, &a, args) },
		RunE: func(c *cobra.Command, args []string) error {
			if a.lines != "" {
				return onMany(c.Context(), f, rediswheel.Options{}, func(ctx context.Context, w *rediswheel.Wheel) error {
					return addLines(ctx, s, w, &a)
				})
			}
			at, err := a.time()
			if err != nil {
				return err
			}
			task, err := a.task(c.Context(), s.In, args)
			if err != nil {
				return err
			}
			if task.Periodic() && a.at == "" && !c.Flags().Changed("in") {
				at = func(now time.Time) time.Time { return firstRun(&task, now) }
			}
			return onWheel(c.Context(), f, rediswheel.Options{}, func(ctx context.Context, w *rediswheel.Wheel) error {
				return addTask(ctx, s, w, args[0], task, at, a.ifAbsent)
			})
		},
	}
	flags := c.Flags()
	flags.DurationVar(&a.in, "in", 0, "due after `DURATION` from now, such as 90s or 2h30m")
	flags.StringVar(&a.at, "at", "", "due at `TIME`, such as 2030-01-01T03:00:00Z")
	flags.StringVar(&a.method, "method", "", "`METHOD` of the callback (default POST)")
	flags.StringArrayVar(&a.headers, "header", nil, "header field `NAME: VALUE` to send; may be repeated")
	flags.StringVar(&a.body, "body", "", "`TEXT` to send as the body")
	flags.StringVar(&a.file, "body-file", "", "`FILE` to send as the body, \"-\" for standard input")
	flags.StringVar(&a.handler, "handler", "", "call the handler `NAME` instead of a URL")
	flags.IntVar(&a.attempts, "attempts", 0, "at most `N` attempts (default: the worker's --attempts)")
	flags.DurationVar(&a.timeout, "timeout", 0, "time limit `DURATION` of one attempt (default: the worker's --callback-time)")
	flags.DurationVar(&a.every, "every", 0, "call the task again every `DURATION`, such as 1h")
	flags.StringVar(&a.cron, "cron", "", "call the task again at the times of `CRON`, such as \"0 6 * * 1-5\"")
	flags.StringVar(&a.zone, "zone", "", "time `ZONE` of --cron, such as Europe/Berlin (default UTC)")
	flags.BoolVar(&a.catchUp, "catch-up", false, "make up for one of the runs that were missed")
	flags.BoolVar(&a.ifAbsent, "if-absent", false, "do not replace an existing task with the same key")
	flags.StringVar(&a.lines, "file", "", "add the tasks in `FILE`, one JSON object per line, \"-\" for standard input")
	s.JSONFlag(c, "what was added")
	c.MarkFlagsMutuallyExclusive("in", "at")
	c.MarkFlagsMutuallyExclusive("every", "cron")
	c.MarkFlagsMutuallyExclusive("body", "body-file")
	return c
}

func addArgs(c *cobra.Command, a *addFlags, args []string) error {
	if a.lines != "" {
		return addFileArgs(c, args)
	}
	want := 2
	what := "KEY and URL"
	if a.handler != "" {
		want, what = 1, "KEY alone, beside --handler,"
	}
	if len(args) != want {
		return fmt.Errorf("add: %s expected, %s (see %s --help)", what, console.Given(args), c.CommandPath())
	}
	return nil
}

// addFileArgs returns an error if --file is combined with arguments or flags for a single task.
func addFileArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("add: expected no arguments with --file, %d given", len(args))
	}
	var err error
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Changed && f.Name != "json" && f.Name != "file" && f.Name != "if-absent" {
			err = fmt.Errorf("--%s: only for a single task, not with --file", f.Name)
		}
	})
	return err
}

// time returns a function that, given the current time, computes the task's due time.
func (a *addFlags) time() (func(now time.Time) time.Time, error) {
	if a.at == "" {
		return func(now time.Time) time.Time { return now.Add(a.in) }, nil
	}
	at, err := time.Parse(time.RFC3339, a.at)
	if err != nil {
		return nil, fmt.Errorf("--at: %q is not a time such as 2030-01-01T03:00:00Z or 2030-01-01T03:00:00+01:00", a.at)
	}
	return func(time.Time) time.Time { return at }, nil
}

// firstRun returns the first run of a periodic task after now, or now if the task is invalid.
func firstRun(task *rediswheel.Task, now time.Time) time.Time {
	if at := task.Next(now); !at.IsZero() {
		return at
	}
	return now
}

// clock returns the time of the Redis server, by which workers decide whether a task is due. This machine's
// clock may differ from it. If the user is not permitted to read the server's time, clock returns the time of
// this machine.
func clock(ctx context.Context, w *rediswheel.Wheel) (time.Time, error) {
	now, err := w.Now(ctx)
	if errors.Is(err, rediswheel.ErrAccess) {
		return time.Now(), nil
	}
	return now, err
}

// addTask adds the given task under the given key and prints the result. The function dueAt returns the due
// time, given the time of the Redis server. If ifAbsent is true, addTask does not replace an existing task.
func addTask(ctx context.Context, s *console.Streams, w *rediswheel.Wheel, key string, task rediswheel.Task, dueAt func(now time.Time) time.Time, ifAbsent bool) error {
	now, err := clock(ctx, w)
	if err != nil {
		return err
	}
	at := dueAt(now).Add(time.Millisecond - 1).Truncate(time.Millisecond) // rounded up, as in the wheel
	added := true
	if ifAbsent {
		added, err = w.AddTaskIfAbsent(ctx, key, task, at)
	} else {
		err = w.AddTask(ctx, key, task, at)
	}
	if err != nil {
		return err
	}
	if !added {
		return s.Result(console.Fields{"key": key, "added": false}, "%s already exists\n", console.Printable(key))
	}
	due := at.UTC().Format(instantLayout)
	return s.Result(console.Fields{"key": key, "added": true, "due": due}, "%s is due %s\n", console.Printable(key), due)
}

// task returns the task described by args and the flags.
func (a *addFlags) task(ctx context.Context, stdin io.Reader, args []string) (rediswheel.Task, error) {
	t := rediswheel.Task{Method: strings.ToUpper(a.method), Handler: a.handler, Body: []byte(a.body), MaxAttempts: a.attempts, Timeout: a.timeout,
		Every: a.every, Cron: a.cron, Zone: a.zone, CatchUp: a.catchUp}
	if len(args) > 1 {
		t.URL = args[1]
	}
	for _, h := range a.headers {
		name, value, ok := strings.Cut(h, ":")
		if !ok {
			return t, fmt.Errorf("--header: %q is not NAME: VALUE", h)
		}
		if t.Headers == nil {
			t.Headers = map[string]string{}
		}
		t.Headers[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	if a.file == "" {
		return t, nil
	}
	body, err := readBody(ctx, a.file, stdin)
	t.Body = body
	return t, err
}

// readBody returns the content of the named file. It returns an error if the file has more than
// rediswheel.BodyMax bytes.
func readBody(ctx context.Context, name string, stdin io.Reader) ([]byte, error) {
	in, done, err := console.Open(ctx, name, stdin)
	if err != nil {
		return nil, fmt.Errorf("--body-file: %s: %w", name, errors.Unwrap(err))
	}
	defer done()
	body, err := io.ReadAll(io.LimitReader(in, rediswheel.BodyMax+1))
	if err != nil {
		return nil, fmt.Errorf("--body-file: %s: %w", name, err)
	}
	if len(body) > rediswheel.BodyMax {
		return nil, fmt.Errorf("--body-file: %s: more than %d bytes, the maximum of a task", name, rediswheel.BodyMax)
	}
	return body, nil
}
