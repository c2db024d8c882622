package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/wheel/redis"
)

// taskRow is a task as --json prints it. A body that is no text is in base64, and so is a key,
// beside what can be shown of it.
type taskRow struct {
	Key      string            `json:"key"`
	KeyBytes []byte            `json:"key_base64,omitempty"`
	State    redis.State       `json:"state"`
	Due      time.Time         `json:"due"`
	At       time.Time         `json:"at"`
	Attempts int               `json:"attempts"`
	Reason   string            `json:"reason,omitempty"`
	URL      string            `json:"url,omitempty"`
	Method   string            `json:"method,omitempty"`
	Headers  map[string]string `json:"headers,omitempty"`
	Handler  string            `json:"handler,omitempty"`
	Body     string            `json:"body,omitempty"`
	Base64   []byte            `json:"body_base64,omitempty"`
	Error    string            `json:"error,omitempty"`
}

func newTaskRow(i redis.Info) taskRow {
	t := i.Task
	r := taskRow{Key: i.Key, State: i.State, Due: i.Due, At: i.At, Attempts: i.Attempts, Reason: i.Reason,
		URL: t.URL, Method: t.Method, Headers: t.Headers, Handler: t.Handler}
	if i.Err != nil {
		r.Error = i.Err.Error()
	}
	if !utf8.ValidString(i.Key) {
		r.KeyBytes = []byte(i.Key)
	}
	if utf8.Valid(t.Body) {
		r.Body = string(t.Body)
	} else {
		r.Base64 = t.Body
	}
	return r
}

func newTaskGet(s *streams, f *redisFlags) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "get KEY",
		Short: "Show a task and where it stands",
		Long: `Get shows a task: its state, when it is due, how often it was tried and why that
failed, and what is called. One that was delivered is gone, as if it had never been.`,
		Example: "  wheelscope task get order-7 --json",
		Args:    func(c *cobra.Command, args []string) error { return exactlyOne(c, args, "KEY") },
		RunE: func(c *cobra.Command, args []string) error {
			return f.onWheel(c.Context(), redis.Options{Existing: true}, func(ctx context.Context, w *redis.Wheel) error {
				return s.getTask(ctx, w, args[0], asJSON)
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON, with headers and body")
	return c
}

func (s *streams) getTask(ctx context.Context, w *redis.Wheel, key string, asJSON bool) error {
	info, ok, err := w.Get(ctx, key)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("no task %q (one that was delivered is gone)", key)
	}
	if asJSON {
		return writeJSON(s.out, newTaskRow(info))
	}
	return s.printTasks([]redis.Info{info})
}

// listFlags are the flags of task list.
type listFlags struct {
	state, from, after string
	limit              int
	asJSON             bool
}

func newTaskList(s *streams, f *redisFlags) *cobra.Command {
	var l listFlags
	c := &cobra.Command{
		Use:   "list",
		Short: "List tasks of a state by their time",
		Long: `List lists tasks of one state, the earliest first: waiting by when they are due, retrying
by their next attempt, in-flight by when their lease lapses, dead by when they
were given up; those of one instant by key. --from and --after, the last row's time and
key, continue a list where it ended.`,
		Example: `  wheelscope task list
  wheelscope task list --state dead --json
  wheelscope task list --from 2030-01-01T00:00:00Z --after order-7 --limit 1000`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			at, err := l.time()
			if err != nil {
				return err
			}
			return f.onWheel(c.Context(), redis.Options{Existing: true}, func(ctx context.Context, w *redis.Wheel) error {
				list, err := l.ask(ctx, w, at)
				if err != nil {
					return err
				}
				return s.listTasks(list, l.asJSON)
			})
		},
	}
	c.Flags().StringVar(&l.state, "state", string(redis.Waiting), "`STATE`: "+strings.Join(stateNames(), ", "))
	c.Flags().StringVar(&l.from, "from", "", "begin at `TIME`, such as 2030-01-01T00:00:00Z")
	c.Flags().StringVar(&l.after, "after", "", "of the tasks at --from leave out those up to `KEY`")
	c.Flags().IntVar(&l.limit, "limit", 50, "list `N` tasks at most, up to "+strconv.Itoa(redis.ListMax))
	c.Flags().BoolVar(&l.asJSON, "json", false, "as JSON, with headers and bodies")
	c.RegisterFlagCompletionFunc("state", cobra.FixedCompletions(stateNames(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// time is where the list begins; the zero time is before all tasks.
func (l *listFlags) time() (at time.Time, err error) {
	if l.from == "" {
		if l.after != "" {
			err = errors.New("--after: it continues at a time, which --from gives")
		}
		return at, err
	}
	if at, err = time.Parse(time.RFC3339, l.from); err != nil {
		err = fmt.Errorf("--from: %q is no time such as 2030-01-01T00:00:00Z", l.from)
	}
	return at, err
}

func (l *listFlags) ask(ctx context.Context, w *redis.Wheel, at time.Time) ([]redis.Info, error) {
	if l.after != "" {
		return w.ListAfter(ctx, redis.State(l.state), at, l.after, l.limit)
	}
	return w.List(ctx, redis.State(l.state), at, l.limit)
}

func stateNames() []string {
	var names []string
	for _, state := range redis.States {
		names = append(names, string(state))
	}
	return names
}

func (s *streams) listTasks(list []redis.Info, asJSON bool) error {
	if !asJSON {
		return s.printTasks(list)
	}
	rows := []taskRow{}
	for _, info := range list {
		rows = append(rows, newTaskRow(info))
	}
	return writeJSON(s.out, rows)
}

// instantLayout is RFC 3339 to the ms, the grain in which the wheel keeps time.
const instantLayout = "2006-01-02T15:04:05.000Z07:00"

// targetMax is how much of a URL or a reason a row of the table shows, in bytes.
const targetMax = 80

// printTasks prints a table: a row a task.
func (s *streams) printTasks(list []redis.Info) error {
	var rows [][]string
	for _, i := range list {
		method := i.Task.Method
		if i.Task.Handler == "" && i.Err == nil {
			method = cmp.Or(method, "POST")
		}
		target := strings.TrimSpace(method + " " + cmp.Or(i.Task.URL, i.Task.Handler))
		if i.Err != nil {
			target = i.Err.Error()
		}
		rows = append(rows, []string{quoteIfNeeded(i.Key), string(i.State), i.At.Format(instantLayout),
			strconv.Itoa(i.Attempts), cut(target), cut(i.Reason)})
	}
	return writeTable(s.out, slices.Clone(taskColumns), rows)
}

var taskColumns = []string{"key", "state", "at", "attempts", "calls", "reason"}

// quoteIfNeeded keeps a key's line breaks and blanks from breaking the table.
func quoteIfNeeded(key string) string {
	if quoted := strconv.Quote(key); quoted != `"`+key+`"` || strings.Contains(key, " ") {
		return quoted
	}
	return key
}

// cut makes a target or a reason fit in a row.
func cut(text string) string {
	if len(text) <= targetMax {
		return text
	}
	return strings.ToValidUTF8(text[:targetMax], "") + "…"
}
