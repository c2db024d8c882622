package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/wheelscope/wheelscope/internal/say"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// deny returns an HTTP error with a one-line message, which is sent in the language of the request.
// Its format is a key of static.Errors.
func deny(code int, format string, args ...any) error {
	return echo.NewHTTPError(code, say.Of(format, args...))
}

// answerError answers a request that failed with err by a status and one line of text.
func (s *Server) answerError(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	code, line := s.faultOf(err, c)
	if h := c.Response().Header(); code == http.StatusServiceUnavailable && h.Get("Retry-After") == "" {
		after := retryWait
		if errors.Is(err, api.ErrComputing) {
			after = computingRetry
		}
		if errors.Is(err, api.ErrTakesLong) {
			after = longRetry
		}
		h.Set("Retry-After", strconv.Itoa(int(after/time.Second)))
	}
	if c.Request().Method == http.MethodHead {
		c.NoContent(code)
		return
	}
	c.String(code, line+"\n")
}

// statusOf maps the kinds of an api.Error to HTTP statuses.
var statusOf = map[api.ErrorKind]int{api.Invalid: http.StatusBadRequest, api.NotFound: http.StatusNotFound,
	api.Unprocessable: http.StatusUnprocessableEntity, api.Unavailable: http.StatusServiceUnavailable}

// faultOf returns the HTTP status and the one-line message for a request that failed with err.
func (s *Server) faultOf(err error, c echo.Context) (int, string) {
	lang := s.language(c)
	in := static.Errors(lang)
	var known *echo.HTTPError
	var unanswered *api.Error
	var large *http.MaxBytesError
	var long *sim.TooLongError
	switch {
	case errors.As(err, &unanswered):
		return statusOf[unanswered.Kind], usererr.Describe(unanswered.Reason, lang).Error()
	case errors.As(err, &large):
		return http.StatusRequestEntityTooLarge, say.Of("the body has more than %d bytes", large.Limit).In(in)
	case errors.As(err, &long):
		return http.StatusBadRequest, usererr.Describe(err, lang).Error()
	case errors.Is(err, api.ErrComputing):
		return http.StatusServiceUnavailable, say.Of("this is being computed; ask again in a moment").In(in)
	case errors.Is(err, api.ErrTakesLong) && !errors.As(err, &known):
		return http.StatusServiceUnavailable, say.Of("this takes more than %s to compute", api.MakingWait.String()).In(in)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled): // late, or disconnected
		return http.StatusServiceUnavailable, usererr.NotInTime.In(in)
	case errors.Is(err, sim.ErrGone), usererr.IsShortage(err):
		return http.StatusServiceUnavailable, usererr.Describe(err, lang).Error()
	case !errors.As(err, &known):
		s.log.Error("request failed", "path", c.Request().URL.Path, "err", err)
		return http.StatusInternalServerError, say.Of("the server failed; its log says more").In(in)
	}
	switch m := known.Message.(type) {
	case say.Message:
		return known.Code, m.In(in)
	case string:
		if m != http.StatusText(known.Code) {
			return known.Code, m
		}
	}
	return known.Code, noRoute(c, known.Code).In(in)
}

// noRoute returns the message for a request without a route; code is the router's status.
func noRoute(c echo.Context, code int) say.Message {
	path := usererr.Clip(c.Request().URL.Path)
	switch code {
	case http.StatusNotFound:
		return say.Of("nothing is at %q", path)
	case http.StatusMethodNotAllowed:
		return say.Of("%q is not answered at %q; expected one of %s", usererr.Clip(c.Request().Method), path, c.Response().Header().Get(echo.HeaderAllow))
	}
	return say.Of("%s", strings.ToLower(http.StatusText(code)))
}
