package api

import (
	"context"
	"errors"
	"time"

	"github.com/wheelscope/wheelscope/internal/errmsg"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// Refusal describes the response to a request that failed.
type Refusal struct {
	Status int           // HTTP status (RFC 9110)
	Line   string        // message for the user, on one line
	After  time.Duration // time after which the client should repeat the request, if Status is 503
}

// HTTP statuses of a Refusal. The package does not depend on net/http.
const (
	badRequest    = 400
	forbidden     = 403
	notFound      = 404
	unprocessable = 422
	unavailable   = 503
)

// statusOf maps the kind of an Error to an HTTP status.
var statusOf = map[ErrorKind]int{Invalid: badRequest, NotFound: notFound,
	Unprocessable: unprocessable, Unavailable: unavailable, Forbidden: forbidden}

// StatusOf returns the HTTP status for e.
func StatusOf(e *Error) int { return statusOf[e.Kind] }

// RefusalOf returns the response to a question that failed with err, with a message in the language lang. The boolean
// result is false if err is an internal error, which is not shown to the user.
func RefusalOf(err error, lang string) (Refusal, bool) {
	r := Refusal{After: RetryAfter(err)}
	var known *Error
	var full *sim.NoMemoryError
	in := static.Errors(lang)
	switch {
	case errors.As(err, &known):
		r.Status, r.Line = StatusOf(known), usererr.Describe(known.Reason, lang).Error()
	case errors.As(err, new(*sim.TooLongError)), errors.Is(err, sim.ErrCancelled):
		r.Status, r.Line = badRequest, usererr.Describe(err, lang).Error()
	case errors.Is(err, ErrComputing):
		r.Status, r.Line = unavailable, errmsg.Newf("this is being computed; ask again within %s", sim.PassIdleMax.String()).In(in)
	case errors.Is(err, ErrTakesLong):
		r.Status, r.Line = unavailable, errmsg.Newf("this takes more than %s to compute", MakingWait.String()).In(in)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled): // late, or disconnected
		r.Status, r.Line = unavailable, usererr.NotInTime.In(in)
	case errors.As(err, &full) && full.Never(), errors.As(err, new(*program.TooLargeError)):
		r.Status, r.Line = unprocessable, usererr.Describe(err, lang).Error()
	case errors.Is(err, sim.ErrGone), usererr.IsShortage(err):
		r.Status, r.Line = unavailable, usererr.Describe(err, lang).Error()
	default:
		return r, false
	}
	return r, true
}

// RetryAfter returns the time after which the client should repeat a request whose answer is unavailable
// because of err.
func RetryAfter(err error) time.Duration {
	switch {
	case errors.Is(err, ErrTakesLong):
		return longRetry
	case errors.Is(err, ErrComputing):
		return computingRetry
	}
	return RetryWait
}
