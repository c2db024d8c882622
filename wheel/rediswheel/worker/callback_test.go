package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// caller returns a worker for tests that call its methods directly.
func caller(t testing.TB, o Options) *Worker {
	t.Helper()
	w := redistest.Must(New(wheeltesting.Open(t, redistest.Embedded(t), 1), o))(t)
	t.Cleanup(w.http.CloseIdleConnections)
	return w
}

// call makes one attempt at a URL and returns the reason of its failure.
func call(w *Worker, url, method string) string {
	if err := w.do(context.Background(), Call{Key: "k", Task: rediswheel.Task{URL: url, Method: method}}); err != nil {
		return connect.OneLine(err.Error())
	}
	return ""
}

// Private, link-local, loopback and other addresses that are not the public internet's
// are refused however they are written; nothing is dialled.
func TestPrivateAddressesAreRefused(t *testing.T) {
	w := caller(t, Options{})
	for _, host := range []string{"127.0.0.1", "127.9.9.9", "localhost", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1", "172.16.0.1", "192.168.1.1",
		"169.254.169.254", "[fe80::1]", "[fc00::1]", "100.64.0.1", "0.0.0.0", "[::]", "224.0.0.1", "[64:ff9b::7f00:1]", "[2002:7f00:1::]"} {
		// An address without a route is not called either.
		if got := call(w, "http://"+host+":9/", ""); got != ErrPrivate.Error() && !strings.Contains(got, "network is unreachable") {
			t.Errorf("%s: %q", host, got)
		}
	}
	if got := call(w, "http://127.0.0.1:9/", ""); got != ErrPrivate.Error() {
		t.Errorf("loopback: %q", got)
	}
}

// Addresses in allowed networks are called, and adjacent ones are not, in any notation.
func TestAllowedNetworks(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	w := caller(t, Options{AllowNets: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/31"), netip.MustParsePrefix("fd00::/8")}})
	for host, want := range map[string]string{"127.0.0.1": "", "127.0.0.2": ErrPrivate.Error(), "10.0.0.1": ErrPrivate.Error(), "[::1]": ErrPrivate.Error(),
		"0.0.0.0": ErrPrivate.Error()} {
		if got := call(w, "http://"+host+":"+port+"/", ""); got != want {
			t.Errorf("%s: %q, want %q", host, got, want)
		}
	}
}

// A redirect to a forbidden address is refused. The first address is treated as public.
func TestRedirectsAreChecked(t *testing.T) {
	target := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	defer target.Close()
	w := caller(t, Options{})
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
	allowed := httptest.NewServer(http.RedirectHandler("http://127.0.0.2:9/", http.StatusTemporaryRedirect))
	defer allowed.Close()
	w = caller(t, Options{AllowNets: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}})
	if got := call(w, allowed.URL, "POST"); got != ErrPrivate.Error() {
		t.Errorf("from an allowed address: %q", got)
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
		w := caller(t, Options{AllowPrivate: true, Redirects: redirects})
		if got := call(w, fmt.Sprint(server.URL, "/", most), ""); got != "" {
			t.Errorf("%d: %d redirects: %s", redirects, most, got)
		}
		if got := call(w, fmt.Sprint(server.URL, "/", most+1), ""); got != errRedirects.Error() {
			t.Errorf("%d: %d redirects: %q", redirects, most+1, got)
		}
	}
}

// A redirect that would change the method or drop the body is a failure. One that keeps both is
// followed.
func TestRedirectsKeepTheTask(t *testing.T) {
	arrived := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if status, err := strconv.Atoi(r.URL.Path[1:]); err == nil {
			http.Redirect(w, r, "/end", status)
			return
		}
		body, _ := io.ReadAll(r.Body)
		arrived <- r.Method + " " + string(body)
	}))
	defer server.Close()
	w := caller(t, Options{AllowPrivate: true})
	for _, c := range []struct {
		method, body string
		status       int
		want, got    string
	}{
		{"POST", "paid", 301, "answered 301 Moved Permanently", ""},
		{"POST", "", 302, "answered 302 Found", ""},
		{"DELETE", "", 303, "answered 303 See Other", ""},
		{"GET", "paid", 302, "answered 302 Found", ""},
		{"GET", "", 302, "", "GET "},
		{"HEAD", "", 301, "", "HEAD "},
		{"POST", "paid", 307, "", "POST paid"},
		{"PUT", "paid", 308, "", "PUT paid"},
	} {
		task, reason, got := rediswheel.Task{URL: fmt.Sprint(server.URL, "/", c.status), Method: c.method, Body: []byte(c.body)}, "", ""
		if err := w.do(context.Background(), Call{Key: "k", Task: task}); err != nil {
			reason = err.Error()
		}
		select {
		case got = <-arrived:
		default:
		}
		if reason != c.want || got != c.got {
			t.Errorf("%s %q, %d: %q, %q arrived; want %q, %q", c.method, c.body, c.status, reason, got, c.want, c.got)
		}
	}
}

