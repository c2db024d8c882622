package web

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// ask sends a request of any method, with a body.
func (h *harness) ask(method, path string, body io.Reader, length int64) answer {
	h.t.Helper()
	r, err := http.NewRequest(method, "http://127.0.0.1:8080"+path, body)
	if err != nil {
		h.t.Fatal(err)
	}
	r.ContentLength = length
	r.Header.Set("Accept-Encoding", "identity")
	a, err := h.do(r)
	if err != nil {
		h.t.Fatalf("%s %s: %v", method, path, err)
	}
	return a
}

// post sends a text to a path.
func (h *harness) post(path, text string) answer {
	return h.ask("POST", path, strings.NewReader(text), int64(len(text)))
}

// everyRoute returns one URL of each route.
func everyRoute() []string {
	return []string{"/", "/ws", "/trace?run=0", "/scenario?run=0", "/api/algorithms", "/api/scenarios", "/api/step?run=0", "/api/events?run=0", "/api/life?run=0", "/healthz", "/" + static.Path("js/app.js")}
}

// HEAD returns the headers of GET and no body.
func TestHeadIsGetWithoutItsBody(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		defer c.close()
		for _, path := range []string{"/", "/?t=3", "/?t=10", "/?scenario=nope", "/scenario?run=" + c.hello.Run, "/scenario?run=0", "/api/algorithms", "/api/scenarios", "/healthz", "/" + static.Path("js/app.js"), "/nowhere"} {
			get, head := h.ask("GET", path, nil, 0), h.ask("HEAD", path, nil, 0)
			if head.code != get.code || head.body != "" {
				t.Errorf("%s: HEAD %d with %d bytes, GET %d", path, head.code, len(head.body), get.code)
			}
			for _, name := range []string{"Content-Type", "Cache-Control", "Content-Language", "Content-Disposition", "Vary", "X-Content-Type-Options"} {
				if get.code == http.StatusOK && head.header.Get(name) != get.header.Get(name) {
					t.Errorf("%s: HEAD has %s %q, GET %q", path, name, head.header.Get(name), get.header.Get(name))
				}
			}
		}
	})
}

// No request changes anything: other methods are refused in one line that lists the allowed ones.
func TestOtherMethodsAreRefused(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for _, method := range []string{"POST", "PUT", "DELETE", "PATCH"} {
			for _, path := range everyRoute() {
				a := h.ask(method, path, strings.NewReader("x=1"), 3)
				if a.code != http.StatusMethodNotAllowed || strings.Count(a.body, "\n") != 1 || !strings.HasPrefix(a.body, strconv.Quote(method)+" is not answered at ") || !strings.Contains(a.body, "GET") {
					t.Errorf("%s %s: %d %q", method, path, a.code, a.body)
				}
				if !strings.Contains(a.header.Get("Allow"), "GET") {
					t.Errorf("%s %s: allows %q", method, path, a.header.Get("Allow"))
				}
			}
		}
	})
}

// flood sends a request with a body of a hundred megabytes, or as much of it as the server reads,
// and returns the answer and the number of bytes sent. The library's client would give up when it
// can't write, and might miss the answer.
func (h *harness) flood(method, path, header string) (answer, int) {
	h.t.Helper()
	conn, err := h.ln.dial(context.Background(), "", "")
	if err != nil {
		h.t.Fatal(err)
	}
	taken := make(chan int)
	go func() {
		fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n%s\r\n\r\n", method, path, header)
		chunk := []byte("1000\r\n" + strings.Repeat("x", 0x1000) + "\r\n") // a chunk, or 4 KiB and some of a body with a Content-Length
		sent := 0
		for sent < 100<<20 {
			n, err := conn.Write(chunk)
			if sent += n; err != nil {
				break
			}
		}
		taken <- sent
	}()
	res, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		h.t.Fatalf("%s %s: %v", method, path, err)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Errorf("%s %s: %v", method, path, err)
	}
	conn.Close()
	return answer{res.StatusCode, res.Header, string(body)}, <-taken
}

