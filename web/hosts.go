package web

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// hosts decides under which names the server may be addressed. A page of
// another site can make a browser send requests here under that site's name
// (DNS rebinding) or from that site's scripts; neither may reach a session.
type hosts struct {
	listen string   // host of the address listened on, "" for every interface
	allow  []string // further hosts, with or without a port, lower case
}

func newHosts(addr string, allow []string) hosts {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		host = addr
	}
	h := hosts{listen: strings.ToLower(host)}
	for _, a := range allow {
		h.allow = append(h.allow, plainHost(strings.ToLower(a)))
	}
	return h
}

// allowsHost says whether a request's Host may be served: the loopback, the
// address listened on, the address the connection came in at, or one allowed.
func (h hosts) allowsHost(r *http.Request) bool {
	full := strings.ToLower(r.Host)
	name := bareHost(full)
	if name == "" {
		return false
	}
	if slices.Contains(h.allow, plainHost(full)) || slices.Contains(h.allow, name) {
		return true
	}
	if name == "localhost" || strings.HasSuffix(name, ".localhost") || name == h.listen {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && (ip.IsLoopback() || ip == localAddr(r))
}

// allowsOrigin says whether a socket may be opened from where the request came:
// from this very host, from one allowed, or from no page at all.
func (h hosts) allowsOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(strings.ToLower(origin))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return false
	}
	return u.Host == strings.ToLower(r.Host) || slices.Contains(h.allow, plainHost(u.Host)) || slices.Contains(h.allow, bareHost(u.Host))
}

// bareHost is a Host without its port, its brackets and a last dot; "" when it
// is not one.
func bareHost(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	} else if strings.Count(host, ":") == 1 {
		return ""
	}
	return strings.TrimSuffix(strings.Trim(host, "[]"), ".")
}

// plainHost is a host with or without a port in one way of writing: no brackets
// that a port does not need, and no last dot.
func plainHost(host string) string {
	if _, port, err := net.SplitHostPort(host); err == nil {
		return net.JoinHostPort(bareHost(host), port)
	}
	return strings.TrimSuffix(strings.Trim(host, "[]"), ".")
}

// localAddr is the address of this machine that the request's connection was
// made to.
func localAddr(r *http.Request) netip.Addr {
	a, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if a == nil {
		return netip.Addr{}
	}
	p, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netip.Addr{}
	}
	return p.Addr().Unmap().WithZone("") // a zone is this machine's own business, and stands in no Host
}
