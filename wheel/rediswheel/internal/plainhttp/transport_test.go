package plainhttp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sender sends requests of net/http by a Transport if they are plain.
type sender struct {
	*Transport
	other *http.Transport
}

func (s sender) RoundTrip(r *http.Request) (*http.Response, error) {
	one := &Request{Method: r.Method, URL: r.URL}
	if r.ContentLength > 0 && r.ContentLength <= bodyMax {
		one.Body, _ = io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(one.Body))
	}
	one.Set("User-Agent", "Go-http-client/1.1") // as net/http
	for name, values := range r.Header {
		one.Set(name, values[0])
	}
	if r.Host != r.URL.Host {
		one.Set("Host", r.Host)
	}
	if one.Deadline, _ = r.Context().Deadline(); r.ContentLength > bodyMax || !one.IsPlain() {
		return s.other.RoundTrip(r)
	}
	return s.Send(one)
}

// transport returns a transport that counts its connections.
func transport(t *testing.T) (sender, *atomic.Int64) {
	t.Helper()
	var dialled atomic.Int64
	other := &http.Transport{DisableCompression: true, IdleConnTimeout: time.Minute, MaxIdleConns: 4, MaxResponseHeaderBytes: 4096,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, // the test's own server
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, err := new(net.Dialer).DialContext(ctx, network, addr)
			if err == nil {
				dialled.Add(1)
			}
			return c, err
		}}
	one := sender{New(other), other}
	t.Cleanup(one.CloseIdleConnections)
	t.Cleanup(other.CloseIdleConnections)
	return one, &dialled
}

// post sends a body and returns the status and the body of the response.
func post(ctx context.Context, rt http.RoundTripper, url, body string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	resp, err := rt.RoundTrip(r)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return fmt.Sprint(resp.StatusCode, " ", string(text)), err
}

// answering starts a server that calls answer for each connection with the requests it receives.
func answering(t *testing.T, answer func(n int, c net.Conn, r *bufio.Reader)) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for n := 0; ; n++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer c.Close()
				answer(n, c, bufio.NewReader(c))
			})
		}
	})
	t.Cleanup(all.Wait)
	t.Cleanup(func() { _ = l.Close() })
	return "http://" + l.Addr().String() + "/"
}

// request reads a request and reports whether there was one.
func request(r *bufio.Reader) bool {
	one, err := http.ReadRequest(r)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, one.Body)
	return err == nil
}

// A connection is used again after a response of any length, and the responses are those that were sent.
func TestReuse(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if len(body)%2 == 0 {
			w.(http.Flusher).Flush() // chunked
		}
		_, _ = w.Write(bytes.Repeat(body, 3))
	}))
	defer server.Close()
	rt, dialled := transport(t)
	for _, n := range []int{0, 1, 2, 501, 502, bodyMax} {
		body := strings.Repeat("x", n)
		if got, err := post(context.Background(), rt, server.URL, body); got != "200 "+strings.Repeat(body, 3) || err != nil {
			t.Errorf("%d bytes: %.40q, %v", n, got, err)
		}
	}
	if n := dialled.Load(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// The receiver gets the same request as from net/http.
func TestRequestIsThatOfNetHTTP(t *testing.T) {
	var dumps []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		dump, _ := httputil.DumpRequest(r, true)
		dumps = append(dumps, string(dump))
	}))
	defer server.Close()
	rt, _ := transport(t)
	sent := 0
	for _, path := range []string{"", "/", "/a%20b?c=d", "//a/../b;c?", "/a%2Fb?x=%20&y=#part", "/ä?ö=ü"} {
		for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
			for _, body := range []string{"", "body"} {
				for _, header := range []http.Header{{}, {"User-Agent": {""}}, {"Host": {""}, "Content-Length": {"17"}, "X-Empty": {""}},
					{"Host": {"Other.example:80"}, "User-Agent": {"me"}, "X-Space": {" \ta b "}, "Content-Type": {"text/plain"}}} {
					for _, one := range []http.RoundTripper{rt, rt.other} {
						r, err := http.NewRequest(method, server.URL+path, strings.NewReader(body))
						if err != nil {
							t.Fatal(err)
						}
						r.Header, r.Host = header.Clone(), cmp.Or(header.Get("Host"), r.Host)
						resp, err := one.RoundTrip(r)
						if err != nil {
							t.Fatal(err)
						}
						_ = resp.Body.Close()
					}
					if n := len(dumps); dumps[n-1] != dumps[n-2] {
						t.Errorf("%q\nnet/http: %q", dumps[n-2], dumps[n-1])
					}
					sent++
				}
			}
		}
	}
	if len(dumps) != 2*sent || len(rt.open) != 1 {
		t.Errorf("%d requests arrived of %d, %d connections here", len(dumps), 2*sent, len(rt.open))
	}
}

