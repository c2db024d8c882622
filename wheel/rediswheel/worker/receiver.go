package worker

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/signature"
)

// Limits for options about receivers, and for the responses of receivers.
const (
	RetryAfterMax = 24 * time.Hour // longest Retry-After that the worker honours
	SecretsMax    = 4              // maximum number of secrets in Options.Secrets
)

// PermanentStatusDefault lists the HTTP statuses after which a task is not retried: 410 Gone.
var PermanentStatusDefault = []int{http.StatusGone}

// ErrPermanent is wrapped by errors after which a task is dead without further attempts; see [Permanent].
var ErrPermanent = errors.New("permanent failure")

// Permanent wraps err, the error of a [Handler], so that the task is dead without further attempts.
func Permanent(err error) error { return fmt.Errorf("%w: %w", ErrPermanent, err) }

// StatusError reports that the response to a callback has a status outside 200 to 299.
type StatusError struct {
	Code       int
	Status     string        // code and text of the status, such as "503 Service Unavailable"
	RetryAfter time.Duration // wait that the receiver has requested with a Retry-After header; 0 means none
}

func (e *StatusError) Error() string { return "answered " + e.Status }

// statusError returns the error for the response resp, which was received at time now and has a status outside 200 to
// 299.
func statusError(resp *http.Response, now time.Time) *StatusError {
	return &StatusError{Code: resp.StatusCode, Status: resp.Status, RetryAfter: retryAfter(resp.Header, now)}
}

// retryAfter returns the wait that the field Retry-After of h requests (RFC 9110, section 10.2.3), at most
// RetryAfterMax. If the field contains a time instead of a number of seconds, the wait is counted from the time in the
// field Date or, without a valid one, from now. retryAfter returns 0 if Retry-After is missing or invalid.
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

// permanent reports whether err means that the task must not be attempted again.
func (w *Worker) permanent(err error) bool {
	var status *StatusError
	return errors.Is(err, ErrPermanent) || errors.As(err, &status) && slices.Contains(w.o.PermanentStatus, status.Code)
}

// retryWait returns the wait before the next attempt. failed is the number of failed attempts, and err is the error
// of the last one. The wait is the result of Backoff or, if that is longer, the wait that the receiver has requested.
func (w *Worker) retryWait(err error, failed int) time.Duration {
	wait := Backoff(w.o.Retry, w.o.RetryMax, failed, rand.N)
	var status *StatusError
	if errors.As(err, &status) {
		wait = max(wait, status.RetryAfter)
	}
	return wait
}

// attemptsOf returns the maximum number of attempts at task t.
func (o *Options) attemptsOf(t *rediswheel.Task) int {
	if t.MaxAttempts > 0 {
		return t.MaxAttempts
	}
	return o.Attempts
}

// timeoutOf returns the timeout of one attempt at task t.
func (o *Options) timeoutOf(t *rediswheel.Task) time.Duration {
	if t.Timeout > 0 && t.Timeout <= rediswheel.TimeoutMax {
		return t.Timeout
	}
	return o.CallbackTime
}

// fillReceivers sets the defaults of the options for receivers, and returns an error if a value is invalid.
func (o *Options) fillReceivers() error {
	if o.PermanentStatus == nil {
		o.PermanentStatus = PermanentStatusDefault
	}
	for _, code := range o.PermanentStatus {
		if code < 300 || code > 599 {
			return fmt.Errorf("%w: permanent status: %d, expected 300 to 599", rediswheel.ErrInput, code)
		}
	}
	if len(o.Secrets) > SecretsMax {
		return fmt.Errorf("%w: secrets: %d, expected at most %d", rediswheel.ErrInput, len(o.Secrets), SecretsMax)
	}
	for _, s := range o.Secrets {
		if err := s.Check(); err != nil {
			return fmt.Errorf("%w: secrets: %w", rediswheel.ErrInput, err)
		}
	}
	return nil
}

// signatures returns the header fields with the signatures of call c. They replace header fields of the task that
// have the same names. The result is nil if the worker has no secrets.
func (w *Worker) signatures(c *Call) http.Header {
	if len(w.o.Secrets) == 0 {
		return nil
	}
	h := http.Header{}
	signature.Sign(h, w.o.Secrets, signature.ID(c.Key, c.Due), time.Now(), c.Task.Body)
	return h
}
