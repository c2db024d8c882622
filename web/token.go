package web

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/texts"
)

// tokenCookie is the name of the cookie that is set when a browser has sent the token.
const tokenCookie = "wheelscope_token"

// token is the secret that every request to a protected server must contain.
type token struct {
	sum    [sha256.Size]byte // SHA-256 of the token; it is compared instead of the token, so that the time of a comparison does not depend on the token's length
	cookie string            // value of the cookie, which is derived from the token but does not reveal it
}

// newToken returns the token with the given text, or nil if text is "". It returns an error if text is shorter than
// TokenMin or longer than TokenMax bytes, or contains a byte outside the range 0x21 to 0x7E (printable ASCII without
// space).
func newToken(text string) (*token, error) {
	if text == "" {
		return nil, nil
	}
	if len(text) < TokenMin || len(text) > TokenMax {
		return nil, fmt.Errorf("token: %d characters; expected %d to %d", len(text), TokenMin, TokenMax)
	}
	for _, b := range []byte(text) {
		if b <= ' ' || b > '~' {
			return nil, errors.New("token: expected printable ASCII characters without spaces")
		}
	}
	mac := hmac.New(sha256.New, []byte(text))
	mac.Write([]byte(tokenCookie))
	return &token{sum: sha256.Sum256([]byte(text)), cookie: hex.EncodeToString(mac.Sum(nil))}, nil
}

// is reports whether text is the token. Its running time does not depend on the token.
func (t *token) is(text string) bool {
	sum := sha256.Sum256([]byte(text))
	return hmac.Equal(sum[:], t.sum[:])
}

// carried reports whether r contains the token: either the token itself in the Authorization header, or the
// value derived from it in the cookie.
func (t *token) carried(r *http.Request) bool {
	if scheme, text, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") && t.is(strings.TrimSpace(text)) {
		return true
	}
	cookie, err := r.Cookie(tokenCookie)
	return err == nil && hmac.Equal([]byte(cookie.Value), []byte(t.cookie))
}

// authenticate checks that a request contains the token, if the server requires one; /healthz requires none. If the
// query of a GET or HEAD request contains the token, authenticate sets a cookie, and redirects to the URL without the
// token. If done is true, the request must not be processed further: it was redirected, or err is the reason for
// rejecting it.
func (s *Server) authenticate(c echo.Context) (done bool, err error) {
	r := c.Request()
	if s.token == nil || r.URL.Path == s.base+healthPath || r.URL.Path == healthPath {
		return false, nil
	}
	given := r.URL.Query()
	if given.Has("token") && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		if !s.token.is(given.Get("token")) {
			return true, unauthorized(c, texts.Errorf(http.StatusUnauthorized, "", "the token is wrong"))
		}
		c.SetCookie(&http.Cookie{Name: tokenCookie, Value: s.token.cookie, Path: cmp.Or(s.base, "/"), HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: s.secure || r.TLS != nil})
		c.Response().Header().Set("Cache-Control", "no-store")
		given.Del("token")
		to := *r.URL
		to.Scheme, to.Host, to.User, to.RawPath, to.RawQuery = "", "", nil, "", given.Encode()
		to.Path = "/" + strings.TrimLeft(to.Path, "/") // two slashes would begin a host
		return true, c.Redirect(http.StatusSeeOther, to.String())
	}
	if s.token.carried(r) {
		return false, nil
	}
	return true, unauthorized(c, texts.Errorf(http.StatusUnauthorized, "", "a token is needed: open the page with ?token=TOKEN, or send Authorization: Bearer TOKEN"))
}

// unauthorized sets the headers of a response with status 401 (unauthorized), such as WWW-Authenticate, and returns
// err, which the caller must send as the response.
func unauthorized(c echo.Context, err error) error {
	c.Response().Header().Set("WWW-Authenticate", `Bearer realm="wheelscope"`)
	c.Response().Header().Set("Cache-Control", "no-store")
	return err
}
