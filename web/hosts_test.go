package web

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"strings"
	"testing"
)

// addressed returns a request for a host, on a connection to an address of this machine.
func addressed(host, at string) *http.Request {
	r := &http.Request{Host: host, Header: http.Header{}}
	if at == "" {
		return r
	}
	a, err := net.ResolveTCPAddr("tcp", at)
	if err != nil {
		panic(err)
	}
	return r.WithContext(context.WithValue(context.Background(), http.LocalAddrContextKey, net.Addr(a)))
}

// A name that an attacker's name server resolves to this machine (DNS rebinding) is refused,
// whatever the listen address.
func TestHostsRefuseRebinding(t *testing.T) {
	for _, listen := range []string{"127.0.0.1:8080", "localhost:8080", "[::1]:8080", ":8080", "0.0.0.0:8080", "[::]:8080", "192.168.1.20:8080"} {
		h := hostsOf(t, listen)
		for _, host := range []string{"evil.example", "evil.example:8080", "127.0.0.1.evil.example:8080", "localhost.evil.example", "evillocalhost", "a1.localhost:8080", "lab.localhost", "xn--localhost-1",
			"rbndr.us", "7f000001.c0a80001.rbndr.us:8080", "localhost@evil.example", "evil.example#localhost", "2130706433", "0177.0.0.1", "127.1", "::ffff:8.8.8.8", "[fe80::1]:8080", "8.8.8.8:8080"} {
			if h.allowsHost(addressed(host, "127.0.0.1:8080")) {
				t.Errorf("listening on %s: host %q is served", listen, host)
			}
		}
	}
}

// The loopback is served under each of its names, with any port: a tunnel may use another one.
func TestHostsServeTheLoopback(t *testing.T) {
	h := hostsOf(t, ":8080")
	for _, host := range []string{"localhost", "localhost.", "localhost:3000", "127.0.0.1", "127.0.0.53:1", "[::1]", "[::1]:65535", "::1", "[::ffff:127.0.0.1]:8080"} {
		if !h.allowsHost(addressed(host, "")) {
			t.Errorf("host %q is refused", host)
		}
	}
}

// A server for other machines is served under the address of the connection.
func TestHostsServeTheirOwnAddress(t *testing.T) {
	h := hostsOf(t, "0.0.0.0:8080")
	for _, c := range []struct {
		host, at string
		want     bool
	}{
		{"192.168.1.20:8080", "192.168.1.20:8080", true},
		{"192.168.1.20", "192.168.1.20:8080", true},
		{"192.168.1.21:8080", "192.168.1.20:8080", false},
		{"[2001:db8::7]:8080", "[2001:db8::7]:8080", true},
		{"[2001:db8::8]:8080", "[2001:db8::7]:8080", false},
		{"192.168.1.20:8080", "[::ffff:192.168.1.20]:8080", true}, // a socket for IPv4 and IPv6
		{"192.168.1.20:8080", "", false},
		{"[fe80::7]:8080", "[fe80::7%eth0]:8080", true}, // browsers do not send the zone
		{"[fe80::8]:8080", "[fe80::7%eth0]:8080", false},
	} {
		if got := h.allowsHost(addressed(c.host, c.at)); got != c.want {
			t.Errorf("host %q at %q: %v, want %v", c.host, c.at, got, c.want)
		}
	}
}

// The listen name and allowed names match in any case and with a final dot.
func TestHostsGivenByName(t *testing.T) {
	h := hostsOf(t, "Lab.Example:8080", "Lecture.Example.org.", "proxy.example:8443")
	for host, want := range map[string]bool{
		"lab.example:8080": true, "LAB.EXAMPLE": true, "lecture.example.org:443": true, "lecture.example.org.": true, "proxy.example:8443": true,
		"proxy.example": false, "proxy.example:443": false, "sub.lecture.example.org": false, "example.org": false, "lab.example.evil": false,
	} {
		if got := h.allowsHost(addressed(host, "")); got != want {
			t.Errorf("host %q: %v, want %v", host, got, want)
		}
	}
}

func TestBareHost(t *testing.T) {
	for host, want := range map[string]string{
		"a": "a", "a:1": "a", "a.": "a", "a.:1": "a", "[::1]": "::1", "[::1]:1": "::1", "::1": "::1", ":1": "", "": "", "a:": "a", "a:b:c": "a:b:c", "[": "", "[]:1": "",
	} {
		if got := bareHost(host); got != want {
			t.Errorf("%q is %q, want %q", host, got, want)
		}
	}
}

