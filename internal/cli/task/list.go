package task

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// taskRow is a task as printed with --json. If the body of the task is valid UTF-8, Body holds it; otherwise
// Base64 holds it. Key always holds the key, and KeyBytes holds it, too, if it is not valid UTF-8.
type taskRow struct {
	Key      string            `json:"key"`
	KeyBytes []byte            `json:"key_base64,omitempty"`
	State    rediswheel.State  `json:"state"`
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

	MaxAttempts int    `json:"max_attempts,omitempty"`
	Timeout     string `json:"timeout,omitempty"`
	Every       string `json:"every,omitempty"`
	Cron        string `json:"cron,omitempty"`
	Zone        string `json:"zone,omitempty"`
	CatchUp     bool   `json:"catch_up,omitempty"`
}

func newTaskRow(i *rediswheel.Info) taskRow {
	l := newCallLine(i.Key, &i.Task)
	r := taskRow{Key: i.Key, KeyBytes: l.KeyBytes, State: i.State, Due: i.Due, At: i.At, Attempts: i.Attempts, Reason: i.Reason,
		URL: rediswheel.RedactURL(l.URL), Method: l.Method, Headers: l.Headers, Handler: l.Handler, Body: l.Body, Base64: l.Base64,
		MaxAttempts: l.MaxAttempts, Timeout: l.Timeout, Every: l.Every, Cron: l.Cron, Zone: l.Zone, CatchUp: l.CatchUp}
	if i.Err != nil {
		r.Error = i.Err.Error()
	}
	return r
}

func newTaskGet(s *console.Streams, f *console.RedisFlags) *cobra.Command {
	c := &cobra.Command{
		Use:   "get KEY",
		Short: "Show a task and its state",
		Long: `Get shows a task: its state, its due time, the number of attempts, the reason of the last
failure, and the URL or handler. A delivered task no longer exists.`,
		Example: "  wheelscope task get order-7 --json",
		Args:    console.ExactlyOne("KEY"),
		RunE: func(c *cobra.Command, args []string) error {
			return onWheel(c.Context(), f, existing, func(ctx context.Context, w *rediswheel.Wheel) error {
				return getTask(ctx, s, w, args[0])
			})
		},
	}
	c.Flags().BoolVar(&s.JSON, "json", false, "as JSON, with headers and body")
	return c
}

func getTask(ctx context.Context, s *console.Streams, w *rediswheel.Wheel, key string) error {
	info, ok, err := w.Get(ctx, key)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("no task %q (a delivered task is deleted)", key)
	}
	if s.JSON {
		return console.WriteJSON(s.Out, newTaskRow(&info))
	}
	return printTasks(s, []rediswheel.Info{info}, &console.TableFlags{})
}

// listFlags holds the flags of the task list command.
type listFlags struct {
	filter              filterFlags
	from, after, cursor string
	limit               int
	shape               console.TableFlags
}

func newTaskList(s *console.Streams, f *console.RedisFlags) *cobra.Command {
	var l listFlags
	c := &cobra.Command{
		Use:   "list",
		Short: "List the tasks of a state in order of time",
		Long: `List lists the tasks of one state, or with --state all those of one state after another, the
earliest first. The time of a task is its due time if
it is waiting, its next attempt if retrying, the end of its lease if in-flight, and the time
at which it was given up if dead. Tasks with the same time are ordered by key. If there are
more than --limit tasks, a line on standard error has the --cursor at which the next list
begins. --from and --after, with the time and key of the last row, have the same effect. A
line on standard error also says how many tasks have other states.
User names and passwords in URLs are not shown.`,
		Example: `  wheelscope task list
  wheelscope task list --state dead --host api.example.org --json
  wheelscope task list --error "connection refused"
  wheelscope task list --from 2030-01-01T00:00:00Z --after order-7 --limit 1000`,
		Args: console.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			q, err := l.query(s.JSON)
			if err != nil {
				return err
			}
			if err := l.shape.CheckFor(taskColumns, s.JSON); err != nil {
				return err
			}
			return onMany(c.Context(), f, existing, func(ctx context.Context, w *rediswheel.Wheel) error {
				return listTasks(ctx, s, w, q, &l)
			})
		},
	}
	l.filter.register(c, "")
	c.Flags().StringVar(&l.from, "from", "", "begin at `TIME`, such as 2030-01-01T00:00:00Z")
	c.Flags().StringVar(&l.after, "after", "", "leave out tasks at the time --from with keys up to `KEY`")
	c.Flags().StringVar(&l.cursor, "cursor", "", "continue after the list that printed `CURSOR`")
	c.Flags().IntVar(&l.limit, "limit", 50, "list `N` tasks at most, up to "+strconv.Itoa(rediswheel.ListMax))
	c.Flags().BoolVar(&s.JSON, "json", false, "as JSON, with headers and bodies")
	l.shape.Register(c, taskColumns)
	c.MarkFlagsMutuallyExclusive("cursor", "from")
	c.MarkFlagsMutuallyExclusive("cursor", "after")
	return c
}

