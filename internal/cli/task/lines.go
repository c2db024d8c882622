package task

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/cli/input"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// taskLineMax is the maximum length, in bytes, of a line in a task file. It is enough for a task with a
// body of rediswheel.BodyMax bytes, each of which may be escaped as six bytes.
const taskLineMax = 2 << 20

// callLine contains the fields that addLine and storedLine, the two kinds of lines in a task file, have in
// common. Each line is a JSON object that describes one task. A key that is not valid UTF-8 is in KeyBytes
// instead of Key, and a body that is not valid UTF-8 is in Base64 instead of Body.
type callLine struct {
	Key      string            `json:"key,omitzero"`
	KeyBytes []byte            `json:"key_base64,omitempty"`
	URL      string            `json:"url,omitzero"`
	Method   string            `json:"method,omitzero"`
	Headers  map[string]string `json:"headers,omitempty"`
	Handler  string            `json:"handler,omitzero"`
	Body     string            `json:"body,omitzero"`
	Base64   []byte            `json:"body_base64,omitempty"`

	MaxAttempts int    `json:"max_attempts,omitzero"`
	Timeout     string `json:"timeout,omitzero"` // timeout of one attempt, such as 30s; empty means the default

	Every   string `json:"every,omitzero"` // time between two runs of a periodic task, such as 1h
	Cron    string `json:"cron,omitzero"`
	Zone    string `json:"zone,omitzero"`
	CatchUp bool   `json:"catch_up,omitzero"`
}

// addLine is one line of the file read by "task add --file". Its due time is At or, if In is set, the current
// time plus In, a duration such as "90s". At most one of the two fields may be set. If neither is, the task
// is due now.
type addLine struct {
	callLine
	At time.Time `json:"at,omitzero"`
	In string    `json:"in,omitzero"`
}

// storedLine is one line of the file written by "task export" and read by "task import".
type storedLine struct {
	callLine
	State rediswheel.State `json:"state"`
	Due   time.Time        `json:"due"` // due time that was given when the task was added
	// At is, depending on State, when the task is due, when its lease lapses, when it will be retried, or when it
	// was marked dead.
	At       time.Time `json:"at"`
	Attempts int       `json:"attempts,omitzero"`
	Reason   string    `json:"reason,omitzero"`
	Redacted bool      `json:"redacted,omitzero"` // whether the credentials in the URL were removed by the export
}

// call returns the key and the task that the line describes.
func (l *callLine) call() (key string, t rediswheel.Task, err error) {
	t = rediswheel.Task{URL: l.URL, Method: l.Method, Headers: l.Headers, Handler: l.Handler, Body: l.Base64, MaxAttempts: l.MaxAttempts,
		Cron: l.Cron, Zone: l.Zone, CatchUp: l.CatchUp}
	key = l.Key
	switch {
	case l.Key != "" && l.KeyBytes != nil:
		return "", t, errors.New("both key and key_base64 given, expected one of them")
	case l.Body != "" && l.Base64 != nil:
		return "", t, errors.New("both body and body_base64 given, expected one of them")
	case l.KeyBytes != nil:
		key = string(l.KeyBytes)
	}
	if l.Body != "" {
		t.Body = []byte(l.Body)
	}
	if l.Timeout != "" {
		if t.Timeout, err = time.ParseDuration(l.Timeout); err != nil {
			return "", t, fmt.Errorf("timeout: %.40q is not a duration such as 30s", l.Timeout)
		}
	}
	if l.Every != "" {
		if t.Every, err = time.ParseDuration(l.Every); err != nil {
			return "", t, fmt.Errorf("every: %.40q is not a duration such as 1h", l.Every)
		}
	}
	return key, t, nil
}

