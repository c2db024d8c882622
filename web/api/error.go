package api

import (
	"context"
	"errors"
	"time"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/quiz"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// NotComputed returns the error for a question about a part of a run that has not been computed yet.
func NotComputed() error {
	return texts.Errorf(texts.Unavailable, "", "the run is not computed that far yet; try again in a while")
}

// notCompared returns the error for a comparison that takes longer than MakingWait. It wraps ErrTakesLong, so that the
// client waits longer before it retries.
func notCompared() error {
	return errors.Join(texts.Errorf(texts.Unavailable, "", "run: not compared within %s; `wheelscope compare` has no time limit", MakingWait), ErrTakesLong)
}

// askFault returns the error to send to the client if a quiz question could not be generated or graded because of err.
func askFault(err error) error {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return NotComputed()
	case errors.Is(err, quiz.ErrNoAnswer):
		return texts.Errorf(texts.NotFound, "", "there is no question at this position")
	}
	return err
}

// Refusal describes the response to a request that failed.
type Refusal struct {
	Kind  texts.Kind    // HTTP status
	Line  string        // message for the user, on one line
	After time.Duration // time after which the client should repeat the request, if Kind is texts.Unavailable
}

// RefusalOf returns the response to a request that failed with err, with a message in the language lang. The boolean
// result is false if err is an internal error, which is not shown to the user.
func RefusalOf(err error, lang string) (Refusal, bool) {
	e := texts.ErrorOf(err)
	if e == nil {
		return Refusal{}, false
	}
	return Refusal{e.Kind, protocol.Describe(e, lang).Error(), RetryAfter(err)}, true
}

// isShortage reports whether err means that the server is busy or has too little memory.
func isShortage(err error) bool {
	return texts.Is(err, texts.Unavailable) || texts.Is(err, texts.Unprocessable)
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
