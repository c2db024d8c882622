package web

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// guard stands before every route: it refuses what is addressed to another host
// or too large, and sets the headers that every answer has.
func (s *Server) guard(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		nonce := newNonce()
		secure(c.Response().Header(), nonce)
		c.SetRequest(r.WithContext(templ.WithNonce(r.Context(), nonce)))
		switch {
		case !s.hosts.allowsHost(r):
			return echo.NewHTTPError(http.StatusForbidden,
				fmt.Sprintf("host %q is not served here; start with --host-allow %s to allow it", clip(r.Host), clip(bareHost(r.Host))))
		case r.ContentLength > BodyBytesMax:
			return tooLarge(c, r.ContentLength)
		case len(r.URL.RawQuery) > QueryMax:
			return echo.NewHTTPError(http.StatusRequestURITooLong, fmt.Sprintf("the address has more than %d bytes after its question mark", QueryMax))
		}
		r.Body = http.MaxBytesReader(c.Response(), r.Body, BodyBytesMax)
		return next(c)
	}
}

// tooLarge refuses a body unread; the connection can't be used for more.
func tooLarge(c echo.Context, bytes int64) error {
	c.Response().Header().Set("Connection", "close")
	return echo.NewHTTPError(http.StatusRequestEntityTooLarge,
		fmt.Sprintf("the body has %d bytes; at most %d are read. A scenario is opened by the page's file picker or on the command line", bytes, BodyBytesMax))
}

// secure sets the headers that keep a page to its own: scripts and styles of
// this server only, nothing inline without the nonce, no framing by others.
func secure(h http.Header, nonce string) {
	h.Set("Content-Security-Policy", strings.Join([]string{
		"default-src 'none'",
		"script-src 'self' 'nonce-" + nonce + "'",
		"style-src 'self' 'nonce-" + nonce + "'",
		"img-src 'self' data: blob:",
		"font-src 'self'",
		"connect-src 'self'",
		"manifest-src 'self'",
		"frame-src 'self'",
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'self'",
	}, "; "))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// newNonce is 128 bits that can't be guessed.
func newNonce() string {
	var b [16]byte
	rand.Read(b[:])
	return base64.StdEncoding.EncodeToString(b[:])
}

// answerError answers a request that failed with one line of text.
func (s *Server) answerError(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	code, line := http.StatusInternalServerError, "the server failed; its log says more"
	var known *echo.HTTPError
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &known):
		code, line = known.Code, fmt.Sprint(known.Message)
	case errors.As(err, &large):
		code, line = http.StatusRequestEntityTooLarge, fmt.Sprintf("the body has more than %d bytes", large.Limit)
	default:
		s.log.Error("request failed", "path", c.Request().URL.Path, "err", err)
	}
	switch {
	case line != http.StatusText(code):
	case code == http.StatusNotFound:
		line = fmt.Sprintf("nothing is at %q", clip(c.Request().URL.Path))
	case code == http.StatusMethodNotAllowed:
		line = fmt.Sprintf("%s is not answered at %q; expected one of %s", clip(c.Request().Method), clip(c.Request().URL.Path), c.Response().Header().Get(echo.HeaderAllow))
	}
	if c.Request().Method == http.MethodHead {
		c.NoContent(code)
		return
	}
	c.String(code, line+"\n")
}