// Responses have the same meaning as for net/http, and a connection is not used again after one that does not allow it.
func TestResponses(t *testing.T) {
	for response, reused := range map[string]bool{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok":                                             true,
		"HTTP/1.1 204 No Content\r\n\r\n":                                                            true,
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n":                  true,
		"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n": true,
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok":                        false,
		"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok":                                             false,
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more":                                    false,
		"HTTP/1.1 307 Elsewhere\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n":                        true,
		"HTTP/1.1 050 Odd\r\nContent-Length: 2\r\n\r\nok":                                            true,
		"nonsense\r\n\r\n": false,
		"HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\n":                                                          false,
		"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 5000) + "\r\nContent-Length: 0\r\n\r\n":                   false,
		strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 200) + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n": false,
	} {
		var connections atomic.Int64
		url := answering(t, func(n int, c net.Conn, r *bufio.Reader) {
			connections.Add(1)
			for request(r) {
				if _, err := io.WriteString(c, response); err != nil {
					return
				}
			}
		})
		rt, _ := transport(t)
		want, wantErr := post(context.Background(), rt.other, url, "")
		rt.other.CloseIdleConnections()
		connections.Store(0)
		for range 2 {
			if got, err := post(context.Background(), rt, url, ""); got != want || (err == nil) != (wantErr == nil) {
				t.Errorf("%.60q: %q, %v; of net/http: %q, %v", response, got, err, want, wantErr)
			}
		}
		if n := connections.Load(); (n == 1) != reused {
			t.Errorf("%.60q: %d connections", response, n)
		}
		rt.CloseIdleConnections()
	}
}

// A connection that the receiver has closed, or on which it has sent something, while it was idle is not used again.
func TestIdleConnectionThatEnded(t *testing.T) {
	for _, last := range []string{"", "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n"} {
		ended := make(chan bool, 2)
		url := answering(t, func(_ int, c net.Conn, r *bufio.Reader) {
			if request(r) {
				_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
				time.Sleep(10 * time.Millisecond) // the client has read the response, and expects no more
				_, _ = io.WriteString(c, last)
			}
			_ = c.Close()
			ended <- true
		})
		rt, dialled := transport(t)
		for range 2 {
			if got, err := post(context.Background(), rt, url, "body"); got != "200 " || err != nil {
				t.Errorf("after %q: %q, %v", last, got, err)
			}
			<-ended
		}
		if n := dialled.Load(); n != 2 {
			t.Errorf("after %q: %d connections", last, n)
		}
	}
}

// A deadline and Interrupt end a request, also while its response is read, and close the connection. No request
// is sent after Interrupt.
func TestEndOfRequest(t *testing.T) {
	closed := make(chan bool, 2)
	for _, part := range []string{"", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\npart"} {
		url := answering(t, func(_ int, c net.Conn, r *bufio.Reader) {
			request(r)
			_, _ = io.WriteString(c, part)
			_, _ = io.Copy(io.Discard, r)
			closed <- true
		})
		rt, dialled := transport(t)
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		if _, err := post(ctx, rt, url, "body"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("timeout: %v", err)
		}
		cancel()
		time.AfterFunc(20*time.Millisecond, rt.Interrupt)
		for range 2 {
			if _, err := post(context.Background(), rt, url, "body"); !errors.Is(err, context.Canceled) {
				t.Errorf("interrupted: %v", err)
			}
		}
		for range dialled.Load() { // on a busy machine a context may end first
			<-closed
		}
		if len(rt.idle)+len(rt.open) != 0 || dialled.Load() > 2 {
			t.Errorf("%d connections are idle, %d open, %d were dialled", len(rt.idle), len(rt.open), dialled.Load())
		}
	}
}

