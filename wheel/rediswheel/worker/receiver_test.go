package worker

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/signature"
)

// stateAfterFailure adds a task and returns its state after the first attempt that failed.
func stateAfterFailure(t *testing.T, o Options, task rediswheel.Task) rediswheel.Info {
	t.Helper()
	w := wheeltesting.Open(t, redistest.Embedded(t), 1)
	if err := w.AddTask(t.Context(), "k", task, time.UnixMilli(1)); err != nil {
		t.Fatal(err)
	}
	o.AllowPrivate, o.Retry, o.RetryMax = true, time.Minute, time.Minute
	_, stop := startWorker(t, w, o)
	defer stop()
	var info rediswheel.Info
	redistest.Eventually(t, "the task has failed", func() bool {
		info, _, _ = w.Get(t.Context(), "k")
		return info.State == rediswheel.Dead || info.State == rediswheel.Retrying
	})
	return info
}

// A receiver can end a task, or set the time of its next call.
func TestReceiverDecides(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", r.URL.Query().Get("after"))
		code := map[string]int{"/gone": 410, "/missing": 404, "/busy": 503}[r.URL.Path]
		w.WriteHeader(code)
	}))
	defer server.Close()
	for _, c := range []struct {
		path  string
		o     Options
		state rediswheel.State
		wait  time.Duration // approximately
	}{
		{"/gone", Options{}, rediswheel.Dead, 0},
		{"/gone", Options{PermanentStatus: []int{}}, rediswheel.Retrying, time.Minute},
		{"/missing", Options{}, rediswheel.Retrying, time.Minute},
		{"/missing", Options{PermanentStatus: []int{404, 410}}, rediswheel.Dead, 0},
		{"/busy", Options{}, rediswheel.Retrying, time.Minute},
		{"/busy?after=7200", Options{}, rediswheel.Retrying, 2 * time.Hour},
		{"/busy?after=1", Options{}, rediswheel.Retrying, time.Minute},
		{"/busy?after=soon", Options{}, rediswheel.Retrying, time.Minute},
	} {
		info := stateAfterFailure(t, c.o, rediswheel.Task{URL: server.URL + c.path})
		if wait := time.Until(info.At); info.State != c.state || info.Attempts != 1 || c.state == rediswheel.Retrying && (wait > c.wait || wait < c.wait/2-20*time.Second) {
			t.Errorf("%s, %v: %s, again after %v, want %s, %v", c.path, c.o.PermanentStatus, info.State, wait, c.state, c.wait)
		}
	}
}

// Retry-After is a number of seconds or an instant by the receiver's clock, and has a bound.
func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "0": 0, "-5": 0, "120": 2 * time.Minute, "x": 0, "1.5": 0,
		"9999999999999": RetryAfterMax, "99999999999999999999999": 0,
		"Thu, 01 Jan 2026 01:10:00 GMT": 10 * time.Minute, // Date is one hour ahead of now
		"Thu, 01 Jan 2026 00:10:00 GMT": 0, "Fri, 01 Jan 2027 00:00:00 GMT": RetryAfterMax,
	} {
		h := http.Header{"Retry-After": {text}, "Date": {"Thu, 01 Jan 2026 01:00:00 GMT"}}
		if got := retryAfter(h, now); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	if got := retryAfter(http.Header{"Retry-After": {"Thu, 01 Jan 2026 00:10:00 GMT"}}, now); got != 10*time.Minute {
		t.Errorf("without Date: %v", got)
	}
}

// A handler can end its task. A task may have its own number of attempts and its own timeout.
func TestTaskDecides(t *testing.T) {
	handlers := map[string]Handler{
		"never": func(context.Context, Call) error { return Permanent(errors.New("no such order")) },
		"fails": func(context.Context, Call) error { return errors.New("no") },
		"hangs": func(ctx context.Context, _ Call) error { <-ctx.Done(); return ctx.Err() },
	}
	if i := stateAfterFailure(t, Options{Handlers: handlers}, rediswheel.Task{Handler: "never"}); i.State != rediswheel.Dead || i.Reason != "permanent failure: no such order" {
		t.Errorf("%+v", i)
	}
	if i := stateAfterFailure(t, Options{Handlers: handlers}, rediswheel.Task{Handler: "fails"}); i.State != rediswheel.Retrying {
		t.Errorf("%+v", i)
	}
	if i := stateAfterFailure(t, Options{Handlers: handlers}, rediswheel.Task{Handler: "fails", MaxAttempts: 1}); i.State != rediswheel.Dead {
		t.Errorf("%+v", i)
	}
	if i := stateAfterFailure(t, Options{Handlers: handlers, Attempts: 1}, rediswheel.Task{Handler: "fails", MaxAttempts: 2}); i.State != rediswheel.Retrying {
		t.Errorf("%+v", i)
	}
	if i := stateAfterFailure(t, Options{Handlers: handlers, CallbackTime: time.Hour}, rediswheel.Task{Handler: "hangs", Timeout: 20 * time.Millisecond}); i.State != rediswheel.Retrying {
		t.Errorf("%+v", i)
	}
}

// A receiver verifies a signed callback with its key. Every attempt has the same ID.
func TestSignedCallbacks(t *testing.T) {
	secret, err := signature.ParseSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	var ids atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m, err := signature.VerifyRequest(w, r, secret)
		if err != nil || m.Key != "käse/7" || string(m.Body) != "body" || r.Header.Get(signature.HeaderID) != signature.ID("käse/7", time.UnixMilli(5)) {
			t.Errorf("%+v, %v", m, err)
		}
		if ids.Add(1) < 3 {
			w.WriteHeader(500)
		}
	}))
	defer server.Close()
	w := wheeltesting.Open(t, redistest.Embedded(t), 1)
	task := rediswheel.Task{URL: server.URL, Body: []byte("body"), Headers: map[string]string{"Webhook-Signature": "v1,forged"}}
	if err := w.AddTask(t.Context(), "käse/7", task, time.UnixMilli(5)); err != nil {
		t.Fatal(err)
	}
	startWorker(t, w, Options{AllowPrivate: true, Secrets: []signature.Secret{secret}})
	redistest.Eventually(t, "delivered", func() bool { return redistest.Must(w.Stats(t.Context()))(t).Done == 1 })
}

// The reason of a failure never contains the credentials of a URL, neither of the task's URL nor of
// a redirect.
func TestReasonsHaveNoCredentials(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "http://user:secret@host:port/")
		w.WriteHeader(307)
	}))
	defer server.Close()
	for _, url := range []string{strings.Replace(server.URL, "//", "//user:secret@", 1), "http://user:secret@127.0.0.1:1/"} {
		if i := stateAfterFailure(t, Options{}, rediswheel.Task{URL: url}); i.Reason == "" || strings.Contains(i.Reason, "secret") {
			t.Errorf("%q", i.Reason)
		}
	}
}

// Invalid options are reported.
func TestReceiverOptions(t *testing.T) {
	for want, o := range map[string]Options{
		"permanent status: 200, expected 300 to 599":      {PermanentStatus: []int{200}},
		"secrets: 5, expected at most 4":                  {Secrets: make([]signature.Secret, 5)},
		"secrets: a secret of 0 bytes, expected 24 to 64": {Secrets: make([]signature.Secret, 1)},
	} {
		if _, err := New(wheeltesting.Open(t, redistest.Embedded(t), 1), o); !errors.Is(err, rediswheel.ErrInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
