package web

import (
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"net/netip"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim"
)

// guard runs before every route: it refuses requests that are addressed to another host,
// sent by another site, too large, or without the token, and sets the headers that every
// answer has.
func (s *Server) guard(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		nonce := newNonce()
		secure(c.Response().Header(), nonce)
		c.SetRequest(r.WithContext(fairqueue.WithClient(templ.WithNonce(r.Context(), nonce), clientAt(r.RemoteAddr))))
		switch {
		case !s.hosts.allowsHost(r):
			return deny(http.StatusForbidden, "host %q is not served here; start with --host-allow %s to allow it", clip(r.Host), clip(bareHost(r.Host)))
		case !s.hosts.allowsOrigin(r):
			return deny(http.StatusForbidden, "origin %q may not use this server; behind a proxy that changes the Host, start with --host-allow and the host and port of that origin", clip(r.Header.Get("Origin")))
		case !s.allowsFetch(r):
			return deny(http.StatusForbidden, "another site may only link to the pages of this server, and embed those with embed=1")
		case r.ContentLength > s.bodyMax(r):
			return tooLarge(c, r.ContentLength, s.bodyMax(r))
		case len(r.URL.RawQuery) > QueryMax:
			return deny(http.StatusRequestURITooLong, "the address has more than %d bytes after its question mark", QueryMax)
		}
		if done, err := s.authenticate(c); done || err != nil {
			return err
		}
		// Not r's, which is no longer the request of c. What tells its length is refused above.
		c.Request().Body = http.MaxBytesReader(c.Response().Writer, r.Body, s.bodyMax(r))
		return next(c)
	}
}

// clientAt returns the client of the fair queues to which the requests of an address are charged, all of them to one. Of
// an IPv6 address the first 64 bits count: a network gives a host as many addresses as it likes within them.
func clientAt(remote string) string {
	from, err := netip.ParseAddrPort(remote)
	if err != nil {
		return "address " + remote
	}
	addr := from.Addr().Unmap().WithZone("")
	if addr.Is6() {
		prefix, _ := addr.Prefix(64) // fails for more than 128 bits only
		addr = prefix.Addr()
	}
	return "address " + addr.String()
}

// bodyMax is how many bytes a request may bring: a file where files are read.
func (s *Server) bodyMax(r *http.Request) int64 {
	if r.URL.Path == s.base+importPath {
		return ImportBytesMax
	}
	if r.URL.Path == s.base+estimatePath {
		return sim.ServerScenarioMax
	}
	if r.URL.Path == s.base+contestPath {
		return ContestBytesMax
	}
	return BodyBytesMax
}

// tooLarge refuses a body unread; the connection can't be used for more.
func tooLarge(c echo.Context, bytes, most int64) error {
	c.Response().Header().Set("Connection", "close")
	return deny(http.StatusRequestEntityTooLarge, "the body has %d bytes; at most %d are read. A scenario is opened by the page's file picker or on the command line", bytes, most)
}

// secure sets the headers that keep a page to its own: scripts and styles of
// this server only, nothing inline without the nonce, no framing by others.
func secure(h http.Header, nonce string) {
	h.Set("Content-Security-Policy", strings.Join([]string{
		"default-src 'none'",
		"script-src 'self' 'nonce-" + nonce + "'",
		"style-src 'self' 'nonce-" + nonce + "'",
		"img-src 'self' data: blob:",
		"media-src blob:",
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

// frameable lets other sites show an embedded page: it holds nothing of the visitor's and
// does nothing but move a cursor.
func frameable(h http.Header) {
	const only = "; frame-ancestors 'self'"
	h.Set("Content-Security-Policy", strings.TrimSuffix(h.Get("Content-Security-Policy"), only))
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
}

// newNonce is 128 bits that can't be guessed.
func newNonce() string {
	var b [16]byte
	rand.Read(b[:])
	return base64.StdEncoding.EncodeToString(b[:])
}