// A response that ends too early is an error, as is a receiver that closes the connection without one.
func TestCutOff(t *testing.T) {
	for _, part := range []string{"", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\npart"} {
		url := answering(t, func(_ int, c net.Conn, r *bufio.Reader) {
			request(r)
			_, _ = io.WriteString(c, part)
		})
		rt, _ := transport(t)
		if got, err := post(context.Background(), rt, url, "body"); err == nil {
			t.Errorf("%q: %q", part, got)
		}
	}
}

// Requests that the package does not send itself are sent by net/http.
func TestOtherRequests(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, r.Method, " ", n)
	})
	plain, secure := httptest.NewServer(handler), httptest.NewTLSServer(handler)
	defer plain.Close()
	defer secure.Close()
	rt, _ := transport(t)
	for _, test := range []struct{ method, url, header, body, want string }{
		{"POST", secure.URL, "", "abc", "POST 3"},
		{"GET", plain.URL, "", "", "GET 0"},
		{"POST", plain.URL, "", strings.Repeat("x", bodyMax+1), fmt.Sprint("POST ", bodyMax+1)},
		{"POST", plain.URL, "Expect: 100-continue", "abc", "POST 3"},
		{"POST", plain.URL, "Connection: close", "abc", "POST 3"},
	} {
		r, err := http.NewRequest(test.method, test.url, strings.NewReader(test.body))
		if err != nil {
			t.Fatal(err)
		}
		if name, value, ok := strings.Cut(test.header, ": "); ok {
			r.Header.Set(name, value)
		}
		resp, err := rt.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if string(got) != test.want || len(rt.idle) != 0 {
			t.Errorf("%s %s %s: %q, idle here: %d", test.method, test.url, test.header, got, len(rt.idle))
		}
	}
	r, _ := http.NewRequest("POST", plain.URL, strings.NewReader(""))
	r.Header["X"] = []string{"a\r\nInjected: b"}
	if _, err := rt.RoundTrip(r); err == nil {
		t.Error("an invalid header field was sent")
	}
	r, _ = http.NewRequest("POST", "http:///path", strings.NewReader("abc"))
	if _, err := rt.RoundTrip(r); err == nil || !strings.Contains(err.Error(), "no Host") {
		t.Errorf("a request without a host: %v", err)
	}
}

// Idle connections to other receivers do not prevent the last connection from being reused.
func TestLastConnectionIsKept(t *testing.T) {
	rt, dialled := transport(t)
	rt.idleMax = 2
	var urls []string
	for range 3 {
		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		defer server.Close()
		urls = append(urls, server.URL)
	}
	for _, n := range []int{0, 1, 2, 2, 1, 0} {
		if got, err := post(context.Background(), rt, urls[n], "body"); got != "200 " || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
	if n := dialled.Load(); n != 4 || rt.count != 2 || len(rt.open) != 2 {
		t.Errorf("%d connections, %d open, %d of them idle", n, len(rt.open), rt.count)
	}
}

// Idle connections are closed after IdleConnTimeout, and there are at most MaxIdleConns.
func TestIdleConnections(t *testing.T) {
	var open atomic.Int64
	together := make(chan bool)
	url := answering(t, func(_ int, c net.Conn, r *bufio.Reader) {
		open.Add(1)
		defer open.Add(-1)
		for request(r) {
			<-together
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		}
	})
	rt, _ := transport(t)
	rt.idleTime = 50 * time.Millisecond
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { _, _ = post(context.Background(), rt, url, "body") })
	}
	for open.Load() < 8 {
		time.Sleep(time.Millisecond)
	}
	close(together)
	all.Wait()
	rt.mu.Lock()
	if rt.count > rt.idleMax {
		t.Errorf("%d idle connections", rt.count)
	}
	rt.mu.Unlock()
	for end := time.Now().Add(10 * time.Second); open.Load() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d connections are open", open.Load())
		}
	}
	rt.mu.Lock()
	defer rt.mu.Unlock()
	if rt.count != 0 || len(rt.idle)+len(rt.open) != 0 || rt.sweep != nil {
		t.Errorf("%d idle, %v, %v, %v", rt.count, rt.idle, rt.open, rt.sweep)
	}
}