// Behind a proxy that keeps the Host the page's origin is the proxy's name, with either scheme; a
// proxy that changes the Host needs an entry with the port.
func TestOriginsBehindAProxy(t *testing.T) {
	h := hostsOf(t, "127.0.0.1:8080", "lecture.example.org", "lab.example:8443", "tls.example:443", "plain.example:80", "*.below.example")
	for _, c := range []struct {
		host, origin string
		want         bool
	}{
		{"lecture.example.org", "https://lecture.example.org", true},
		{"lecture.example.org", "http://lecture.example.org", true},
		{"lecture.example.org:443", "https://lecture.example.org", true},
		{"lecture.example.org", "https://lecture.example.org:443", true},
		{"lecture.example.org:8080", "http://lecture.example.org:8080", true},
		{"lecture.example.org:8080", "http://lecture.example.org", false}, // another program, on port 80
		{"lecture.example.org:8080", "https://lecture.example.org", false},
		{"lecture.example.org", "http://lecture.example.org:3000", false},
		{"lecture.example.org", "https://lecture.example.org:8443", false},
		{"a.below.example", "https://a.below.example", true},
		{"a.below.example", "https://b.below.example", false},
		{"127.0.0.1:8080", "https://lecture.example.org", false}, // the entry has no port
		{"127.0.0.1:8080", "https://lab.example:8443", true},
		{"127.0.0.1:8080", "http://lab.example:8443", true},
		{"127.0.0.1:8080", "https://lab.example", false},
		{"127.0.0.1:8080", "https://tls.example", true},
		{"127.0.0.1:8080", "http://tls.example", false},
		{"127.0.0.1:8080", "http://tls.example:443", false},
		{"127.0.0.1:8080", "http://plain.example", true},
		{"127.0.0.1:8080", "https://plain.example:80", false},
		{"127.0.0.1:8080", "https://lecture.example.org.evil.example", false},
		{"127.0.0.1:8080", "https://evil.example/lecture.example.org", false},
		{"127.0.0.1:8080", "https://lecture.example.org@evil.example", false},
		{"127.0.0.1:8080", "http://user@127.0.0.1:8080", false},
		{"[::1]:8080", "http://[::1]:8080", true},
		{"[::1]:8080", "http://[0:0::1]:8080", true},
		{"[::1]:8080", "http://[::1]:8081", false},
		{"localhost:8080", "http://127.0.0.1:8080", false},
		{"localhost", "http://localhost", true},
		{"localhost", "http://localhost:80", true},
		{"localhost", "https://localhost", false},
		{"localhost:8080", "chrome-extension://localhost:8080", false},
		{"localhost:8080", "http://local%host:8080", false},
	} {
		r := addressed(c.host, "")
		r.Header.Set("Origin", c.origin)
		if got := h.allowsOrigin(r); got != c.want {
			t.Errorf("%s from %s: %v, want %v", c.host, c.origin, got, c.want)
		}
	}
	r := addressed("localhost:8080", "")
	r.Header["Origin"] = []string{"http://localhost:8080", "http://evil.example"}
	if h.allowsOrigin(r) {
		t.Error("two origins are allowed")
	}
	r.Header["Origin"], r.TLS = []string{"https://localhost:8080"}, &tls.ConnectionState{}
	if !h.allowsOrigin(r) {
		t.Error("a page that came through TLS is refused")
	}
}

