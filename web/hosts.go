package web

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/internal/texts"
	"golang.org/x/net/idna"
)

// hostList decides which hosts a server may be addressed by, and which origins may use it. Another site can make a browser send
// requests to the server, either from its scripts or under its own host name (DNS rebinding). Such requests
// must not reach a session.
type hostList struct {
	listen string      // host of the address to listen on, as browsers send it; "" for an address such as ":8080"
	allow  []hostEntry // values of --host-allow
}

// hostEntry is one value of --host-allow.
type hostEntry struct {
	name  string // name in lower case, without "*.", or IP address in the form that browsers send
	port  string // port; "" means any
	below bool   // whether the entry is *.name, which matches every subdomain of name, but not name itself
}

// matches reports whether e allows the host with the given name and port. If port is "", the host uses the default port
// of the request's scheme. The scheme is unknown here, so matches then accepts an entry with port 80 or 443, or without
// a port.
func (e *hostEntry) matches(name, port string) bool {
	switch {
	case e.below && (name[0] == '.' || !strings.HasSuffix(name, "."+e.name)), !e.below && name != e.name:
		return false
	case port == "":
		return e.port == "" || e.port == "80" || e.port == "443"
	}
	return e.port == "" || e.port == port
}

// newHostList returns the hosts that are allowed for a server that listens on addr. allow lists additional hosts, in
// the form of the values of --host-allow. New returns an error if an element of allow is malformed.
func newHostList(addr string, allow []string) (hostList, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		host = addr
	}
	h := hostList{listen: canonicalName(strings.ToLower(host))}
	for _, value := range allow {
		e, err := readHostEntry(value)
		if err != nil {
			return hostList{}, err
		}
		h.allow = append(h.allow, e)
	}
	return h, nil
}

// hostName matches a host name in the form that browsers send.
var hostName = regexp.MustCompile(`^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$`)

// readHostEntry parses value, which must have the form HOST, HOST:PORT, *.HOST or *.HOST:PORT.
func readHostEntry(value string) (e hostEntry, err error) {
	bad := func(format string, args ...any) (hostEntry, error) {
		return hostEntry{}, fmt.Errorf("host-allow: %q can never match: %s; expected HOST or HOST:PORT, such as lab.example.org", texts.Clip(value), fmt.Sprintf(format, args...))
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

// splitHost splits host into a name, without brackets and final dot, and a port. host must be in lower case. If host
// has no port, port is "". If host is malformed, ok is false.
func splitHost(host string) (name, port string, ok bool) {
	name = host
	if n, p, err := net.SplitHostPort(host); err == nil {
		name, port = n, p
	} else if strings.Count(host, ":") == 1 {
		return "", "", false
	}
	return strings.TrimSuffix(strings.Trim(name, "[]"), "."), port, true
}

// canonicalName returns name or, if it is an IP address, the form of the address that browsers send.
func canonicalName(name string) string {
	if ip, err := netip.ParseAddr(name); err == nil {
		return ip.String()
	}
	return name
}

// listed reports whether --host-allow lists the host with the given name and port. port is "" if the request
// has none.
func (h *hostList) listed(name, port string) bool {
	return slices.ContainsFunc(h.allow, func(e hostEntry) bool { return e.matches(canonicalName(name), port) })
}

// allowsHost reports whether the Host of request r is allowed: localhost, a loopback address, the host that the
// server listens on, the local address of the connection, or a host that --host-allow lists.
func (h *hostList) allowsHost(r *http.Request) bool {
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

// allowsOrigin reports whether the origin of request r is allowed. A request without an Origin header is allowed.
// Otherwise the origin must meet one of two conditions:
//
//   - --host-allow lists the host and the port of the origin. This is for proxies that change the Host header.
//   - The host and the port of the origin are those of the Host header, and its scheme is http. The scheme may also be
//     https if the connection uses TLS or --host-allow lists the host: a proxy may have terminated TLS.
func (h *hostList) allowsOrigin(r *http.Request) bool {
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
	port = cmp.Or(port, standard[u.Scheme])
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
	hostPort = cmp.Or(hostPort, standard[u.Scheme])
	return hostPort == port && (secure || u.Scheme == "http")
}

// bareHost returns host without its port, brackets and final dot, or "" if it is malformed.
func bareHost(host string) string {
	name, _, _ := splitHost(host)
	return name
}

// localAddr returns the local address of the connection of r, or the zero Addr if it is unknown.
func localAddr(r *http.Request) netip.Addr {
	a, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if a == nil {
		return netip.Addr{}
	}
	p, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netip.Addr{}
	}
	return p.Addr().Unmap().WithZone("") // a zone is local to this machine and never part of a Host
}
