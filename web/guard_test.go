package web

import (
	"bytes"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim"
)

func TestForeignHostReachesNothing(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for _, path := range []string{"/", "/ws", "/healthz", "/static/x", "/api/scenarios", "/nowhere"} {
			a := h.get(path, "Host", "evil.example")
			if a.code != http.StatusForbidden || !strings.Contains(a.body, "--host-allow evil.example") || strings.Count(a.body, "\n") != 1 {
				t.Errorf("%s: %d %q", path, a.code, a.body)
			}
		}
	})
}

func TestForeignOriginOpensNoSocket(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		conn, a := h.dial("/ws", http.Header{"Origin": {"http://evil.example"}})
		if conn != nil || a.code != http.StatusForbidden || !strings.Contains(a.body, "evil.example") {
			t.Errorf("%d %q", a.code, a.body)
		}
		conn, _ = h.dial("/ws", http.Header{"Origin": {"http://127.0.0.1:8080"}})
		if conn == nil {
			t.Fatal("its own page may not open a socket")
		}
		conn.Close()
	})
}

func TestEveryAnswerIsGuarded(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		nonces := map[string]bool{}
		for _, path := range []string{"/", "/healthz", "/nowhere", "/?scenario=nope", "/static/nope"} {
			a := h.get(path)
			csp := a.header.Get("Content-Security-Policy")
			for _, want := range []string{"default-src 'none'", "script-src 'self' 'nonce-", "frame-ancestors 'self'", "base-uri 'none'", "connect-src 'self'"} {
				if !strings.Contains(csp, want) {
					t.Errorf("%s: policy %q lacks %q", path, csp, want)
				}
			}
			if strings.Contains(csp, "unsafe") {
				t.Errorf("%s: policy %q", path, csp)
			}
			if a.header.Get("X-Content-Type-Options") != "nosniff" || a.header.Get("Referrer-Policy") != "no-referrer" {
				t.Errorf("%s: headers %v", path, a.header)
			}
			_, after, _ := strings.Cut(csp, "'nonce-")
			nonce, _, _ := strings.Cut(after, "'")
			if len(nonce) < 20 || nonces[nonce] {
				t.Errorf("%s: nonce %q, is it new?", path, nonce)
			}
			nonces[nonce] = true
			if path == "/" && (!strings.Contains(a.body, `nonce="`+nonce+`"`) || strings.Contains(strings.ReplaceAll(a.body, `<script nonce="`+nonce+`"`, ""), "<script>")) {
				t.Error("the page's scripts do not carry its nonce")
			}
		}
	})
}

func TestLargeBodyIsRefusedUnread(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		r, _ := http.NewRequest("POST", "http://127.0.0.1:8080/", bytes.NewReader(nil))
		r.ContentLength = 100 << 20
		r.Header.Set("Expect", "100-continue")
		r.Body = unread{t}
		a, err := h.do(r)
		if err != nil {
			t.Fatal(err)
		}
		if a.code != http.StatusRequestEntityTooLarge || !strings.Contains(a.body, "104857600 bytes; at most 65536") {
			t.Errorf("%d %q", a.code, a.body)
		}
	})
}

// unread is a body that must not be read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) { u.t.Error("the body was sent"); return 0, net.ErrClosed }
func (u unread) Close() error             { return nil }

func TestLongAddressIsRefused(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		a := h.get("/?scenario=" + strings.Repeat("x", QueryMax))
		if a.code != http.StatusRequestURITooLong || len(a.body) > 200 {
			t.Errorf("%d %q", a.code, a.body)
		}
	})
}

func TestPortInUseIsOneLine(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	s, err := New(Config{Addr: ln.Addr().String(), Store: store})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Listen(); err == nil || !strings.Contains(err.Error(), ln.Addr().String()+" is in use") || strings.Contains(err.Error(), "\n") {
		t.Errorf("listening on a port in use: %v", err)
	}
	for _, bad := range []string{"", "no port", "127.0.0.1:99999", "256.0.0.1:1"} { // "" would be all interfaces
		s, err := New(Config{Addr: bad, Store: store})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Listen(); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestBasePath(t *testing.T) {
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	for _, bad := range []string{"wheelscope", "/a//b", "/a/../b", "/a?b", "/a b", "/a:b", `/"`} {
		if _, err := New(Config{Addr: "127.0.0.1:0", Store: store, BasePath: bad}); err == nil {
			t.Errorf("base path %q is taken", bad)
		}
	}
	inBubble(t, Config{BasePath: "/lab/"}, func(t *testing.T, h *harness) {
		a := h.get("/lab/")
		if a.code != http.StatusOK || !strings.Contains(a.body, `"/lab/static/`) || !strings.Contains(a.body, `"socket":"/lab/ws?`) {
			t.Errorf("%d, is the base path in the addresses?", a.code)
		}
		if a := h.get("/lab"); a.code != http.StatusPermanentRedirect || a.header.Get("Location") != "/lab/" {
			t.Errorf("/lab: %d %q", a.code, a.header.Get("Location"))
		}
		if a := h.get("/"); a.code != http.StatusNotFound {
			t.Errorf("/: %d", a.code)
		}
		c := h.client("/lab/ws")
		c.close()
	})
}

// All requests from one address are one client of the fair queues.
func TestClientOfARequest(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.7:1234":          "address 192.0.2.7",
		"192.0.2.7:99":            "address 192.0.2.7",
		"[::ffff:192.0.2.7]:5":    "address 192.0.2.7",
		"[2001:db8:1:2::3]:5":     "address 2001:db8:1:2::",
		"[2001:db8:1:2:ffff::]:5": "address 2001:db8:1:2::",
		"[fe80::1%eth0]:5":        "address fe80::",
		"@":                       "address @", // a Unix socket
	} {
		s, err := New(Config{Addr: "127.0.0.1:0", Store: sim.NewStore(sim.StoreOptions{})})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.library.Store.Close)
		r := httptest.NewRequest("GET", "http://localhost/", nil)
		r.RemoteAddr = remote
		var got string
		e := echo.New()
		err = s.guard(func(c echo.Context) error {
			got = fairqueue.Client(c.Request().Context())
			return nil
		})(e.NewContext(r, httptest.NewRecorder()))
		if err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", remote, got, err, want)
		}
	}
}