// query returns the query selected by the flags. Its results are complete tasks if full is true, and
// otherwise only the parts that a table shows.
func (l *listFlags) query(full bool) (rediswheel.Query, error) {
	q := l.filter.query()
	q.View, q.Page, q.After = rediswheel.ViewRow, l.limit, l.after
	if full {
		q.View = rediswheel.ViewFull
	}
	if l.limit < 1 || l.limit > rediswheel.ListMax {
		return q, fmt.Errorf("--limit: %d, expected 1 to %d", l.limit, rediswheel.ListMax)
	}
	if l.after != "" && l.from == "" {
		return q, errors.New("--after needs --from, the time at which the list continues")
	}
	var err error
	if l.from != "" {
		if q.From, err = time.Parse(time.RFC3339, l.from); err != nil {
			return q, fmt.Errorf("--from: %q is not a time such as 2030-01-01T00:00:00Z", l.from)
		}
	}
	if l.cursor != "" {
		err = readCursor(l.cursor, &q)
	}
	return q, err
}

// allStates is the value of --state that selects all states.
const allStates = "all"

// statesOf returns the states that a list with query q goes through, given the value of --state.
func (l *listFlags) statesOf(q *rediswheel.Query) []rediswheel.State {
	switch {
	case l.filter.state != allStates:
		return []rediswheel.State{q.State}
	case q.State == allStates:
		return rediswheel.States
	}
	return rediswheel.States[slices.Index(rediswheel.States, q.State):] // from the cursor on
}

// cursorOf returns the value of the --cursor flag with which "task list" prints the tasks after task i. It is
// an encoding of i.At, as Unix time in milliseconds, and i.Key, and before them, with --state all, i.State.
func cursorOf(i *rediswheel.Info) string {
	state := ""
	if i.State != "" {
		state = string(i.State) + " "
	}
	return base64.RawURLEncoding.EncodeToString([]byte(state + strconv.FormatInt(i.At.UnixMilli(), 10) + " " + i.Key))
}

func readCursor(text string, q *rediswheel.Query) error {
	data, err := base64.RawURLEncoding.DecodeString(text)
	at, key, ok := strings.Cut(string(data), " ")
	if state := rediswheel.State(at); q.State == allStates && slices.Contains(rediswheel.States, state) {
		q.State = state
		at, key, ok = strings.Cut(key, " ")
	}
	ms, errAt := strconv.ParseInt(at, 10, 64)
	if err != nil || !ok || errAt != nil || key == "" {
		return fmt.Errorf("--cursor: %.40q was not printed by task list", text)
	}
	q.From, q.After = time.UnixMilli(ms), key
	return nil
}

// listTasks prints up to --limit tasks and, if there are more, the cursor at which to continue.
func listTasks(ctx context.Context, s *console.Streams, w *rediswheel.Wheel, q rediswheel.Query, l *listFlags) error {
	print := &taskPrinter{s: s, shape: &l.shape}
	n := 0
	var last *rediswheel.Info // set if there are more
	var seen rediswheel.Info
	for i, state := range l.statesOf(&q) {
		one := q
		one.State = state
		if i > 0 {
			one.From, one.After = time.Time{}, ""
		}
		if last != nil {
			break
		}
		for info, err := range w.Tasks(ctx, one) {
			if err != nil {
				return err
			}
			if n == l.limit {
				last = &seen
				break
			}
			if err := print.add(&info); err != nil {
				return err
			}
			n++
			seen = rediswheel.Info{Key: info.Key, At: info.At}
			if l.filter.state == allStates {
				seen.State = state
			}
		}
	}
	if err := print.end(); err != nil {
		return err
	}
	if last != nil {
		fmt.Fprintf(s.Err, "there are more: --cursor %s\n", cursorOf(last))
	}
	if s.JSON || l.filter.state == allStates || l.filter.given() {
		return nil
	}
	return noteOthers(ctx, s, w, q.State)
}

