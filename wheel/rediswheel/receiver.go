package rediswheel

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel/signature"
)

// Bounds of what a receiver decides.
const (
	RetryAfterMax      = 24 * time.Hour // that a Retry-After is honoured for
	PermanentStatusMax = 32             // statuses of WorkerOptions.PermanentStatus
	SecretsMax         = 4              // secrets that callbacks are signed with
)

// suspectAttempts is the attempt before which a task that kills its workers is alone among the suspects,
// if the worker makes more: groups of suspects are halved from one attempt to the next.
const suspectAttempts = 12

// PermanentStatusDefault lists the statuses after which a task is not tried again: 410 Gone.
var PermanentStatusDefault = []int{http.StatusGone}

// ErrPermanent is a failure after which a task is not tried again, but dead at once.
var ErrPermanent = errors.New("permanent failure")

// Permanent wraps the error of a [Handler] that makes further attempts useless.
func Permanent(err error) error { return fmt.Errorf("%w: %w", ErrPermanent, err) }

// StatusError is a callback that was answered with a status other than success.
type StatusError struct {
	Code       int
	Status     string        // "503 Service Unavailable"
	RetryAfter time.Duration // that the receiver asked for; 0: it did not
}

func (e *StatusError) Error() string { return "answered " + e.Status }

// statusError reads the answer of a receiver at now.
func statusError(resp *http.Response, now time.Time) *StatusError {
	return &StatusError{Code: resp.StatusCode, Status: resp.Status, RetryAfter: retryAfter(resp.Header, now)}
}

// retryAfter reads the field Retry-After, a number of seconds or an instant by the receiver's clock
// (RFC 9110, section 10.2.3). It is 0 if there is none, or none that can be read, and at most RetryAfterMax.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.Duration(min(max(seconds, 0), int64(RetryAfterMax/time.Second))) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	if sent, err := http.ParseTime(h.Get("Date")); err == nil {
		now = sent
	}
	return min(max(at.Sub(now), 0), RetryAfterMax)
}

// permanent reports whether a failure makes further attempts useless.
func (w *Worker) permanent(err error) bool {
	var status *StatusError
	return errors.Is(err, ErrPermanent) || errors.As(err, &status) && slices.Contains(w.o.PermanentStatus, status.Code)
}

// retryWait is the wait before the next attempt: that of the worker, or what the receiver asked for if that is longer.
func (w *Worker) retryWait(err error, failed int) time.Duration {
	wait := Backoff(w.o.Retry, w.o.RetryMax, failed, rand.N)
	var status *StatusError
	if errors.As(err, &status) {
		wait = max(wait, status.RetryAfter)
	}
	return wait
}

// attemptsOf is the number of attempts after which a task is dead.
func (o *WorkerOptions) attemptsOf(t *Task) int {
	if t.MaxAttempts > 0 {
		return t.MaxAttempts
	}
	return o.Attempts
}

// timeoutOf is the time that one attempt at a task may take.
func (o *WorkerOptions) timeoutOf(t *Task) time.Duration {
	if t.Timeout > 0 && t.Timeout <= TimeoutMax {
		return t.Timeout
	}
	return o.CallbackTime
}

// fillReceivers puts in the defaults of what concerns receivers, and checks it.
func (o *WorkerOptions) fillReceivers() error {
	if o.PermanentStatus == nil {
		o.PermanentStatus = PermanentStatusDefault
	}
	if len(o.PermanentStatus) > PermanentStatusMax {
		return fmt.Errorf("%w: permanent statuses: %d, expected at most %d", ErrInput, len(o.PermanentStatus), PermanentStatusMax)
	}
	for _, code := range o.PermanentStatus {
		if code < 300 || code > 599 {
			return fmt.Errorf("%w: permanent status: %d, expected 300 to 599", ErrInput, code)
		}
	}
	if len(o.Secrets) > SecretsMax {
		return fmt.Errorf("%w: secrets: %d, expected at most %d", ErrInput, len(o.Secrets), SecretsMax)
	}
	return nil
}

// sign signs a request, if the worker has a secret. Fields of the task with the same names are replaced.
func (w *Worker) sign(r *http.Request, c *Call) {
	if len(w.o.Secrets) > 0 {
		signature.Sign(r.Header, w.o.Secrets, signature.ID(c.Key, c.Due), time.Now(), c.Task.Body)
	}
}