// A hundred megabytes to any route, with or without Content-Length, are refused in one line and not
// read, and the server keeps working.
func TestHundredMegabytesToAnyRoute(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for _, c := range []struct {
			method, header, says string
			code                 int
		}{
			{"GET", "Content-Length: 104857600", "104857600 bytes; at most 65536", http.StatusRequestEntityTooLarge},
			{"POST", "Content-Length: 104857600", "104857600 bytes; at most 65536", http.StatusRequestEntityTooLarge},
			{"POST", "Transfer-Encoding: chunked", `"POST" is not answered at`, http.StatusMethodNotAllowed},
		} {
			for _, path := range everyRoute() {
				a, taken := h.flood(c.method, path, c.header)
				if a.code != c.code || strings.Count(a.body, "\n") != 1 || !strings.Contains(a.body, c.says) {
					t.Errorf("%s %s, %s: %d %q", c.method, path, c.header, a.code, a.body)
				}
				if taken > 1<<20 {
					t.Errorf("%s %s, %s: %d bytes were taken", c.method, path, c.header, taken)
				}
			}
		}
		if a := h.get("/healthz"); a.code != http.StatusOK {
			t.Errorf("afterwards: %d", a.code)
		}
	})
}

// The largest body allowed, and one byte more.
func TestBodyAtTheBound(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		at, _ := h.flood("GET", "/healthz", fmt.Sprint("Content-Length: ", BodyBytesMax))
		over, _ := h.flood("GET", "/healthz", fmt.Sprint("Content-Length: ", BodyBytesMax+1))
		if at.code != http.StatusOK || over.code != http.StatusRequestEntityTooLarge {
			t.Errorf("%d at the bound, %d over it", at.code, over.code)
		}
	})
}

// counting is a body of so many bytes, for one reader.
type counting struct{ left atomic.Int64 }

func (c *counting) Read(p []byte) (int, error) {
	n := min(int64(len(p)), c.left.Load())
	if c.left.Add(-n); n == 0 {
		return 0, io.EOF
	}
	return int(n), nil
}

// A body without Content-Length is also read only up to the limit of its route.
func TestBodyWithoutItsLength(t *testing.T) {
	allowed, err := newHostList("127.0.0.1:8080", nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{hosts: allowed}
	for path, most := range map[string]int64{importPath: protocol.ImportBytesMax, "/api/scenarios": BodyBytesMax} {
		for _, over := range []int64{0, 1} {
			body := &counting{}
			body.left.Store(most + over)
			var read int64
			err := s.guard(func(c echo.Context) (err error) {
				read, err = io.Copy(io.Discard, c.Request().Body)
				return err
			})(echo.New().NewContext(httptest.NewRequest("POST", "http://127.0.0.1:8080"+path, body), httptest.NewRecorder()))
			if large := (*http.MaxBytesError)(nil); read != most || errors.As(err, &large) != (over > 0) {
				t.Errorf("%s, %d bytes over: %d of %d are read, %v", path, over, read, most+over, err)
			}
		}
	}
}

// A file without Content-Length is refused at the limit, in one line.
func TestFileTooLarge(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		a, taken := h.flood("POST", importPath, "Transfer-Encoding: chunked")
		if a.code != http.StatusRequestEntityTooLarge || a.body != "the body has more than 67108864 bytes\n" || taken > protocol.ImportBytesMax+1<<20 {
			t.Errorf("%d %q, %d bytes were taken", a.code, a.body, taken)
		}
	})
}

// Headers beyond the limit are refused before anything is done.
func TestLargeHeadersAreRefused(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		a := h.get("/", "X-Large", strings.Repeat("x", HeaderBytesMax+8<<10))
		if a.code != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("%d", a.code)
		}
		if a := h.get("/", "X-Large", strings.Repeat("x", HeaderBytesMax/2)); a.code != http.StatusOK {
			t.Errorf("half of it: %d", a.code)
		}
	})
}

// A body that can't be read is an error of its sender, not of the server.
func TestBrokenBody(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		got := h.raw("POST /api/import HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\n\r\n")
		if len(got) != 1 || got[0].code != 400 || got[0].body != "the body can't be read completely: invalid byte in chunk length\n" || len(h.server.uploads) != 0 {
			t.Errorf("%v, %d files are held", got, len(h.server.uploads))
		}
	})
}
