package api

import (
	"context"
	"errors"
	"time"

	"github.com/wheelscope/wheelscope/sim/quiz"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// ErrorKind is the kind of an Error.
type ErrorKind int

// The kinds of errors.
const (
	Invalid       ErrorKind = iota // a parameter is invalid
	NotFound                       // a parameter names something that does not exist
	Unprocessable                  // a scenario, a workload or a trace is invalid
	Unavailable                    // the answer is not available now; the client should repeat the request later
	Forbidden                      // the client lacks permission
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

// notCompared returns the error for a comparison that takes longer than wait. If wait is MakingWait, the error
// wraps ErrTakesLong, so that the client waits longer before it retries.
func notCompared(wait time.Duration) error {
	late := refuse(Unavailable, "run: not compared within %s; `wheelscope compare` has no time limit", wait)
	if wait == MakingWait {
		return errors.Join(late, ErrTakesLong)
	}
	return late
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
