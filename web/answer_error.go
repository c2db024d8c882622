package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/errmsg"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// deny returns an HTTP error with the given status code. The message is formatted as if by errmsg.Newf from format and
// args, and is sent on a single line in the language of the request. static.Errors must contain translations of format.
func deny(code int, format string, args ...any) error {
	return echo.NewHTTPError(code, errmsg.Newf(format, args...))
}

// answerError sends the response to a request that failed with err: a status and one line of text. It does nothing if a
// part of the response has already been sent.
func (s *Server) answerError(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	code, line := s.faultOf(err, c)
	if h := c.Response().Header(); code == http.StatusServiceUnavailable && h.Get("Retry-After") == "" {
		h.Set("Retry-After", strconv.Itoa(int(api.RetryAfter(err)/time.Second)))
	}
	if c.Request().Method == http.MethodHead {
		c.NoContent(code)
		return
	}
	c.String(code, line+"\n")
}

// faultOf returns the HTTP status and the one-line message for the request c, which failed with err. The message is in
// the language of the request.
func (s *Server) faultOf(err error, c echo.Context) (int, string) {
	lang := s.language(c)
	in := static.Errors(lang)
	var known *echo.HTTPError
	if !errors.As(err, &known) {
		if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return http.StatusRequestEntityTooLarge, errmsg.Newf("the body has more than %d bytes", large.Limit).In(in)
		}
		if r, ok := api.RefusalOf(err, lang); ok {
			return int(r.Kind), r.Line
		}
		s.log.Error("request failed", "path", c.Request().URL.Path, "err", err)
		return http.StatusInternalServerError, errmsg.Newf("the server failed; see its log").In(in)
	}
	switch m := known.Message.(type) {
	case errmsg.Message:
		return known.Code, m.In(in)
	case string:
		if m != http.StatusText(known.Code) {
			return known.Code, m
		}
	}
	return known.Code, noRoute(c, known.Code).In(in)
}

// noRoute returns the message for a request that matches no route. code is the status that the router returned: 404
// (not found), 405 (method not allowed) or another one, whose standard text is then the message.
func noRoute(c echo.Context, code int) errmsg.Message {
	path := usererr.Clip(c.Request().URL.Path)
	switch code {
	case http.StatusNotFound:
		return errmsg.Newf("there is nothing at %q", path)
	case http.StatusMethodNotAllowed:
		return errmsg.Newf("%q is not answered at %q; expected one of %s", usererr.Clip(c.Request().Method), path, c.Response().Header().Get(echo.HeaderAllow))
	}
	return errmsg.Newf("%s", strings.ToLower(http.StatusText(code)))
}
