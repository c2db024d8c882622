package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Limits of the response to a callback. The rest of a longer body is not read, and the connection
// is not reused.
const (
	responseMax       = 16 << 10 // bytes
	responseHeaderMax = 32 << 10 // bytes
)

// Header fields added to every callback. They allow the receiver to recognise a task that it has
// seen before.
const (
	HeaderKey     = "Wheelscope-Key"     // escaped as in the path of a URL
	HeaderAttempt = "Wheelscope-Attempt" // from 1
	HeaderDue     = "Wheelscope-Due"     // RFC 3339, UTC
)

// Call is one attempt at a task.
type Call struct {
	Key     string
	Task    rediswheel.Task
	Due     time.Time
	Attempt int           // from 1
	Late    time.Duration // time since Due, by the clock of Redis
}

// Handler is called for tasks with its name, by several goroutines at the same time. An error or a
// panic is a failed attempt. It should return when ctx ends.
type Handler func(ctx context.Context, call Call) error

// errUnknown is returned for a handler that this worker does not have. Another worker may have it.
var errUnknown = errors.New("unknown handler")

// do makes the call c, with the timeout of its task.
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

// safely calls handler h with c and converts a panic to an error.
func safely(ctx context.Context, h Handler, c Call) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the handler panicked: %v", p)
		}
	}()
	return h(ctx, c)
}

// post makes the call c as an HTTP request. A status from 200 to 299 is success. A redirect that
// checkRedirect does not follow is a failure.
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
	if resp.Body != http.NoBody {
		_, _ = io.CopyN(io.Discard, resp.Body, responseMax)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return statusError(resp, time.Now())
	}
	return nil
}

// noAnswer is the error of a callback without a response.
type noAnswer struct{ error }

func (e noAnswer) Unwrap() error { return e.error }

// suspendedAfter is the time past the limit of a call after which the worker itself is assumed to
// have been suspended.
const suspendedAfter = time.Second

// unanswered reports whether err means that the receiver gave no answer and may be the cause. took
// and limit are the duration of the call and its timeout.
func unanswered(err error, took, limit time.Duration) bool {
	var none noAnswer
	return took < limit+suspendedAfter && errors.As(err, &none) && !errors.Is(err, ErrPrivate) && !errors.Is(err, errRedirects)
}

// plain removes the method and the URL from an error, since the task contains them.
func plain(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("gave no answer in time")
	}
	if shown := connect.RedactText(err.Error()); shown != err.Error() {
		return errors.New(shown)
	}
	return err
}
