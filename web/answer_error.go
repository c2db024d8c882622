package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/api"
)

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
	if h := c.Response().Header(); code == http.StatusServiceUnavailable && strings.Contains(c.Request().Header.Get("Accept"), "text/html") {
		h.Set("Refresh", h.Get("Retry-After")) // a browser asks again by itself
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
	if r, ok := api.RefusalOf(err, lang); ok {
		return int(r.Kind), r.Line
	}
	var fault *texts.Error
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		fault = texts.Errorf(http.StatusRequestEntityTooLarge, "", "the body has more than %d bytes", large.Limit)
	} else if routed, ok := errors.AsType[*echo.HTTPError](err); ok {
		fault = noRoute(c, routed)
	} else {
		s.log.Error("request failed", "path", c.Request().URL.Path, "err", err)
		fault = texts.Errorf(http.StatusInternalServerError, "", "the server failed; see its log")
	}
	return int(fault.Kind), fault.In(static.Messages(lang))
}

// noRoute returns the error for a request for which the router or a part of echo returned err: 404 (not found), 405
// (method not allowed) or another one, which has its own text or the standard one.
func noRoute(c echo.Context, err *echo.HTTPError) *texts.Error {
	kind, path := texts.Kind(err.Code), texts.Clip(c.Request().URL.Path)
	if text, ok := err.Message.(string); ok && text != http.StatusText(err.Code) {
		return texts.Errorf(kind, "", "%s", text)
	}
	switch err.Code {
	case http.StatusNotFound:
		return texts.Errorf(kind, "", "there is nothing at %q", path)
	case http.StatusMethodNotAllowed:
		return texts.Errorf(kind, "", "%q is not answered at %q; expected one of %s", texts.Clip(c.Request().Method), path, c.Response().Header().Get(echo.HeaderAllow))
	}
	return texts.Errorf(kind, "", "%s", strings.ToLower(http.StatusText(err.Code)))
}
