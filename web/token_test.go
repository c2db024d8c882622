package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
)

const testToken = "correct horse battery"

// Without the token only /healthz is answered. A URL with the token sets a cookie and is redirected
// to itself without it.
func TestToken(t *testing.T) {
	token := strings.ReplaceAll(testToken, " ", "-")
	inBubble(t, Config{Token: token, BasePath: "/lab", Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		for _, path := range []string{"/lab/", "/lab/ws", "/lab/trace?run=0", "/lab/api/scenarios", "/lab/" + static.Path("js/app.js"), "/lab/nowhere", "/healthz/", "/lab/healthz/"} {
			for _, headers := range [][]string{nil, {"Authorization", "Bearer wrong-wrong-wrong-wrong"}, {"Authorization", "Bearer"}, {"Authorization", "Basic " + token}, {"Cookie", tokenCookie + "=" + token}, {"Cookie", tokenCookie + "="}} {
				a := h.get(path, headers...)
				if a.code != http.StatusUnauthorized || strings.Count(a.body, "\n") != 1 || !strings.HasPrefix(a.header.Get("WWW-Authenticate"), "Bearer ") {
					t.Errorf("%s %v: %d %q", path, headers, a.code, a.body)
				}
			}
			if a := h.get(path+"?token=wrong", "Host", "127.0.0.1:8080"); a.code != http.StatusUnauthorized || a.header.Get("Set-Cookie") != "" {
				t.Errorf("%s with a wrong token: %d %v", path, a.code, a.header)
			}
		}
		for _, path := range []string{"/lab/healthz", "/healthz"} { // a health check may not know the base path
			if a := h.get(path); a.code != 200 || a.body != "ok\n" {
				t.Errorf("%s: %d %q", path, a.code, a.body)
			}
		}
		if a := h.get("/lab/", "Authorization", "bearer "+token); a.code != 200 {
			t.Errorf("with the header: %d %q", a.code, a.body)
		}
		a := h.get("/lab/?t=3&token=" + token + "&lang=en")
		cookie, err := http.ParseSetCookie(a.header.Get("Set-Cookie"))
		if a.code != http.StatusSeeOther || a.header.Get("Location") != "/lab/?lang=en&t=3" || a.header.Get("Cache-Control") != "no-store" || err != nil {
			t.Fatalf("%d %v: %v", a.code, a.header, err)
		}
		if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Path != "/lab" || strings.Contains(cookie.Value, token) {
			t.Errorf("cookie %+v", cookie)
		}
		pair := cookie.Name + "=" + cookie.Value
		if a := h.get("/lab/", "Cookie", pair); a.code != 200 {
			t.Errorf("with the cookie: %d %q", a.code, a.body)
		}
		conn, a := h.dial("/lab/ws", http.Header{"Cookie": {pair}})
		if conn == nil {
			t.Fatalf("a socket with the cookie: %d %q", a.code, a.body)
		}
		conn.Close()
		if a := h.get("//evil.example/lab/?token=" + token); strings.HasPrefix(a.header.Get("Location"), "//") {
			t.Errorf("redirected to %q", a.header.Get("Location"))
		}
	})
}

// The cookie is Secure if a proxy with TLS is in front of the server.
func TestSecureCookie(t *testing.T) {
	for _, secure := range []bool{false, true} {
		inBubble(t, Config{Token: "correct-horse-battery", TLSProxy: secure}, func(t *testing.T, h *harness) {
			cookie, err := http.ParseSetCookie(h.get("/?token=correct-horse-battery").header.Get("Set-Cookie"))
			if err != nil || cookie.Secure != secure {
				t.Errorf("TLSProxy %v: %+v, %v", secure, cookie, err)
			}
		})
	}
}

// A token must be too long to be guessed, and valid in a header.
func TestTokensRefused(t *testing.T) {
	for _, bad := range []string{"x", strings.Repeat("x", TokenMin-1), strings.Repeat("x", TokenMax+1), testToken, strings.Repeat("é", 20), "0123456789abcdef\n"} {
		if _, err := newToken(bad); err == nil || len(bad) > 1 && strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if k, err := newToken(strings.Repeat("x", TokenMin)); err != nil || k == nil {
		t.Error(err)
	}
}
