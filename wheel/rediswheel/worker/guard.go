package worker

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"time"

	"code.dny.dev/ssrf"
)

// ErrPrivate is returned for a callback that was not made because its address is neither on the public internet nor
// allowed by [Options].
var ErrPrivate = errors.New("the address is private, link-local or this machine's own; a worker with --allow-private or --allow-net may call it")

// errRedirects is returned for a callback with too many redirects.
var errRedirects = errors.New("too many redirects")

// Timeouts of a callback's connection, within the timeout of the callback.
const (
	connectWait = 5 * time.Second
	idleWait    = 30 * time.Second
)

// newClient returns the HTTP client for callbacks. Unless private addresses are allowed, it checks every address after
// name resolution, just before it connects to it, so that neither a changing DNS name nor a redirect bypasses the
// check. For the same reason it does not use a proxy from the environment.
func newClient(o *Options) *http.Client {
	dialer := &net.Dialer{Timeout: connectWait}
	if !o.AllowPrivate {
		dialer.Control = guard(o.AllowNets).Safe
	}
	transport := &http.Transport{
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := dialer.DialContext(ctx, network, addr)
			if errors.Is(err, ssrf.ErrProhibitedIP) {
				return nil, ErrPrivate
			}
			return conn, err
		},
		MaxIdleConns:           2 * o.Concurrency,
		MaxIdleConnsPerHost:    o.Concurrency,
		IdleConnTimeout:        idleWait,
		TLSHandshakeTimeout:    connectWait,
		MaxResponseHeaderBytes: responseMax,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
	}
	check := func(r *http.Request, via []*http.Request) error { return checkRedirect(r, via, o.Redirects) }
	return &http.Client{Transport: transport, CheckRedirect: check}
}

// guard returns a check of the addresses to which callbacks connect. It allows addresses on the public internet and
// those in nets.
func guard(nets []netip.Prefix) *ssrf.Guardian {
	var v4, v6 []netip.Prefix
	for _, p := range nets {
		if p.Addr().Is4() {
			v4 = append(v4, p)
		} else {
			v6 = append(v6, p)
		}
	}
	return ssrf.New(ssrf.WithAnyPort(), ssrf.WithAllowedV4Prefixes(v4...), ssrf.WithAllowedV6Prefixes(v6...))
}

// checkRedirect is used as http.Client.CheckRedirect. It returns an error if there were more than limit redirects. It
// also returns one if net/http would change the method or drop the body (301, 302 and 303 for all but a plain GET or
// HEAD), because the target, often a login page, would respond with status 200 without having received the task.
func checkRedirect(r *http.Request, via []*http.Request, limit int) error {
	if r.Method != via[0].Method || r.ContentLength != via[0].ContentLength {
		return http.ErrUseLastResponse
	}
	if len(via) > limit {
		return errRedirects
	}
	return nil
}
