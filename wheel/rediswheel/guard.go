package rediswheel

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"time"

	"code.dny.dev/ssrf"
)

// ErrPrivate is a callback that was not made, because its name leads to an address
// that is not the public internet's.
var ErrPrivate = errors.New("the address is private, link-local or this machine's own")

// errRedirects is a callback that was sent on too often.
var errRedirects = errors.New("too many redirects")

// Times of a callback's connection, within its whole time.
const (
	connectWait = 5 * time.Second
	idleWait    = 30 * time.Second
)

// newClient makes the client for callbacks. Unless private addresses are allowed, every
// address that is dialled is checked, after its name was resolved: neither a name
// that changes its address nor a redirect gets past. For the same reason no
// proxy of the environment is used.
func newClient(o *WorkerOptions) *http.Client {
	dialer := &net.Dialer{Timeout: connectWait}
	if !o.AllowPrivate {
		dialer.Control = guard(o.AllowNets).Safe
	}
	return &http.Client{
		Transport: &http.Transport{
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
			MaxResponseHeaderBytes: responseHeaderMax,
			DisableCompression:     true,
			ForceAttemptHTTP2:      true,
		},
		CheckRedirect: func(r *http.Request, via []*http.Request) error { return checkRedirect(r, via, o.Redirects) },
	}
}

// guard checks the addresses that are dialled: the public internet's, and those of some networks.
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

// checkRedirect says whether a redirect is followed. One after which net/http would send
// another method, or no body (301, 302 and 303 to all but a plain GET or HEAD), is not:
// what it leads to, often a page to log in, would answer 200 to a task it never got.
func checkRedirect(r *http.Request, via []*http.Request, most int) error {
	if r.Method != via[0].Method || r.ContentLength != via[0].ContentLength {
		return http.ErrUseLastResponse
	}
	if len(via) > most {
		return errRedirects
	}
	return nil
}