// A task's own User-Agent is sent as it is given.
func TestUserAgent(t *testing.T) {
	arrived := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { arrived <- r.UserAgent() }))
	defer server.Close()
	w := caller(t, Options{AllowPrivate: true})
	for given, want := range map[string]string{"": "wheelscope", "shop/2": "shop/2"} {
		task := rediswheel.Task{URL: server.URL}
		if given != "" {
			task.Headers = map[string]string{"user-agent": given}
		}
		err := w.do(context.Background(), Call{Key: "k", Task: task})
		if got := <-arrived; err != nil || got != want {
			t.Errorf("%q: %q arrived, %v", given, got, err)
		}
	}
}

// Any status other than 200 to 299 is a failure, and so is no answer. The length of an answer does
// no harm.
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
	w := caller(t, Options{AllowPrivate: true})
	for path, want := range map[string]string{"/200": "", "/204": "", "/299": "", "/404": "answered 404 Not Found", "/503": "answered 503 Service Unavailable"} {
		if got := call(w, server.URL+path, "GET"); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	hasty := caller(t, Options{AllowPrivate: true, CallbackTime: 300 * time.Millisecond})
	if got, want := call(hasty, server.URL+"/0", "GET"), "gave no answer in time"; got != want {
		t.Errorf("no answer: %q, want %q", got, want)
	}
}

// Only a call without a response counts against the receiver.
func TestNoResponse(t *testing.T) {
	for err, want := range map[error]bool{noResponseError{errors.New("gave no answer in time")}: true, errors.New("answered 503"): false,
		noResponseError{ErrPrivate}: false, nil: false} {
		if got := isNoResponse(err); got != want {
			t.Errorf("%v: %v, want %v", err, got, want)
		}
	}
}

// Waits double up to their limit and vary below it.
func TestBackoff(t *testing.T) {
	for failed, most := range map[int]time.Duration{1: time.Second, 2: 2 * time.Second, 5: 16 * time.Second, 9: time.Minute, math.MaxInt: time.Minute} {
		least, greatest := time.Hour, time.Duration(0)
		for range 1000 {
			wait := Backoff(time.Second, time.Minute, failed, rand.N)
			least, greatest = min(least, wait), max(greatest, wait)
		}
		if least < most/2 || greatest > most || greatest-least < most/4 {
			t.Errorf("after %d failures: %v to %v, want %v to %v", failed, least, greatest, most/2, most)
		}
	}
}

// No wait overflows, whatever the bounds are, even if the first wait exceeds the limit.
func TestBackoffOfAnySize(t *testing.T) {
	none := func(time.Duration) time.Duration { return 0 }
	for _, c := range []struct{ base, limit, want time.Duration }{
		{time.Hour, math.MaxInt64, math.MaxInt64},
		{math.MaxInt64, math.MaxInt64, math.MaxInt64},
		{time.Hour, time.Second, time.Second},
		{3, 1 << 62, 1 << 62},
	} {
		if got := Backoff(c.base, c.limit, 100, none); got != c.want {
			t.Errorf("%v up to %v: %v, want %v", c.base, c.limit, got, c.want)
		}
	}
}

// Handlers are wrapped by what Use was given, the first outermost. A worker with a default handler runs all tasks, also
// those that were left for another worker. Calls are counted by handler.
func TestUseAndDefault(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := context.Background(), wheeltesting.Open(t, c, 1)
		for i, name := range []string{"h", "other"} {
			if err := w.AddTask(ctx, name, rediswheel.Call(name, nil), time.UnixMilli(int64(i+1))); err != nil {
				t.Fatal(err)
			}
		}
		_, stop := startWorker(t, w, Options{Handlers: succeed})
		redistest.Eventually(t, "one is done", func() bool { return redistest.Must(w.Stats(ctx))(t).Done == 1 })
		stop()
		if err := w.AddTask(ctx, "h", rediswheel.Call("h", nil), time.UnixMilli(1)); err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var order []string
		note := func(text string) {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, text)
		}
		outer := func(name string) func(Handler) Handler {
			return func(next Handler) Handler {
				return func(ctx context.Context, call Call) error {
					note(name + " " + call.Key)
					return next(ctx, call)
				}
			}
		}
		worker := redistest.Must(New(w, Options{Concurrency: 1, Handlers: succeed, Default: func(_ context.Context, call Call) error { note("default " + call.Key); return nil }}))(t)
		worker.Use(outer("a"), outer("b"))
		stopped, cancel := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() { ended <- worker.Run(stopped) }()
		redistest.Eventually(t, "all are done", func() bool { return redistest.Must(w.Stats(ctx))(t).Done == 3 })
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		slices.Sort(order)
		if got := strings.Join(order, ", "); got != "a h, a other, b h, b other, default other" {
			t.Errorf("called %s", got)
		}
		want := map[string]Totals{"h": {1, 1, 0}, "default": {1, 1, 0}}
		if got := worker.HandlerTotals(); !maps.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
}

// Callbacks are made by the client that Options has.
func TestOwnClient(t *testing.T) {
	w := caller(t, Options{Client: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusTeapot, Status: "418 " + r.URL.Host, Body: http.NoBody}, nil
	})}})
	err := w.do(t.Context(), Call{Key: "k", Task: rediswheel.HTTP("http://example.org/x", nil)})
	if err == nil || !strings.Contains(err.Error(), "418 example.org") {
		t.Errorf("%v", err)
	}
}
