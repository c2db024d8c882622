package task

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

func newTaskExport(s *console.Streams, f *console.RedisFlags) *cobra.Command {
	var filter filterFlags
	var credentials bool
	c := &cobra.Command{
		Use:   "export",
		Short: "Write tasks as JSON lines",
		Long: `Export writes tasks to standard output, one JSON object per line, for "wheelscope task
import". Without --state it writes the tasks of all states: waiting, in-flight, retrying,
dead. A task that changes its state during the export may be missing or be written
twice. For an exact copy, pause the wheel first.

User names and passwords in URLs are left out unless --credentials is given. Import
rejects a line from which they were left out.`,
		Example: `  wheelscope task export --credentials >tasks.jsonl
  wheelscope task export --state dead --error "answered 500"`,
		Args: console.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			return onMany(c.Context(), f, existing, func(ctx context.Context, w *rediswheel.Wheel) error {
				out := bufio.NewWriterSize(s.Out, 64<<10)
				return errors.Join(exportTasks(ctx, w, &filter, credentials, out), out.Flush())
			})
		},
	}
	filter.register(c, "")
	c.Flags().Lookup("state").Usage = "only tasks in `STATE`"
	s.JSONFlag(c, "tasks (they always are)")
	c.Flags().BoolVar(&credentials, "credentials", false, "include user names and passwords in URLs")
	return c
}

func exportTasks(ctx context.Context, w *rediswheel.Wheel, filter *filterFlags, credentials bool, out io.Writer) error {
	states := rediswheel.States
	if filter.state != "" {
		states = []rediswheel.State{rediswheel.State(filter.state)}
	}
	for _, state := range states {
		q := filter.query()
		q.State = state
		for info, err := range w.Tasks(ctx, q) {
			if err != nil {
				return err
			}
			if err := writeTaskLine(out, &info, credentials); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeTaskLine(out io.Writer, info *rediswheel.Info, credentials bool) error {
	if info.Err != nil {
		return fmt.Errorf("task %q: %w", info.Key, info.Err)
	}
	l := storedLine{callLine: newCallLine(info.Key, &info.Task), State: info.State, Due: info.Due, At: info.At,
		Attempts: info.Attempts, Reason: info.Reason}
	if shown := rediswheel.RedactURL(l.URL); !credentials && shown != l.URL {
		l.URL, l.Redacted = shown, true
	}
	if err := json.MarshalWrite(out, &l, json.Deterministic(true)); err != nil {
		return err
	}
	_, err := out.Write([]byte("\n"))
	return err
}

func newTaskImport(s *console.Streams, f *console.RedisFlags) *cobra.Command {
	var replace bool
	c := &cobra.Command{
		Use:   "import FILE",
		Short: "Add the tasks written by export",
		Long: `Import adds the tasks in a file written by "wheelscope task export", or "-" for standard
input. Each task keeps its state: a waiting task keeps its due time, and a dead one stays
dead. A task that was in flight is due at once. An existing task with the same key is not
changed unless --replace is given. Import stops at the first invalid line; the tasks of
the lines before it are added.`,
		Example: "  wheelscope task import tasks.jsonl --redis 10.0.0.5:6379",
		Args:    console.ExactlyOne("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			return onMany(c.Context(), f, rediswheel.Options{}, func(ctx context.Context, w *rediswheel.Wheel) error {
				b := w.NewBulk(ctx, rediswheel.BulkOptions{IfAbsent: !replace})
				err := readTaskLines(ctx, args[0], s.In, func(l *storedLine) error { return l.restoreTo(b) })
				return closeBulk(s, b, err)
			})
		},
	}
	s.JSONFlag(c, "how many were added")
	c.Flags().BoolVar(&replace, "replace", false, "replace existing tasks with the same keys")
	return c
}

// addLines adds the tasks in the file given by the --file flag.
func addLines(ctx context.Context, s *console.Streams, w *rediswheel.Wheel, a *addFlags) error {
	now, err := clock(ctx, w)
	if err != nil {
		return err
	}
	b := w.NewBulk(ctx, rediswheel.BulkOptions{IfAbsent: a.ifAbsent})
	err = readTaskLines(ctx, a.lines, s.In, func(l *addLine) error { return l.addTo(b, now) })
	return closeBulk(s, b, err)
}

// closeBulk closes b and prints how many tasks were added and how many already existed. errRead is the error
// from reading the task file. If it is not nil, or closing b fails, closeBulk instead returns an error that
// contains the number of tasks added.
func closeBulk(s *console.Streams, b *rediswheel.Bulk, errRead error) error {
	added, present, err := b.Close()
	err = cmp.Or(err, errRead)
	if err != nil {
		return fmt.Errorf("%w (%d tasks were added before)", err, added)
	}
	there := ""
	if present > 0 {
		there = fmt.Sprintf(", %d were there already", present)
	}
	return s.Result(console.Fields{"added": added, "present": present}, "%d added%s\n", added, there)
}
