package web

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// hosts decides under which names the server may be addressed. A page of
// another site can make a browser send requests here under that site's name
// (DNS rebinding) or from that site's scripts; neither may reach a session.
type hosts struct {
	listen string      // host of the address listened on, "" for every interface
	allow  []hostEntry // further hosts
}

// hostEntry is one value of --host-allow.
type hostEntry struct {
	name  string // lower case, an IP address in its shortest form
	port  string // "": every port
	below bool   // every name that ends in a dot and name, as *.name
}

// matches reports whether a host is allowed by the entry. A host without a port has the
// default one of a scheme, which is not in the request.
func (e *hostEntry) matches(name, port string) bool {
	switch {
	case e.below && (name[0] == '.' || !strings.HasSuffix(name, "."+e.name)), !e.below && name != e.name:
		return false
	case port == "":
		return e.port == "" || e.port == "80" || e.port == "443"
	}
	return e.port == "" || e.port == port
}

// newHosts reads the values of --host-allow. One that no request can match is an error.
func newHosts(addr string, allow []string) (hosts, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		host = addr
	}
	h := hosts{listen: canonicalName(strings.ToLower(host))}
	for _, value := range allow {
		e, err := readHostEntry(value)
		if err != nil {
			return hosts{}, err
		}
		h.allow = append(h.allow, e)
	}
	return h, nil
}

// hostName is a name in the form in which browsers send it.
var hostName = regexp.MustCompile(`^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$`)

// readHostEntry reads HOST, HOST:PORT, *.HOST or *.HOST:PORT.
func readHostEntry(value string) (e hostEntry, err error) {
	bad := func(format string, args ...any) (hostEntry, error) {
		return hostEntry{}, fmt.Errorf("host-allow: %q can never match: %s; expected HOST or HOST:PORT, such as lab.example.org", clip(value), fmt.Sprintf(format, args...))
	}
	name, port, split := splitHost(strings.ToLower(value))
	switch n, err := strconv.ParseUint(port, 10, 16); {
	case strings.Contains(value, "://"):
		return bad("a host has no scheme")
	case strings.ContainsAny(value, "/?#@"):
		return bad("a host has no path and no user")
	case strings.ContainsAny(value, " \t\r\n"):
		return bad("a host has no spaces")
	case !split || name == "":
		return bad("it is not a host")
	case strings.HasSuffix(value, ":") && strings.Count(value, ":") == 1, port != "" && (err != nil || n == 0 || strconv.FormatUint(n, 10) != port):
		return bad("the port is not a number from 1 to 65535")
	}
	e.name, e.below = strings.CutPrefix(name, "*.")
	e.port = port
	if _, err := netip.ParseAddr(e.name); err == nil && !e.below && !strings.Contains(e.name, "%") {
		e.name = canonicalName(e.name)
		return e, nil
	}
	last := e.name[strings.LastIndexByte(e.name, '.')+1:]
	switch ascii, err := idna.Lookup.ToASCII(e.name); {
	case strings.Contains(e.name, "*"):
		return bad("a wildcard may only be the first part, as in *.example.org")
	case !hostName.MatchString(e.name) && err == nil && hostName.MatchString(ascii):
		return bad("browsers send it as %s", ascii)
	case !hostName.MatchString(e.name) || len(e.name) > 253:
		return bad("it is not a host")
	case last[0] >= '0' && last[0] <= '9' && (strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x")):
		return bad("browsers send an IP address as four numbers, and wildcards match names only")
	}
	return e, nil
}

// splitHost separates a Host, in lower case, into its name without brackets and last dot,
// and its port, "" if it has none. ok is false where it is neither.
func splitHost(host string) (name, port string, ok bool) {
	name = host
	if n, p, err := net.SplitHostPort(host); err == nil {
		name, port = n, p
	} else if strings.Count(host, ":") == 1 {
		return "", "", false
	}
	return strings.TrimSuffix(strings.Trim(name, "[]"), "."), port, true
}

// canonicalName writes an IP address as browsers do, and leaves a name as it is.
func canonicalName(name string) string {
	if ip, err := netip.ParseAddr(name); err == nil {
		return ip.String()
	}
	return name
}

// listed reports whether a host is one of --host-allow.
func (h *hosts) listed(name, port string) bool {
	return slices.ContainsFunc(h.allow, func(e hostEntry) bool { return e.matches(canonicalName(name), port) })
}

// allowsHost reports whether a request's Host may be served: the loopback, the
// address listened on, the address the connection came in at, or one of --host-allow.
func (h *hosts) allowsHost(r *http.Request) bool {
	name, port, ok := splitHost(strings.ToLower(r.Host))
	switch {
	case !ok || name == "":
		return false
	case name == "localhost" || canonicalName(name) == h.listen || h.listed(name, port):
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && (ip.Unmap().IsLoopback() || ip.Unmap() == localAddr(r))
}

// allowsOrigin reports whether the page that sent a request may do so: one of the same
// host and port, or one that --host-allow lists with its port, which is for proxies that
// change the Host. A request without an Origin comes from no page, or from the same one.
// The scheme must be http, or https where a proxy may have ended TLS: where the host is
// one of --host-allow.
func (h *hosts) allowsOrigin(r *http.Request) bool {
	switch len(r.Header.Values("Origin")) {
	case 0:
		return true
	case 1:
	default:
		return false
	}
	u, err := url.Parse(strings.ToLower(r.Header.Get("Origin")))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.Path != "" || u.RawQuery != "" {
		return false
	}
	name, port, ok := splitHost(u.Host)
	if !ok || name == "" {
		return false
	}
	standard := map[string]string{"http": "80", "https": "443"}
	if port == "" {
		port = standard[u.Scheme]
	}
	for i := range h.allow {
		e := &h.allow[i]
		if e.port == port && e.matches(name, port) && (standard[u.Scheme] == port || port != "80" && port != "443") {
			return true
		}
	}
	host, hostPort, ok := splitHost(strings.ToLower(r.Host))
	if !ok || canonicalName(host) != canonicalName(name) {
		return false
	}
	secure := r.TLS != nil || h.listed(host, hostPort)
	if hostPort == "" {
		hostPort = standard[u.Scheme]
	}
	return hostPort == port && (secure || u.Scheme == "http")
}

// bareHost returns a Host without its port, its brackets and a last dot; "" when it
// is not one.
func bareHost(host string) string {
	name, _, _ := splitHost(host)
	return name
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