// noteOthers prints how many tasks have states other than the given one, if any.
func noteOthers(ctx context.Context, s *console.Streams, w *rediswheel.Wheel, state rediswheel.State) error {
	st, err := w.Stats(ctx)
	if err != nil {
		return err
	}
	var others []string
	for i, n := range []int64{st.Waiting, st.InFlight, st.Retrying, st.Dead} {
		if n > 0 && rediswheel.States[i] != state {
			others = append(others, fmt.Sprintf("%d %s", n, rediswheel.States[i]))
		}
	}
	if len(others) > 0 {
		fmt.Fprintf(s.Err, "not listed: %s (--state all)\n", strings.Join(others, ", "))
	}
	return nil
}

func stateNames() []string {
	var names []string
	for _, state := range rediswheel.States {
		names = append(names, string(state))
	}
	return names
}

// taskPrinter prints tasks one by one as elements of a JSON array, or collects them for a table.
type taskPrinter struct {
	s     *console.Streams
	shape *console.TableFlags
	n     int               // number of tasks printed as JSON so far
	rows  []rediswheel.Info // tasks collected for the table
}

func (p *taskPrinter) add(i *rediswheel.Info) error {
	if !p.s.JSON {
		p.rows = append(p.rows, *i)
		return nil
	}
	start := ",\n  "
	if p.n == 0 {
		start = "[\n  "
	}
	p.n++
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("  ", "  ")
	if err := e.Encode(newTaskRow(i)); err != nil {
		return err
	}
	_, err := fmt.Fprint(p.s.Out, start, strings.TrimSuffix(b.String(), "\n"))
	return err
}

func (p *taskPrinter) end() error {
	if !p.s.JSON {
		return printTasks(p.s, p.rows, p.shape)
	}
	text := "\n]\n"
	if p.n == 0 {
		text = "[]\n"
	}
	_, err := fmt.Fprint(p.s.Out, text)
	return err
}

// instantLayout is the RFC 3339 layout with milliseconds, the resolution of the wheel.
const instantLayout = "2006-01-02T15:04:05.000Z07:00"

// targetMax is the maximum length, in bytes, of the receiver of a task and of an error message in the table
// that task list and task get print. Longer text is shortened to it.
const targetMax = 80

// printTasks prints a table with one row per task.
func printTasks(s *console.Streams, list []rediswheel.Info, shape *console.TableFlags) error {
	var rows [][]string
	for _, i := range list {
		method := i.Task.Method
		if i.Task.Handler == "" && i.Err == nil {
			method = cmp.Or(method, "POST")
		}
		target := strings.TrimSpace(method + " " + cmp.Or(rediswheel.RedactURL(i.Task.URL), i.Task.Handler))
		if i.Err != nil {
			target = i.Err.Error()
		}
		rows = append(rows, []string{quoteIfNeeded(i.Key), string(i.State), i.At.Format(instantLayout),
			strconv.Itoa(i.Attempts), cut(target), cut(i.Reason)})
	}
	return shape.Write(s.Out, taskColumns, rows, 1)
}

var taskColumns = []string{"key", "state", "at", "attempts", "calls", "reason"}

// quoteIfNeeded returns key, in quotes if it contains a space or a character that strconv.Quote escapes. Such
// characters would make the table ambiguous.
func quoteIfNeeded(key string) string {
	if quoted := strconv.Quote(key); quoted != `"`+key+`"` || strings.Contains(key, " ") {
		return quoted
	}
	return key
}

// cut returns text, shortened to targetMax bytes and followed by "…" if it is longer.
func cut(text string) string {
	if len(text) <= targetMax {
		return text
	}
	return strings.ToValidUTF8(text[:targetMax], "") + "…"
}
