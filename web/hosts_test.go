package web

import (
	"context"
	"net"
	"net/http"
	"testing"
)

// addressed is a request for a host that came in at an address of this machine.
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

// A name that an attacker's own name server points at this machine (DNS
// rebinding) is refused, however the server listens.
func TestHostsRefuseRebinding(t *testing.T) {
	for _, listen := range []string{"127.0.0.1:8080", "localhost:8080", "[::1]:8080", ":8080", "0.0.0.0:8080", "[::]:8080", "192.168.1.20:8080"} {
		h := newHosts(listen, nil)
		for _, host := range []string{"evil.example", "evil.example:8080", "127.0.0.1.evil.example:8080", "localhost.evil.example", "evillocalhost", "xn--localhost-1",
			"rbndr.us", "7f000001.c0a80001.rbndr.us:8080", "localhost@evil.example", "evil.example#localhost", "2130706433", "0177.0.0.1", "127.1", "::ffff:8.8.8.8", "[fe80::1]:8080", "8.8.8.8:8080"} {
			if h.allowsHost(addressed(host, "127.0.0.1:8080")) {
				t.Errorf("listening on %s: host %q is served", listen, host)
			}
		}
	}
}

// The loopback is served under each of its names, with any port: a tunnel may
// give another.
func TestHostsServeTheLoopback(t *testing.T) {
	h := newHosts(":8080", nil)
	for _, host := range []string{"localhost", "localhost.", "lab.localhost:3000", "127.0.0.1", "127.0.0.53:1", "[::1]", "[::1]:65535", "::1", "[::ffff:127.0.0.1]:8080"} {
		if !h.allowsHost(addressed(host, "")) {
			t.Errorf("host %q is refused", host)
		}
	}
}

// A server for others is served under the address at which a request came in.
func TestHostsServeTheirOwnAddress(t *testing.T) {
	h := newHosts("0.0.0.0:8080", nil)
	for _, c := range []struct {
		host, at string
		want     bool
	}{
		{"192.168.1.20:8080", "192.168.1.20:8080", true},
		{"192.168.1.20", "192.168.1.20:8080", true},
		{"192.168.1.21:8080", "192.168.1.20:8080", false},
		{"[2001:db8::7]:8080", "[2001:db8::7]:8080", true},
		{"[2001:db8::8]:8080", "[2001:db8::7]:8080", false},
		{"192.168.1.20:8080", "[::ffff:192.168.1.20]:8080", true}, // a socket for both families
		{"192.168.1.20:8080", "", false},
		{"[fe80::7]:8080", "[fe80::7%eth0]:8080", true}, // a browser keeps the zone to itself
		{"[fe80::8]:8080", "[fe80::7%eth0]:8080", false},
	} {
		if got := h.allowsHost(addressed(c.host, c.at)); got != c.want {
			t.Errorf("host %q at %q: %v, want %v", c.host, c.at, got, c.want)
		}
	}
}

// A name that is listened on, or allowed, in any case and with a last dot.
func TestHostsGivenByName(t *testing.T) {
	h := newHosts("Lab.Example:8080", []string{"Lecture.Example.org.", "proxy.example:8443"})
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

// Behind a proxy the page's origin is the proxy's name, which must be allowed;
// the port counts where one was given.
func TestOriginsBehindAProxy(t *testing.T) {
	h := newHosts("127.0.0.1:8080", []string{"lecture.example.org", "lab.example:8443"})
	for _, c := range []struct {
		host, origin string
		want         bool
	}{
		{"127.0.0.1:8080", "https://lecture.example.org", true},
		{"127.0.0.1:8080", "https://lecture.example.org:8443", true},
		{"127.0.0.1:8080", "https://lab.example:8443", true},
		{"127.0.0.1:8080", "https://lab.example", false},
		{"127.0.0.1:8080", "https://lecture.example.org.evil.example", false},
		{"127.0.0.1:8080", "https://evil.example/lecture.example.org", false},
		{"127.0.0.1:8080", "https://lecture.example.org@evil.example", false},
		{"[::1]:8080", "http://[::1]:8080", true},
		{"[::1]:8080", "http://[::1]:8081", false},
		{"localhost:8080", "http://127.0.0.1:8080", false},
		{"localhost:8080", "chrome-extension://localhost:8080", false},
		{"localhost:8080", "http://local%host:8080", false},
	} {
		r := addressed(c.host, "")
		r.Header.Set("Origin", c.origin)
		if got := h.allowsOrigin(r); got != c.want {
			t.Errorf("%s from %s: %v, want %v", c.host, c.origin, got, c.want)
		}
	}
}
