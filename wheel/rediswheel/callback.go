package rediswheel

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Bounds of what a callback may answer: more of the body is not read, and the
// connection is not used again.
const (
	responseMax       = 16 << 10 // bytes
	responseHeaderMax = 32 << 10 // bytes
)

// The fields a callback carries beside its own: with them the receiver knows a task
// that it has seen before.
const (
	HeaderKey     = "Wheelscope-Key"     // escaped as in a URL's path
	HeaderAttempt = "Wheelscope-Attempt" // 1 for the first
	HeaderDue     = "Wheelscope-Due"     // RFC 3339, UTC
)

// Call is one attempt at a task.
type Call struct {
	Key     string
	Task    Task
	Due     time.Time
	Attempt int           // 1 for the first
	Late    time.Duration // behind Due, by the clock of Redis
}

// Handler is what a task with a handler's name calls. An error, or a panic, is a failed
// attempt. It ought to end when ctx does.
type Handler func(ctx context.Context, call Call) error

// errUnknown is a handler that this worker does not have; another may.
var errUnknown = errors.New("unknown handler")

// do makes one attempt, within the time of a callback.
func (w *Worker) do(ctx context.Context, c Call) error {
	ctx, cancel := context.WithTimeout(ctx, w.o.timeoutOf(&c.Task))
	defer cancel()
	if c.Task.Handler == "" {
		return w.post(ctx, &c)
	}
	h, ok := w.o.Handlers[c.Task.Handler]
	if !ok {
		return fmt.Errorf("%w %.80q; this worker does not have it", errUnknown, c.Task.Handler)
	}
	return safely(ctx, h, c)
}

// safely calls a handler; its panic is an error.
func safely(ctx context.Context, h Handler, c Call) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the handler panicked: %v", p)
		}
	}()
	return h(ctx, c)
}

// post makes a callback over HTTP: any status of 200 to 299 is success. A redirect
// that checkRedirect does not follow is an answer like others, and none of those.
func (w *Worker) post(ctx context.Context, c *Call) error {
	method := c.Task.Method
	if method == "" {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(ctx, method, c.Task.URL, bytes.NewReader(c.Task.Body))
	if err != nil {
		return err
	}
	r.Header.Set("User-Agent", "wheelscope") // unless the task has its own
	for name, value := range c.Task.Headers {
		r.Header.Set(name, value)
	}
	r.Host = r.Header.Get("Host")
	r.Header[HeaderKey] = []string{url.PathEscape(c.Key)}
	r.Header[HeaderAttempt] = []string{strconv.Itoa(c.Attempt)}
	r.Header[HeaderDue] = []string{c.Due.Format(time.RFC3339Nano)}
	w.sign(r, c)
	resp, err := w.http.Do(r)
	if err != nil {
		return noAnswer{plain(err)}
	}
	defer resp.Body.Close()
	_, _ = io.CopyN(io.Discard, resp.Body, responseMax)
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return statusError(resp, time.Now())
	}
	return nil
}

// noAnswer is a callback that was not answered.
type noAnswer struct{ error }

func (e noAnswer) Unwrap() error { return e.error }

// suspendedAfter is the time past the limit of a call from which the worker itself did not run meanwhile.
const suspendedAfter = time.Second

// unanswered reports whether a receiver gave no answer, for a cause that may be its own, to a call that took
// so long with such a limit.
func unanswered(err error, took, limit time.Duration) bool {
	var none noAnswer
	return took < limit+suspendedAfter && errors.As(err, &none) && !errors.Is(err, ErrPrivate) && !errors.Is(err, errRedirects)
}

// plain leaves out of an error what the task tells itself, its method and URL.
func plain(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("gave no answer in time")
	}
	if shown := redactText(err.Error()); shown != err.Error() {
		return errors.New(shown)
	}
	return err
}
