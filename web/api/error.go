package api

import (
	"context"
	"errors"
	"time"

	"github.com/wheelscope/wheelscope/internal/errmsg"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/quiz"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// ErrorKind is the kind of an Error: an HTTP status (RFC 9110).
type ErrorKind int

// The kinds of errors.
const (
	Invalid       ErrorKind = 400 // a parameter is invalid
	Forbidden     ErrorKind = 403 // the client lacks permission
	NotFound      ErrorKind = 404 // a parameter names something that does not exist
	Unprocessable ErrorKind = 422 // a scenario, a workload or a trace is invalid, or needs more memory than there is
	Unavailable   ErrorKind = 503 // the answer is not available now; the client should repeat the request later
)

// Error is returned for a question that is invalid or cannot be answered at present. To show the error e to a user,
// use usererr.Describe(e.Reason, lang). Functions of this package may also return [ErrComputing], [ErrTakesLong], and
// errors from the context, the run store and its queue. usererr.IsInput reports true for errors about the arguments of
// [NextStep], [LastEvents] and [TimerHistory].
type Error struct {
	Kind   ErrorKind
	Reason error
}

// Error returns the error message in English.
func (e *Error) Error() string { return e.Reason.Error() }

// refuse returns an Error of the given kind. The message is formatted as if by errmsg.Newf from format and args.
// static.Errors must contain translations of format.
func refuse(kind ErrorKind, format string, args ...any) error {
	return &Error{kind, usererr.New("", format, args...)}
}

// NotComputed returns the error for a question about a part of a run that has not been computed yet.
func NotComputed() error {
	return refuse(Unavailable, "the run is not computed that far yet; try again in a while")
}

// notCompared returns the error for a comparison that takes longer than MakingWait. It wraps ErrTakesLong, so that the
// client waits longer before it retries.
func notCompared() error {
	return errors.Join(refuse(Unavailable, "run: not compared within %s; `wheelscope compare` has no time limit", MakingWait), ErrTakesLong)
}

// askFault returns the error to send to the client if a quiz question could not be generated or graded because of err.
func askFault(err error) error {
	var answered *Error
	switch {
	case errors.As(err, &answered):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return NotComputed()
	case errors.Is(err, quiz.ErrNoAnswer):
		return refuse(NotFound, "there is no question at this position")
	}
	return err
}

// Refusal describes the response to a request that failed.
type Refusal struct {
	Kind  ErrorKind     // HTTP status
	Line  string        // message for the user, on one line
	After time.Duration // time after which the client should repeat the request, if Kind is Unavailable
}

// RefusalOf returns the response to a question that failed with err, with a message in the language lang. The boolean
// result is false if err is an internal error, which is not shown to the user.
func RefusalOf(err error, lang string) (Refusal, bool) {
	r := Refusal{Kind: Unavailable, After: RetryAfter(err)}
	var known *Error
	var full *sim.NoMemoryError
	in := static.Errors(lang)
	switch {
	case errors.As(err, &known):
		r.Kind, r.Line = known.Kind, usererr.Describe(known.Reason, lang).Error()
	case errors.As(err, new(*sim.TooLongError)), errors.Is(err, sim.ErrCancelled):
		r.Kind, r.Line = Invalid, usererr.Describe(err, lang).Error()
	case errors.Is(err, ErrComputing):
		r.Line = errmsg.Newf("this is being computed; ask again within %s", sim.PassIdleMax.String()).In(in)
	case errors.Is(err, ErrTakesLong):
		r.Line = errmsg.Newf("this takes more than %s to compute", MakingWait.String()).In(in)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled): // late, or disconnected
		r.Line = usererr.NotInTime.In(in)
	case errors.As(err, &full) && full.Never(), errors.As(err, new(*program.TooLargeError)):
		r.Kind, r.Line = Unprocessable, usererr.Describe(err, lang).Error()
	case errors.Is(err, sim.ErrGone), usererr.IsShortage(err):
		r.Line = usererr.Describe(err, lang).Error()
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