// hostsOf is New for valid entries.
func hostsOf(t *testing.T, addr string, allow ...string) hostList {
	t.Helper()
	h, err := newHostList(addr, allow)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// A value of --host-allow that no request can match is an error in one line that quotes it.
func TestHostAllowThatCanNeverMatch(t *testing.T) {
	for value, says := range map[string]string{
		"": "not a host", " ": "spaces", " lab.example": "spaces", "lab.example ": "spaces", "lab example": "spaces", "http://lab.example": "scheme", "https://lab.example:443": "scheme",
		"lab.example/": "path", "lab.example/page": "path", "me@lab.example": "path", "lab.example?x": "path", "lab.example:": "port", "lab.example:0": "port", "lab.example:65536": "port",
		"lab.example:http": "port", "lab.example:080": "port", "lab.example:+80": "port", ":8080": "not a host", "lab..example": "not a host", ".example": "not a host", "-.é\x00": "not a host",
		"*": "wildcard", "*.*.example": "wildcard", "lab.*.example": "wildcard", "lab*.example": "wildcard", "*.": "wildcard", "*.127.0.0.1": "IP address", "127.1": "IP address", "0x7f.1": "IP address",
		"256.0.0.1": "IP address", "0177.0.0.0x1": "IP address", "fe80::1%eth0": "not a host", "bücher.example": "xn--bcher-kva.example", strings.Repeat("a", 64) + ".example": "not a host",
		strings.Repeat("a.", 127) + "aa": "not a host",
	} {
		_, err := newHostList("127.0.0.1:8080", []string{"good.example", value})
		if err == nil || !strings.Contains(err.Error(), says) || strings.ContainsAny(err.Error(), "\n\x00") || !strings.HasPrefix(err.Error(), "host-allow: ") {
			t.Errorf("%q: %v; expected …%s…", value, err, says)
		}
	}
	for value, host := range map[string]string{
		"lab": "lab:8080", "LAB.example.": "lab.example", "lab.example:443": "lab.example", "lab.example:8443": "lab.example:8443", "*.localhost": "a1.localhost:8080", "*.example.org:80": "a.b.example.org",
		"10.0.0.1": "10.0.0.1:1", "::1": "[::1]", "[2001:DB8:0::7]:8080": "[2001:db8::7]:8080", "xn--bcher-kva.example": "xn--bcher-kva.example", "a_b.example": "a_b.example", "lab.7up": "lab.7up",
	} {
		h := hostsOf(t, "10.9.9.9:8080", value)
		if !h.allowsHost(addressed(host, "")) {
			t.Errorf("%q does not allow %s", value, host)
		}
	}
	h := hostsOf(t, "10.9.9.9:8080", "*.localhost", "lab.example:8443")
	for _, host := range []string{"evillocalhost", "x.localhost.evil.example", ".localhost", "lab.example", "lab.example:8080"} {
		if h.allowsHost(addressed(host, "")) {
			t.Errorf("%s is allowed", host)
		}
	}
}

func TestHosts(t *testing.T) {
	h := hostsOf(t, "192.168.1.20:8080", "lecture.example.org", "Other.example:9000")
	for host, want := range map[string]bool{
		"localhost":                true,
		"localhost:8080":           true,
		"LOCALHOST:1":              true,
		"127.0.0.1:8080":           true,
		"127.9.9.9":                true,
		"[::1]:8080":               true,
		"[::1]":                    true,
		"192.168.1.20:8080":        true,
		"192.168.1.21:8080":        false,
		"10.0.0.7:8080":            true, // the address of the connection
		"lecture.example.org":      true,
		"lecture.example.org.":     true,
		"lecture.example.org:80":   true,
		"other.example:9000":       true,
		"other.example:9001":       false,
		"evil.example":             false,
		"localhost.evil.example":   false,
		"127.0.0.1.evil.example":   false,
		"":                         false,
		":8080":                    false,
		"a:b:c":                    false,
		"127.0.0.1@evil.example":   false,
		"evil.example:8080:80":     false,
		"0x7f.1":                   false,
		"lecture.example.org.evil": false,
	} {
		r := &http.Request{Host: host, Header: http.Header{}}
		r = r.WithContext(context.WithValue(context.Background(), http.LocalAddrContextKey, net.Addr(&net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 8080})))
		if got := h.allowsHost(r); got != want {
			t.Errorf("host %q: %v, want %v", host, got, want)
		}
	}
}

func TestOrigins(t *testing.T) {
	h := hostsOf(t, "127.0.0.1:8080", "lecture.example.org")
	for origin, want := range map[string]bool{
		"":                            true, // not from a page
		"http://127.0.0.1:8080":       true,
		"https://127.0.0.1:8080":      false, // the server does not terminate TLS
		"HTTP://127.0.0.1:8080":       true,
		"http://127.0.0.1:8081":       false, // another program on this machine
		"http://localhost:8080":       false, // not the requested host
		"https://lecture.example.org": false, // not the requested host
		"http://evil.example":         false,
		"null":                        false, // a sandboxed frame, a file
		"file://127.0.0.1:8080":       false,
		"http://":                     false,
		"://":                         false,
	} {
		r := &http.Request{Host: "127.0.0.1:8080", Header: http.Header{}}
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		if got := h.allowsOrigin(r); got != want {
			t.Errorf("origin %q: %v, want %v", origin, got, want)
		}
	}
}

// Hosts are allowed in any notation.
func TestHostsAreAllowedAsWritten(t *testing.T) {
	h := hostsOf(t, "127.0.0.1:8080", "[2001:DB8::1]", "[2001:db8::2]:8080", "lab.example.:8080")
	for host, want := range map[string]bool{
		"[2001:db8::1]": true, "[2001:db8::1]:8080": true, "[2001:db8::2]:8080": true, "[2001:db8::2]:8081": false, "[2001:db8::2]": false,
		"lab.example:8080": true, "lab.example.:8080": true, "lab.example": false, "lab.example:80": false,
	} {
		r := addressed(host, "127.0.0.1:8080")
		if h.allowsHost(r) != want {
			t.Errorf("host %s: %v", host, !want)
		}
		from := addressed("127.0.0.1:8080", "127.0.0.1:8080")
		from.Header.Set("Origin", "https://"+host)
		// An origin that is not the Host needs an entry with its port.
		if want := want && !strings.HasPrefix(host, "[2001:db8::1]"); h.allowsOrigin(from) != want {
			t.Errorf("origin https://%s: %v", host, !want)
		}
	}
}
