package web

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// raw sends bytes verbatim and returns the answers with their bodies, up to the end of the
// connection.
func (h *harness) raw(text string) (answers []answer) {
	h.t.Helper()
	conn, err := h.ln.dial(h.t.Context(), "", "")
	if err != nil {
		h.t.Fatal(err)
	}
	defer conn.Close()
	go io.WriteString(conn, text)
	conn.SetReadDeadline(time.Now().Add(time.Minute))
	for in := bufio.NewReader(conn); ; {
		res, err := http.ReadResponse(in, nil)
		if err != nil {
			return answers
		}
		body, _ := io.ReadAll(res.Body)
		answers = append(answers, answer{res.StatusCode, res.Header, string(body)})
	}
}

// A request whose length is ambiguous is refused and its connection closed. Bytes that a proxy
// takes for its body are never treated as a request here.
func TestRequestSmuggling(t *testing.T) {
	const inner = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n"
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for _, headers := range []string{
			"Content-Length: 6\r\nContent-Length: 7", "Content-Length: +6", "Content-Length: 0x6", "Content-Length: -1", "Content-Length: 6, 6", "Content-Length : 6",
			"Transfer-Encoding: xchunked", "Transfer-Encoding: chunked, identity", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
			"Transfer-Encoding:\x0bchunked", "Transfer-Encoding : chunked", "Transfer-Encoding: identity\r\nContent-Length: 6", " Transfer-Encoding: chunked",
		} {
			got := h.raw("POST /api/scenarios HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n" + headers + "\r\n\r\n0\r\n\r\n" + inner)
			if len(got) != 1 || got[0].code != http.StatusBadRequest && got[0].code != http.StatusNotImplemented {
				t.Errorf("%q: %+v", headers, got)
			}
		}
		// If both lengths are present, the chunked one counts, and no part of the body is a
		// request.
		got := h.raw("POST /api/scenarios HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n" +
			fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(inner), inner))
		if len(got) != 1 || got[0].code != http.StatusMethodNotAllowed {
			t.Errorf("both lengths: %+v", got)
		}
		for _, request := range []string{"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nHost: evil.example\r\n\r\n", "GET /healthz HTTP/1.1\r\n\r\n", "GET http://evil.example/healthz HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n"} {
			for _, a := range h.raw(request) {
				if a.code != http.StatusBadRequest && a.code != http.StatusForbidden {
					t.Errorf("%q: %d %q", request, a.code, a.body)
				}
			}
		}
	})
}

// No path leads outside the served files.
func TestPathTraversal(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for _, path := range []string{"/static/../server.go", "/static/../../go.mod", "/static/..%2f..%2fgo.mod", "/static/%2e%2e/%2e%2e/go.mod", "/static/..%5c..%5cgo.mod", "/static/js/../../static.go", "/static//etc/passwd",
			"/static/%00", "/static/js/app.js%00.css", "/..", "/../../../etc/passwd", "//etc/passwd", "/algorithms/..%2f..%2fgo.mod", "/algorithms/%2e%2e", "/static/.", "/static/js/", "/static/\\..\\go.mod"} {
			for _, a := range h.raw("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: close\r\n\r\n") {
				if a.code < 300 || a.code >= 500 || strings.Contains(a.body, "module github.com") || strings.Contains(a.body, "root:") {
					t.Errorf("%s: %d %.100q", path, a.code, a.body)
				}
			}
		}
	})
}

// The server does not wait for headers that do not end.
func TestSlowHeaders(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		conn, err := h.ln.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		var sender sync.WaitGroup
		defer sender.Wait()
		sender.Go(func() {
			io.WriteString(conn, "GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n")
			for i := 0; ; i++ {
				time.Sleep(time.Second)
				if _, err := fmt.Fprintf(conn, "X-%d: x\r\n", i); err != nil {
					return
				}
			}
		})
		io.Copy(io.Discard, conn)
		if took := time.Since(began); took > readHeaderWait+time.Second {
			t.Errorf("the connection lasted %s", took)
		}
		conn.Close()
	})
}

// Values returned in a header contain no line breaks.
func TestHeaderInjection(t *testing.T) {
	const evil = "%0d%0aX-Evil:%201%0d%0a%0d%0a"
	inBubble(t, Config{BasePath: "/lab", Token: "0123456789abcdef"}, func(t *testing.T, h *harness) {
		for _, path := range []string{"/lab?x=" + evil, "/lab/?token=0123456789abcdef&x=" + evil, "/lab/" + evil + "?token=0123456789abcdef", "/lab/?lang=" + evil, "/lab/algorithms/" + evil, "/lab/algorithms/?" + evil,
			"/lab/trace?run=" + evil, "/lab/trace?as=" + evil, "/lab/picture?run=" + evil, "/lab/ws?session=" + evil, "/" + evil} {
			a := h.get(path, "Authorization", "Bearer 0123456789abcdef")
			if a.header.Get("X-Evil") != "" || strings.Contains(a.body, "\r\nX-Evil") {
				t.Errorf("%s: %v", path, a.header)
			}
		}
		for _, value := range []string{"127.0.0.1:8080\rX-Evil: 1", "127.0.0.1:8080\x00"} {
			for _, a := range h.raw("GET /lab/healthz HTTP/1.1\r\nHost: " + value + "\r\n\r\n") {
				if a.code < 400 || a.header.Get("X-Evil") != "" {
					t.Errorf("host %q: %d %v", value, a.code, a.header)
				}
			}
		}
	})
}

func packed(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

// A frame that breaks the protocol closes its socket and no other.
func TestMalformedFrames(t *testing.T) {
	masked := func(first, size byte, payload string) string {
		return string([]byte{first, 0x80 | size, 0, 0, 0, 0}) + payload
	}
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		driver := h.client("/ws")
		defer driver.close()
		path := "/ws?session=" + driver.hello.Session
		for what, frames := range map[string]string{
			"not masked":             "\x81\x01x",
			"reserved bits":          masked(0xF1, 1, "x"),
			"compressed":             masked(0xC1, 1, "x"),
			"opcode 3":               masked(0x83, 1, "x"),
			"opcode 15":              masked(0x8F, 1, "x"),
			"a ping in fragments":    masked(0x09, 1, "x"),
			"a long ping":            "\x89\xfe\x00\x80\x00\x00\x00\x00" + strings.Repeat("x", 128),
			"continues nothing":      masked(0x80, 1, "x"),
			"two first fragments":    masked(0x01, 1, "x") + masked(0x01, 1, "x"),
			"a close of one byte":    masked(0x88, 1, "x"),
			"a close with code 1005": masked(0x88, 2, "\x03\xed"),
			"a close not in UTF-8":   masked(0x88, 3, "\x03\xe8\xff"),
			"a negative length":      "\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00x",
		} {
			viewer := h.client(path)
			go io.WriteString(viewer.conn.NetConn(), frames)
			viewer.conn.SetReadDeadline(time.Now().Add(time.Minute))
			began := time.Now()
			code, _ := drainFrames(viewer.conn)
			if took := time.Since(began); took > 2*closeWait || code != 0 && code != websocket.CloseProtocolError && code != websocket.CloseMessageTooBig && code != websocket.CloseNormalClosure && code != websocket.CloseNoStatusReceived {
				t.Errorf("%s: closed with %d after %s", what, code, took)
			}
			viewer.conn.Close()
		}
		driver.must(`"do":"state"`)
	})
}

// tagQuery is HTML in a URL.
const tagQuery = "%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E"
