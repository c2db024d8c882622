package worker

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
)

// responseMax is the maximum length of the header of a response, and the maximum number of bytes of its body that are
// read. If the body is longer, the connection is not reused.
const responseMax = 32 << 10

// Header fields added to every callback. They allow the receiver to recognise a task for which it was already called.
const (
	HeaderKey     = "Wheelscope-Key"     // field with the key of the task, escaped as in the path of a URL
	HeaderAttempt = "Wheelscope-Attempt" // field with the number of the attempt, from 1
	HeaderDue     = "Wheelscope-Due"     // field with the due time of the task in RFC 3339, UTC
)

// Call is one attempt at a task.
type Call struct {
	Key     string
	Task    rediswheel.Task
	Due     time.Time
	Attempt int           // number of the attempt, from 1
	Late    time.Duration // lateness: time from Due to the start of the call
}

// Handler is a function that is called for each task that names it; see [Options.Handlers]. Several goroutines may
// call it at the same time. An error or a panic counts as a failed attempt, as does runtime.Goexit. A handler should
// return when ctx is done; if it does not when its worker stops, its task is put back although it still runs.
type Handler func(ctx context.Context, call Call) error

// do makes the call c with the timeout of its task. The call is to end when stopped is done.
func (w *Worker) do(stopped context.Context, c Call) error {
	ctx, cancel := context.WithTimeout(stopped, w.o.timeoutOf(&c.Task))
	defer cancel()
	if c.Task.Handler == "" {
		r, err := w.request(ctx, &c)
		if err != nil {
			return plain(err)
		}
		return callbackError(w.http.Do(r))
	}
	h, ok := w.o.Handlers[c.Task.Handler]
	if !ok {
		h = w.o.Default
	}
	if h == nil {
		return fmt.Errorf("unknown handler %.80q", c.Task.Handler) // does not happen: such tasks are not claimed
	}
	for _, wrap := range slices.Backward(w.wrap) {
		h = wrap(h)
	}
	return w.callHandler(ctx, stopped, h, c)
}

// Errors of handlers that did not return.
var (
	errGoexit    = errors.New("the handler ended its goroutine (runtime.Goexit)")
	errAbandoned = errors.New("the handler did not return when its worker stopped")
)

// callHandler calls handler h with c on its own goroutine. If h panics or ends the goroutine, callHandler returns an
// error. If h has not returned stopWait after stopped is done, callHandler returns errAbandoned; h continues.
func (w *Worker) callHandler(ctx, stopped context.Context, h Handler, c Call) error {
	result := make(chan error, 1)
	go func() {
		err := errGoexit
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("the handler panicked: %v", p)
				w.o.Log.Error("a handler panicked", "handler", c.Task.Handler, "key", c.Key, "panic", p, "stack", string(debug.Stack()))
			}
			result <- err
		}()
		err = h(ctx, c)
	}()
	select {
	case err := <-result:
		return err
	case <-stopped.Done():
	}
	select {
	case err := <-result:
		return err
	case <-time.After(stopWait):
		return errAbandoned
	}
}

// request returns the HTTP request of call c. It has the header fields that identify the task and the attempt.
func (w *Worker) request(ctx context.Context, c *Call) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, cmp.Or(c.Task.Method, http.MethodPost), c.Task.URL, bytes.NewReader(c.Task.Body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", "wheelscope") // unless the task has its own
	for name, value := range c.Task.Headers {
		r.Header.Set(name, value)
	}
	r.Host = r.Header.Get("Host")
	r.Header.Set(HeaderKey, url.PathEscape(c.Key))
	r.Header.Set(HeaderAttempt, strconv.Itoa(c.Attempt))
	r.Header.Set(HeaderDue, c.Due.Format(time.RFC3339Nano))
	maps.Copy(r.Header, w.signatures(c))
	return r, nil
}

// callbackError returns the error of a callback that ended with the response resp or the error err. It returns nil for
// a status from 200 to 299. A redirect that checkRedirect does not follow is an error.
func callbackError(resp *http.Response, err error) error {
	if err != nil {
		return noResponseError{plain(err)}
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

// noResponseError wraps the error of a callback for which the HTTP client returned an error instead of a response.
type noResponseError struct{ error }

func (e noResponseError) Unwrap() error { return e.error }

// isNoResponse reports whether err means that the receiver sent no response. It returns false for all other errors,
// such as a disallowed address or too many redirects.
func isNoResponse(err error) bool {
	var none noResponseError
	return errors.As(err, &none) && !errors.Is(err, ErrPrivate) && !errors.Is(err, errRedirects)
}

// plain returns err, an error of an HTTP client, without the method and the URL of the request, because the task
// contains them. It also redacts other URLs in the text of the error, and rewords a timeout.
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
