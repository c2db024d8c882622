package signature

import (
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const text = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

func secret(t *testing.T, text string) Secret {
	t.Helper()
	s, err := ParseSecret(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The signature matches the example of the Standard Webhooks reference libraries.
func TestSignatureOfTheSpecification(t *testing.T) {
	sum := secret(t, text).sum("msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", []byte(`{"test": 2432232314}`))
	if got := base64.StdEncoding.EncodeToString(sum); got != "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" {
		t.Errorf("%s", got)
	}
}

// A signed request is valid with any of its secrets, and in no other case.
func TestVerify(t *testing.T) {
	now, due := time.Unix(1_700_000_000, 0), time.UnixMilli(1_699_999_999_123).UTC()
	first, second := secret(t, text), secret(t, "whsec_"+base64.StdEncoding.EncodeToString(make([]byte, 24)))
	third := secret(t, "whsec_"+base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", 64))))
	signed := func() http.Header {
		h := http.Header{}
		h.Set("Wheelscope-Key", "order_7%2F%20%C3%A9")
		Sign(h, []Secret{first, second}, ID("order_7/ é", due), now, []byte("body"))
		return h
	}
	for _, s := range []Secret{first, second} {
		m, err := Verify(signed(), []byte("body"), now.Add(time.Minute), third, s)
		if err != nil || m.Key != "order_7/ é" || !m.Due.Equal(due) || !m.Sent.Equal(now) || string(m.Body) != "body" {
			t.Errorf("%+v, %v", m, err)
		}
	}
	for name, c := range map[string]struct {
		change func(http.Header)
		body   string
		later  time.Duration
		secret Secret
	}{
		"body":      {body: "Body"},
		"secret":    {secret: third},
		"late":      {later: Tolerance + time.Second},
		"early":     {later: -Tolerance - time.Second},
		"timestamp": {change: func(h http.Header) { h.Set(HeaderTimestamp, "1700000001") }},
		"no time":   {change: func(h http.Header) { h.Del(HeaderTimestamp) }},
		"id":        {change: func(h http.Header) { h.Set(HeaderID, ID("order_8", due)) }},
		"other key": {change: func(h http.Header) { h.Set("Wheelscope-Key", "order_8") }},
		"unsigned":  {change: func(h http.Header) { h.Del(HeaderSignature) }},
		"version":   {change: func(h http.Header) { h.Set(HeaderSignature, strings.ReplaceAll(h.Get(HeaderSignature), "v1,", "v2,")) }},
	} {
		h := signed()
		if c.change != nil {
			c.change(h)
		}
		if c.body == "" {
			c.body = "body"
		}
		if c.secret == nil {
			c.secret = first
		}
		if m, err := Verify(h, []byte(c.body), now.Add(c.later), c.secret); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
}

// A request with a body that is too long is rejected before the whole body is read.
func TestVerifyRequest(t *testing.T) {
	s := secret(t, text)
	for size, want := range map[int]bool{BodyMax: true, BodyMax + 1: false} {
		body := strings.Repeat("x", size)
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		Sign(r.Header, []Secret{s}, ID("k", time.Now()), time.Now(), []byte(body))
		if m, err := VerifyRequest(httptest.NewRecorder(), r, s); (err == nil) != want || want && len(m.Body) != size {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

func TestParseSecret(t *testing.T) {
	for _, text := range []string{"", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_short", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS!",
		"whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 65))} {
		if _, err := ParseSecret(text); err == nil || len(text) > 6 && strings.Contains(err.Error(), text[6:]) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// An empty or short secret, which anyone can guess, verifies nothing.
func TestShortSecretIsRefused(t *testing.T) {
	now := time.Now()
	for _, secret := range []Secret{nil, {}, make(Secret, secretMin-1)} {
		h := http.Header{}
		Sign(h, []Secret{secret}, ID("k", now), now, nil)
		if _, err := Verify(h, nil, now, secret); err == nil {
			t.Errorf("a secret of %d bytes is accepted", len(secret))
		}
	}
}
