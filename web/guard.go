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
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/pages"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// guard is middleware for all routes. It sets the security headers of the response, and rejects requests that
// are addressed to another host, sent by another site, too large, or without the token.
func (s *Server) guard(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		nonce := newNonce()
		secure(c.Response().Header(), nonce)
		c.SetRequest(r.WithContext(fairqueue.WithClient(templ.WithNonce(r.Context(), nonce), clientAt(r.RemoteAddr))))
		switch {
		case !s.hosts.allowsHost(r):
			return texts.Errorf(http.StatusForbidden, "", "host %q is not served here; start with --host-allow %s to allow it", texts.Clip(r.Host), texts.Clip(bareHost(r.Host)))
		case !s.hosts.allowsOrigin(r):
			return texts.Errorf(http.StatusForbidden, "", "origin %q may not use this server; behind a proxy that changes the Host, start with --host-allow and the host and port of that origin", texts.Clip(r.Header.Get("Origin")))
		case !s.allowsFetch(r):
			return texts.Errorf(http.StatusForbidden, "", "another site may only link to the pages of this server, and embed those with embed=1")
		case r.ContentLength > s.bodyMax(r):
			return tooLarge(c, r.ContentLength, s.bodyMax(r))
		case len(r.URL.RawQuery) > QueryMax:
			return texts.Errorf(http.StatusRequestURITooLong, "", "the address has more than %d bytes after its question mark", QueryMax)
		}
		if done, err := s.authenticate(c); done || err != nil {
			return err
		}
		// Set on c's request, which authenticate may have replaced. A Content-Length over the limit
		// is refused above.
		c.Request().Body = http.MaxBytesReader(c.Response().Writer, r.Body, s.bodyMax(r))
		return next(c)
	}
}

// clientAt returns the name of the fairqueue client that is charged for requests from the address remote. It ignores
// all but the first 64 bits of an IPv6 address, because a host can use any address in its network.
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

// bodyMax returns the maximum size, in bytes, of the body of r, which depends on the route.
func (s *Server) bodyMax(r *http.Request) int64 {
	switch r.URL.Path {
	case s.base + importPath:
		return protocol.ImportBytesMax
	case s.base + estimatePath:
		return sim.ServerScenarioMax
	}
	return BodyBytesMax
}

// tooLarge returns the error for a body of size bytes, which exceeds limit. It makes the server close the
// connection, because the body is not read.
func tooLarge(c echo.Context, size, limit int64) error {
	c.Response().Header().Set("Connection", "close")
	return texts.Errorf(http.StatusRequestEntityTooLarge, "", "the body has %d bytes; at most %d are read. A scenario is opened by the page's file picker or on the command line", size, limit)
}

// secure sets security headers in h. They forbid scripts and styles from other servers, inline scripts and styles
// without the given nonce, and framing by other sites.
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

// frameable changes the headers set by secure so that other sites may embed the page in a frame. This is safe because
// an embedded page contains no data about the visitor, and a click in it can only move a cursor.
func frameable(h http.Header) {
	const only = "; frame-ancestors 'self'"
	h.Set("Content-Security-Policy", strings.TrimSuffix(h.Get("Content-Security-Policy"), only))
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
}

// newNonce returns a random 128-bit nonce in base64. It allows the inline scripts and styles of one response; see
// secure.
func newNonce() string {
	var b [16]byte
	rand.Read(b[:])
	return base64.StdEncoding.EncodeToString(b[:])
}

// allowsFetch reports whether the Fetch Metadata headers of r allow the server to answer it. Browsers describe in these
// headers (W3C, Sec-Fetch-*) what caused a request. A request caused by the user or by a page of this server is
// allowed. Another site, even of the same registrable domain, may open a page of this server as the document of a tab,
// or embed the page "/" with the query parameter embed=1 in a frame. It may not load anything else, such as an image or
// a script, prefetch a page, or link to a file to download, such as /trace. Requests without these headers are allowed,
// because some browsers never send them, and all browsers omit them over plain HTTP except to the loopback interface.
func (s *Server) allowsFetch(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	}
	if r.Header.Get("Sec-Fetch-Mode") != "navigate" || !s.isPage(r.URL.Path) ||
		r.Method != http.MethodGet && r.Method != http.MethodHead || strings.Contains(r.Header.Get("Sec-Purpose"), "prefetch") {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Dest") {
	case "document":
		return true
	case "iframe", "frame", "embed", "object":
		return r.URL.Path == s.base+"/" && r.URL.Query().Get("embed") == "1"
	}
	return false
}

// isPage reports whether path is the path of an HTML page.
func (s *Server) isPage(path string) bool {
	below, ok := strings.CutPrefix(path, s.base)
	return ok && (below == "" || below == "/worker" || pages.Has(below) || pages.Has(strings.TrimSuffix(below, "/")))
}
