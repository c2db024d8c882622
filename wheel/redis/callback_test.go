package redis

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// caller is a worker whose calls a test makes itself.
func caller(t testing.TB, o WorkerOptions) *Worker {
	t.Helper()
	w := must(NewWorker(open(t, embedded(t), 1), o))(t)
	t.Cleanup(w.http.CloseIdleConnections)
	return w
}

// call makes one attempt at a URL and gives the reason of its failure.
func call(w *Worker, url, method string) string {
	if err := w.do(context.Background(), Call{Key: "k", Task: Task{URL: url, Method: method}}); err != nil {
		return oneLine(err.Error())
	}
	return ""
}

// Private, link-local, loopback and other addresses that are not the public internet's
// are refused however they are written; nothing is dialled.
func TestPrivateAddressesAreRefused(t *testing.T) {
	w := caller(t, WorkerOptions{})
	for _, host := range []string{"127.0.0.1", "127.9.9.9", "localhost", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1", "172.16.0.1", "192.168.1.1",
		"169.254.169.254", "[fe80::1]", "[fc00::1]", "100.64.0.1", "0.0.0.0", "[::]", "224.0.0.1", "[64:ff9b::7f00:1]", "[2002:7f00:1::]"} {
		// One that is reached by no route at all is not called either.
		if got := call(w, "http://"+host+":9/", ""); got != ErrPrivate.Error() && !strings.Contains(got, "network is unreachable") {
			t.Errorf("%s: %q", host, got)
		}
	}
	if got := call(w, "http://127.0.0.1:9/", ""); got != ErrPrivate.Error() {
		t.Errorf("loopback: %q", got)
	}
}

// A redirect to where a callback may not go is refused as the address itself is. The
// first address is let through as if it were public, on its way to the check.
func TestRedirectsAreChecked(t *testing.T) {
	target := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	defer target.Close()
	w := caller(t, WorkerOptions{})
	guarded := w.http.Transport
	w.http.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.URL.Host != "public.example" {
			return guarded.RoundTrip(r)
		}
		header := http.Header{"Location": {target.URL}}
		return &http.Response{StatusCode: http.StatusFound, Header: header, Body: http.NoBody, Request: r}, nil
	})
	if got := call(w, "http://public.example/", "GET"); got != ErrPrivate.Error() {
		t.Errorf("%q", got)
	}
}

// roundTrip is a transport made of a function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Redirects are followed up to the bound.
func TestRedirectsAreBounded(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n int
		_, _ = fmt.Sscanf(r.URL.Path, "/%d", &n)
		if n > 0 {
			http.Redirect(w, r, fmt.Sprintf("/%d", n-1), http.StatusTemporaryRedirect)
		}
	}))
	defer server.Close()
	for redirects, most := range map[int]int{-1: 0, 0: RedirectsDefault, 2: 2} {
		w := caller(t, WorkerOptions{AllowPrivate: true, Redirects: redirects})
		if got := call(w, fmt.Sprint(server.URL, "/", most), ""); got != "" {
			t.Errorf("%d: %d redirects: %s", redirects, most, got)
		}
		if got := call(w, fmt.Sprint(server.URL, "/", most+1), ""); got != errRedirects.Error() {
			t.Errorf("%d: %d redirects: %q", redirects, most+1, got)
		}
	}
}

// Any status but 200 to 299 is a failure, as is silence; an answer's length does no harm.
func TestAnswers(t *testing.T) {
	silent := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var status int
		_, _ = fmt.Sscanf(r.URL.Path, "/%d", &status)
		if status == 0 {
			<-silent
			return
		}
		w.WriteHeader(status)
		if status != http.StatusNoContent {
			_, _ = w.Write(make([]byte, 4*responseMax))
		}
	}))
	defer server.Close()
	defer close(silent)
	w := caller(t, WorkerOptions{AllowPrivate: true, CallbackTime: 300 * time.Millisecond})
	for path, want := range map[string]string{"/200": "", "/204": "", "/299": "", "/404": "answered 404 Not Found", "/503": "answered 503 Service Unavailable",
		"/0": "gave no answer in time"} {
		if got := call(w, server.URL+path, "GET"); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// Waits double up to their limit and vary below it.
func TestBackoff(t *testing.T) {
	for failed, most := range map[int]time.Duration{1: time.Second, 2: 2 * time.Second, 5: 16 * time.Second, 9: time.Minute, 1 << 40: time.Minute} {
		least, greatest := time.Hour, time.Duration(0)
		for range 1000 {
			wait := backoff(time.Second, time.Minute, failed)
			least, greatest = min(least, wait), max(greatest, wait)
		}
		if least < most/2 || greatest > most || greatest-least < most/4 {
			t.Errorf("after %d failures: %v to %v, want %v to %v", failed, least, greatest, most/2, most)
		}
	}
}

// A reason is one line of valid text, and bounded.
func TestOneLine(t *testing.T) {
	if got := oneLine(" a\n\tb \xff "); got != "a b ?" {
		t.Errorf("%q", got)
	}
	if got := oneLine(strings.Repeat("界", 200)); len(got) > reasonMax+3 || !strings.HasSuffix(got, "界…") {
		t.Errorf("%d bytes, %q", len(got), got[len(got)-10:])
	}
}