// newCallLine returns the line that describes task t with the given key. It is the inverse of call.
func newCallLine(key string, t *rediswheel.Task) callLine {
	l := callLine{URL: t.URL, Method: t.Method, Headers: t.Headers, Handler: t.Handler, MaxAttempts: t.MaxAttempts,
		Cron: t.Cron, Zone: t.Zone, CatchUp: t.CatchUp}
	if utf8.ValidString(key) {
		l.Key = key
	} else {
		l.KeyBytes = []byte(key)
	}
	if utf8.Valid(t.Body) {
		l.Body = string(t.Body)
	} else {
		l.Base64 = t.Body
	}
	if t.Timeout != 0 {
		l.Timeout = t.Timeout.String()
	}
	if t.Every != 0 {
		l.Every = t.Every.String()
	}
	return l
}

// addTo adds to b the task that the line describes. now is the current time of the Redis server.
func (l *addLine) addTo(b *rediswheel.Bulk, now time.Time) error {
	key, task, err := l.call()
	if err != nil {
		return err
	}
	at := l.At
	switch {
	case !at.IsZero() && l.In != "":
		return errors.New("both at and in given, expected one of them")
	case at.IsZero():
		in := time.Duration(0)
		if l.In != "" {
			if in, err = time.ParseDuration(l.In); err != nil {
				return fmt.Errorf("in: %.40q is not a duration such as 90s or 2h30m", l.In)
			}
		}
		if at = now.Add(in); l.In == "" && task.Periodic() {
			at = firstRun(&task, now)
		}
	}
	return b.Add(key, task, at)
}

// restoreTo adds to b the task that the line describes, in its saved state. It returns an error if the
// credentials in the URL of the task were removed when the task was exported.
func (l *storedLine) restoreTo(b *rediswheel.Bulk) error {
	if l.Redacted {
		return errors.New("the credentials of its URL were left out; task export --credentials keeps them")
	}
	key, task, err := l.call()
	if err != nil {
		return err
	}
	return b.Restore(rediswheel.Info{Key: key, State: l.State, Task: task, Due: l.Due, At: l.At, Attempts: l.Attempts, Reason: l.Reason})
}

// readTaskLines decodes each non-empty line of the named task file and calls add with it. It stops at the
// first error, to which it adds the line number.
func readTaskLines[T any](ctx context.Context, name string, stdin io.Reader, add func(*T) error) error {
	in, done, err := console.Open(ctx, name, stdin)
	if err != nil {
		return fmt.Errorf("%s: %w", name, errors.Unwrap(err))
	}
	defer done()
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), taskLineMax)
	n := 0
	for lines.Scan() {
		n++
		if len(lines.Bytes()) == 0 {
			continue
		}
		var line T
		if err := json.Unmarshal(lines.Bytes(), &line, json.RejectUnknownMembers(true)); err != nil {
			return fmt.Errorf("%s: line %d: %w", input.Name(name), n, lineError(err))
		}
		if err := add(&line); err != nil {
			if errors.Is(err, rediswheel.ErrInput) || !errors.Is(err, context.Canceled) && ctx.Err() == nil {
				return fmt.Errorf("%s: line %d: %w", input.Name(name), n, err)
			}
			return err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("%s: line %d: longer than %d bytes", input.Name(name), n+1, taskLineMax)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", input.Name(name), err)
	}
	return nil
}

// lineError returns an error that explains to a user why a line could not be decoded. err is the error from
// decoding the line as JSON. The result mentions the fields of a task rather than Go types.
func lineError(err error) error {
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) {
		var syntax *jsontext.SyntacticError
		if errors.As(err, &syntax) {
			return fmt.Errorf("not a JSON object with the fields of a task: %w", syntax.Err)
		}
		return err
	}
	where := string(semantic.JSONPointer)
	if errors.Is(err, json.ErrUnknownName) {
		return fmt.Errorf("%.60q is not a field of a task", where)
	}
	if where == "" {
		return errors.New("not a JSON object with the fields of a task")
	}
	return fmt.Errorf("%.60q: the value has the wrong type", where)
}
